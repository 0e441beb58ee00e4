import { Duration, Effect, Option, Queue } from "effect"
import { withoutServices } from "../../../domain/context.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { tellingTrouble } from "../../../domain/trouble.ts"
import type { Terms } from "./choice.ts"
import { type Exchange, makeExchange } from "./exchange.ts"
import { type CanPay, type HeldKeys, makeHeldKeys } from "./held-keys.ts"
import type { Job, JobResult } from "./job.ts"
import type { SettlementJournal } from "./journal.ts"
import type { KeySender } from "./key-sender.ts"
import { type JobQueue, makePump } from "./pump.ts"
import type { Hear, Waiters } from "./waiters.ts"

/** Renewals in the time of a key's lease. */
const RENEWALS = 4
/** Between two looks for safe blocks. */
const FINISH = Duration.seconds(15)
const PRUNE = Duration.hours(1)
/** Longer than any payment is asked for, and than any retention of payments needs its signed bytes. */
const KEEP = Duration.toMillis(Duration.days(30))

/** How long a caller waits for a transaction that no node has taken: an outage, or fees beyond the bound. */
const UNSENT_PATIENCE = Duration.seconds(6)

/** Milliseconds between two looks. */
export interface Pace {
  /** Between two looks at what other processes hand over, or have settled for this one. */
  readonly exchange: number
  /** Between two looks at the chain, while something is in flight. */
  readonly look: number
}

export const PACE: Pace = { exchange: 100, look: 250 }

export interface SendersOptions {
  readonly keys: ReadonlyArray<KeySender>
  readonly journal: SettlementJournal["Type"]
  readonly waiters: Waiters
  /** The chain's fees and the price of ether, at most a block old. */
  readonly terms: Effect.Effect<Terms, UpstreamError>
  /** Highest fee of a payment by its amount, both in millionths of a USD. */
  readonly budget: (amount: bigint) => bigint
  readonly canPay: CanPay
  readonly pace: Pace
}

const repeatedly = (
  name: string,
  effect: Effect.Effect<unknown, UpstreamError>,
  every: Duration.DurationInput
) =>
  effect.pipe(
    tellingTrouble(`Base settlement: ${name}`),
    Effect.ignore,
    Effect.catchAllDefect(() => Effect.void),
    Effect.zipRight(Effect.sleep(every)),
    Effect.forever,
    withoutServices,
    Effect.forkScoped
  )

/** Looks that found nothing, one after another, before the next ones wait longer, and how many times as long. */
const QUIET = 20
const RARER = 4

/**
 * A look that answers whether it found anything. One that keeps finding nothing waits longer, so that idle processes do
 * next to nothing.
 */
const makeRarer = (look: Effect.Effect<boolean, UpstreamError>, every: number) => {
  let quiet = 0
  return Effect.flatMap(look, (found) => {
    quiet = found ? 0 : quiet + 1
    return quiet > QUIET ? Effect.sleep(Duration.millis((RARER - 1) * every)) : Effect.void
  })
}

interface Parts {
  readonly journal: SettlementJournal["Type"]
  readonly queue: JobQueue
  readonly waiters: Waiters
  readonly held: HeldKeys
  readonly exchange: Exchange
}

/** A payment to send, and whether the journal has it: from before, or from a process that was faster. */
export interface Handed {
  readonly job: Job
  readonly isStored: boolean
}

const stateOf = ({ journal }: Parts, authorizationKey: string) =>
  Effect.map(
    journal.find(authorizationKey),
    Option.match({
      onNone: (): JobResult => ({ state: "pending", transaction: undefined, isSent: false }),
      onSome: ({ result }) => result
    })
  )

/** What becomes of a payment within `patience`; sooner, when no node has taken its transaction for a while. */
const outcome = Effect.fnUntraced(function* (
  parts: Parts,
  authorizationKey: string,
  hear: Hear,
  patience: Duration.DurationInput
) {
  const { exchange, waiters } = parts
  const early = yield* hear(UNSENT_PATIENCE)
  if (Option.isSome(early)) return early.value
  const state = yield* stateOf(parts, authorizationKey)
  const isWorthIt = state.state !== "pending" || state.isSent
  const late = isWorthIt ? yield* hear(patience) : Option.none<JobResult>()
  if (Option.isSome(late)) return late.value
  yield* waiters.forget(authorizationKey)
  yield* exchange.store(authorizationKey)
  return yield* stateOf(parts, authorizationKey)
})

/** What becomes of a payment that is in flight. */
const join = (parts: Parts, authorizationKey: string, patience: Duration.DurationInput) =>
  Effect.flatMap(parts.waiters.hearing(authorizationKey), (hear) =>
    outcome(parts, authorizationKey, hear, patience)
  )

/** Executes a payment that is not in flight. */
const settle = Effect.fnUntraced(function* (
  parts: Parts,
  { isStored, job }: Handed,
  patience: Duration.DurationInput
) {
  const { exchange, held, journal, queue, waiters } = parts
  const { authorizationKey } = job
  // Registered before the payment can have any outcome.
  const hear = yield* waiters.hearing(authorizationKey)
  if (isStored) yield* journal.offer(job)
  else queue.set(authorizationKey, { job, stored: false })
  if (!(yield* held.isAnyHeld)) yield* exchange.handOver
  yield* held.wakeAll
  return yield* outcome(parts, authorizationKey, hear, patience)
})

/**
 * The sending side of a process: it holds keys by lease, sends what is handed to it here or through the database, and
 * tells whoever waits what became of it. A process that holds no key hands everything over through the database.
 */
export const makeSenders = Effect.fnUntraced(function* ({
  budget,
  canPay,
  journal,
  keys,
  pace,
  terms,
  waiters
}: SendersOptions) {
  const queue: JobQueue = new Map()
  const held = yield* makeHeldKeys({
    keys,
    journal,
    terms,
    canPay,
    look: pace.look,
    announce: waiters.announce
  })
  const exchange = makeExchange({ queue, journal, waiters, held })
  const pump = makePump({ states: held.states, queue, journal, waiters, terms, budget, canPay })

  yield* Effect.addFinalizer(() => Effect.ignore(Effect.zipRight(exchange.handOver, held.releaseAll)))
  for (const state of held.states) {
    yield* Effect.ignoreLogged(held.hold(state))
    yield* repeatedly("lease", Effect.delay(held.hold(state), Duration.millis(journal.lease / RENEWALS)), 0)
    yield* repeatedly("send", Effect.zipRight(Queue.take(state.wake), pump(state)), 0)
    const look = Effect.zipRight(held.look(state), held.wakeAll)
    yield* repeatedly("look", Effect.zipRight(held.untilLook(state), look), 0)
    yield* repeatedly("finality", Effect.delay(held.finish(state), FINISH), 0)
  }
  yield* repeatedly("exchange", makeRarer(exchange.exchange, pace.exchange), pace.exchange)
  yield* repeatedly("prune", Effect.delay(journal.prune(KEEP), PRUNE), 0)

  const parts: Parts = { journal, queue, waiters, held, exchange }
  return {
    /** What becomes of a payment that is in flight. */
    join: (authorizationKey: string, patience: Duration.DurationInput) =>
      join(parts, authorizationKey, patience),
    settle: (handed: Handed, patience: Duration.DurationInput) => settle(parts, handed, patience)
  }
})

export type Senders = Effect.Effect.Success<ReturnType<typeof makeSenders>>
