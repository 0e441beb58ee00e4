import { Clock, Context, Effect, Layer } from "effect"
import { word } from "../domain/settings.ts"
import { ADDRESSES_A_NETWORK, networkOf } from "./network.ts"

/** What one address, or one network of addresses, may fail. */
interface Allowance {
  /** Failed free calls it may have at once, and how many a second it gets back. */
  readonly burst: number
  readonly perSecond: number
}

const OF_ADDRESS: Allowance = { burst: 30, perSecond: 0.5 }
const OF_NETWORK: Allowance = {
  burst: OF_ADDRESS.burst * ADDRESSES_A_NETWORK,
  perSecond: OF_ADDRESS.perSecond * ADDRESSES_A_NETWORK
}
/** Addresses remembered, and networks; the one that failed longest ago is forgotten first. */
const MAX_NAMES = 20_000

interface Entry {
  readonly spent: number
  readonly at: number
}

/**
 * Bounds the work of free calls that fail: a failed call does not count for its caller, so without this an address
 * could have unknown tokens screened without end. Each address has a budget of failures of its own, and each network of
 * IPv6 addresses one that ten of them would use up; kept in memory, because it bounds work of this process.
 */
export class FailureBudget extends Context.Tag("token-risk/FailureBudget")<
  FailureBudget,
  {
    /** Seconds until the address may have another free call; 0 when it may now. */
    readonly wait: (address: string) => Effect.Effect<number>
    /** The same for a moment, in Unix milliseconds. */
    readonly waitAt: (address: string, now: number) => number
    readonly spend: (address: string) => Effect.Effect<void>
  }
>() {}

/** What each of them has failed lately. */
const makeBuckets = ({ burst, perSecond }: Allowance) => {
  // A Map keeps insertion order: who fails goes to the end.
  const entries = new Map<string, Entry>()

  const spentAt = (name: string, now: number): number => {
    const entry = entries.get(name)
    if (entry === undefined) return 0
    // A clock that was set back gives nothing and takes nothing: time counts from now on.
    if (entry.at > now) {
      entries.set(name, { ...entry, at: now })
      return entry.spent
    }
    return Math.max(0, entry.spent - ((now - entry.at) / 1_000) * perSecond)
  }

  return {
    waitAt: (name: string, now: number): number => {
      const over = spentAt(name, now) + 1 - burst
      return over <= 0 ? 0 : Math.ceil(over / perSecond)
    },
    spendAt: (name: string, now: number): void => {
      const spent = Math.min(burst + 1, spentAt(name, now) + 1)
      entries.delete(name)
      entries.set(name, { spent, at: now })
      const oldest = entries.size > MAX_NAMES ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    }
  }
}

const make = Effect.sync(() => {
  const addresses = makeBuckets(OF_ADDRESS)
  const networks = makeBuckets(OF_NETWORK)

  const waitAt = (address: string, now: number): number => {
    const network = networkOf(address)
    const own = addresses.waitAt(address, now)
    return network === undefined ? own : Math.max(own, networks.waitAt(network, now))
  }

  return FailureBudget.of({
    wait: (address) => Effect.map(Clock.currentTimeMillis, (now) => waitAt(address, now)),
    waitAt,
    spend: (address) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const network = networkOf(address)
        addresses.spendAt(address, now)
        if (network !== undefined) networks.spendAt(network, now)
      })
  })
})

const UNLIMITED = FailureBudget.of({
  wait: () => Effect.succeed(0),
  waitAt: () => 0,
  spend: () => Effect.void
})

/** `ADDRESS_LIMITS`: limits per caller's address; `off` where a proxy in front does it. */
export const addressLimitsConfig = word("ADDRESS_LIMITS", ["on", "off"], "on")

export const FailureBudgetLive = Layer.effect(
  FailureBudget,
  Effect.flatMap(addressLimitsConfig, (limits) => (limits === "on" ? make : Effect.succeed(UNLIMITED)))
)
