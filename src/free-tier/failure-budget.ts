import { Clock, Config, Context, Effect, Layer } from "effect"

/** Failed free calls one address may have at once, and how many a second it gets back. */
const BURST = 30
const PER_SECOND = 0.5
/** Addresses remembered; the one that failed longest ago is forgotten first. */
const MAX_ADDRESSES = 20_000

interface Entry {
  readonly spent: number
  readonly at: number
}

/**
 * Bounds the work of free calls that fail: a failed call does not count for its caller, so without this an address
 * could have unknown tokens screened without end. Each address has a budget of failures of its own; kept in memory,
 * because it bounds work of this process.
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

const make = Effect.sync(() => {
  // A Map keeps insertion order: who fails goes to the end.
  const entries = new Map<string, Entry>()

  const spentAt = (address: string, now: number): number => {
    const entry = entries.get(address)
    if (entry === undefined) return 0
    // A clock that was set back gives nothing and takes nothing.
    const elapsed = Math.max(0, now - entry.at)
    return Math.max(0, entry.spent - (elapsed / 1_000) * PER_SECOND)
  }

  const waitAt = (address: string, now: number): number => {
    const over = spentAt(address, now) + 1 - BURST
    return over <= 0 ? 0 : Math.ceil(over / PER_SECOND)
  }

  return FailureBudget.of({
    wait: (address) => Effect.map(Clock.currentTimeMillis, (now) => waitAt(address, now)),
    waitAt,
    spend: (address) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const spent = Math.min(BURST + 1, spentAt(address, now) + 1)
        entries.delete(address)
        entries.set(address, { spent, at: now })
        const oldest = entries.size > MAX_ADDRESSES ? entries.keys().next().value : undefined
        if (oldest !== undefined) entries.delete(oldest)
      })
  })
})

const UNLIMITED = FailureBudget.of({
  wait: () => Effect.succeed(0),
  waitAt: () => 0,
  spend: () => Effect.void
})

/** `ADDRESS_LIMITS`: limits per caller's address; `off` where a proxy in front does it. */
export const addressLimitsConfig = Config.literal(
  "on",
  "off"
)("ADDRESS_LIMITS").pipe(Config.withDefault("on"))

export const FailureBudgetLive = Layer.effect(
  FailureBudget,
  Effect.flatMap(addressLimitsConfig, (limits) => (limits === "on" ? make : Effect.succeed(UNLIMITED)))
)
