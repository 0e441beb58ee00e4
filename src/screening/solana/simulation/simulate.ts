import { createHash } from "node:crypto"
import { Clock, Effect, Fiber, Random } from "effect"
import type { SolanaSimulation } from "../../../chain/chain-rpc.ts"
import { SolanaAddress } from "../../../domain/address.ts"
import { toBase58 } from "../../../domain/base58.ts"
import { isOnCurve } from "../../../domain/ed25519-point.ts"
import type { Fact } from "../../../domain/fact.ts"
import { clockOf } from "../reads/clock.ts"
import { factOf } from "../reads/fetch.ts"
import type { ToldOwners } from "../reads/guesses.ts"
import type { WeighedPools } from "../reads/position-owners.ts"
import type { Reads, Upstreams } from "../reads/reads.ts"
import { candidatesOf, holdersToTry, isDeepest } from "./candidates.ts"
import { withoutExcused } from "./excused.ts"
import type { ExitFacts, Sale, Tried } from "./exit-facts.ts"
import { freshSale, holderCount, withControl, worstOf } from "./exit-facts.ts"
import { outcomeOf } from "./outcome.ts"
import type { FreshPlan } from "./planned.ts"
import { planHolders, planFresh } from "./planned.ts"
import { learn } from "./proven.ts"
import type { Candidate, Trial } from "./trial.ts"

const UNFUNDED: Sale = { kind: "untried", why: "no account on this node can pay for a trial" }
const TOO_LONG: Sale = { kind: "untried", why: "the trade does not fit one transaction" }

/** Trials of one screening. */
export interface Trials {
  /**
   * Begins what these reads call for, unless one of the listed pools may be deeper and is not read yet. Concludes
   * nothing.
   * @param told owners of token accounts that have not been read; absent: only what the accounts say
   */
  readonly begin: (
    reads: Reads,
    listed: ReadonlyArray<SolanaAddress>,
    told?: ToldOwners
  ) => Effect.Effect<void>
  /**
   * Whether people can leave: a wallet nobody has seen buys, passes on and sells in the best pools, real holders sell
   * and move what they hold, all as the node simulates it. What was begun counts where the whole evidence calls for
   * the same transaction, to the byte; the rest is asked in one round of calls.
   * @param weighed what the pools' positions hold
   */
  readonly conclude: (reads: Reads, weighed: WeighedPools) => Effect.Effect<ExitFacts>
}

/** Wallets nobody can have seen before: their addresses exist only for these trials. One for each role. */
const makeWallets = Effect.gen(function* () {
  const seed = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
  const more = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
  const made = new Map<string, SolanaAddress>()
  const make = (role: string): SolanaAddress => {
    for (let turn = 0; ; turn++) {
      const bytes = createHash("sha256").update(`${seed} ${more} ${role} ${turn}`).digest()
      if (isOnCurve(bytes)) return SolanaAddress.make(toBase58(bytes), true)
    }
  }
  return (role: string): SolanaAddress => {
    const wallet = made.get(role) ?? make(role)
    made.set(role, wallet)
    return wallet
  }
})

type Running = Fiber.RuntimeFiber<Fact<SolanaSimulation>>

/** Asks the node for each trial once, however often it is called for. */
const makeAsk = (up: Upstreams) =>
  Effect.map(Effect.scope, (scope) => {
    const running = new Map<string, Running>()
    return (trial: Trial): Effect.Effect<Running> =>
      Effect.suspend(() => {
        const key = [trial.wire, ...trial.watch].join(" ")
        const known = running.get(key)
        if (known !== undefined) return Effect.succeed(known)
        const asked = factOf(
          up.rpc.simulate(trial.wire, trial.watch),
          "the node does not simulate transactions"
        )
        return Effect.tap(Effect.forkIn(asked, scope), (fiber) => void running.set(key, fiber))
      })
  })

interface Plan {
  readonly fresh: ReadonlyArray<FreshPlan>
  readonly holders: ReadonlyArray<Trial>
  /** Where holders sell. */
  readonly best: Candidate | undefined
}

const trialsOf = ({ fresh, holders }: Plan): ReadonlyArray<Trial> => [
  ...fresh.flatMap(({ back, on }) => [back, on].filter((trial) => trial !== null)),
  ...holders
]

interface Asked extends Plan {
  readonly tried: ReadonlyMap<Trial, Tried>
}

const freshSaleOf = (tried: Asked["tried"], { back, candidate, isFunded, on }: FreshPlan): Sale => {
  if (!isFunded) return UNFUNDED
  const there = back === null ? undefined : tried.get(back)
  if (there === undefined) return TOO_LONG
  return freshSale(candidate, there, (on === null ? undefined : tried.get(on)) ?? null)
}

const conclusion = Effect.fnUntraced(function* (
  up: Upstreams,
  of: { readonly mint: SolanaAddress; readonly reads: Reads },
  { best, fresh, holders, tried }: Asked
) {
  const sales = fresh.map((one) => ({ candidate: one.candidate, sale: freshSaleOf(tried, one) }))
  const held = yield* withoutExcused(
    up,
    of,
    holders.flatMap((trial) => tried.get(trial) ?? [])
  )
  const sold = sales.flatMap(({ candidate, sale }) =>
    sale.kind === "sold" ? [candidate.place.pool.kind] : []
  )
  const holdersSold = held.some(
    ({ outcome, trial }) => trial.kind === "holder-sale" && outcome.kind === "passed"
  )
  const kinds = holdersSold && best !== undefined ? [...sold, best.place.pool.kind] : sold
  const proven = yield* learn(up.proven, kinds, yield* Clock.currentTimeMillis)
  const works = ({ place }: Candidate): boolean => proven.has(place.pool.kind)
  const facts: ExitFacts = {
    fresh: worstOf(sales.map(({ candidate, sale }) => withControl(sale, works(candidate)))),
    holders: holderCount(held, best !== undefined && works(best))
  }
  return facts
})

export const makeTrials = Effect.fn("SolanaPlan.makeTrials")(function* (up: Upstreams, mint: SolanaAddress) {
  const ask = yield* makeAsk(up)
  const walletOf = yield* makeWallets

  const planned = (reads: Reads, candidates: ReadonlyArray<Candidate>, told?: ToldOwners): Plan => {
    const people = holdersToTry(reads, mint, candidates[0], told)
    const context = { payers: up.payers, reads, mint, holders: people, walletOf }
    const fresh = candidates.map((candidate) => planFresh(context, candidate))
    return { fresh, holders: planHolders(context, candidates[0]), best: candidates[0] }
  }
  /** The last plan that was made by accounts alone, for all pools. Where nothing more is read, it stands. */
  let last: { readonly book: Reads["book"]; readonly plan: Plan } | undefined

  const begin: Trials["begin"] = (reads, listed, told) =>
    Effect.suspend(() => {
      const found = candidatesOf(reads, mint, clockOf(reads))
      const isFinal = isDeepest(reads, mint, listed, found)
      const plan = planned(reads, isFinal ? found : [], told)
      if (isFinal && told === undefined) last = { book: reads.book, plan }
      return Effect.forEach(trialsOf(plan), ask, { discard: true })
    })

  const conclude: Trials["conclude"] = Effect.fn("SolanaPlan.tryExits")(function* (reads, weighed) {
    const plan =
      last?.book === reads.book && weighed.size === 0
        ? last.plan
        : planned(reads, candidatesOf(reads, mint, clockOf(reads), weighed))
    const asked = yield* Effect.forEach(trialsOf(plan), (trial) =>
      Effect.map(ask(trial), (fiber) => ({ trial, fiber }))
    )
    const tried = yield* Effect.forEach(asked, ({ fiber, trial }) =>
      Effect.map(
        Fiber.join(fiber),
        (answer) => [trial, { trial, outcome: outcomeOf(trial, answer) }] as const
      )
    )
    return yield* conclusion(up, { mint, reads }, { ...plan, tried: new Map(tried) })
  })

  const trials: Trials = { begin, conclude }
  return trials
})
