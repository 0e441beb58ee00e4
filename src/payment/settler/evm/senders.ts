import { Clock, Deferred, Duration, Effect, Option, Queue, Schedule } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import { type Choice, choose, type Terms } from "./choice.ts"
import type { Job, JobResult } from "./job.ts"
import { type Entry, LEASE, type SettlementJournal } from "./journal.ts"
import type { KeySender } from "./key-sender.ts"
import type { Recorded } from "./recorder.ts"

/** Transactions of one key that no block holds yet; nodes keep 16 of an account for certain. */
const MAX_IN_FLIGHT = 12
/** Milliseconds of its window a payment must have left when it is sent: one block may be missed. */
const MIN_LEFT = 4_000
/** Between two looks at the chain while something is in flight, and while all of it is in blocks that may still go. */
const LOOK = 250
const LOOK_BACK = 2_000
/** Between two looks at what other processes hand over, or have settled for this one. */
const EXCHANGE = Duration.millis(100)
const RENEWAL = Duration.millis(LEASE / 4)
/** Between two looks for safe blocks. */
const FINISH = Duration.seconds(15)
const PRUNE = Duration.hours(1)
/** Longer than any payment is asked for, and than any retention of payments needs its signed bytes. */
const KEEP = Duration.toMillis(Duration.days(30))

/** How long a caller waits for a transaction that no node has taken: an outage, or fees beyond the bound. */
const UNSENT_PATIENCE = Duration.seconds(6)

const EXPIRED = "invalid_exact_evm_payload_authorization_valid_before"

export interface SendersOptions {
  readonly keys: ReadonlyArray<KeySender>
  readonly journal: SettlementJournal["Type"]
  /** The chain's fees and the price of ether, at most a block old. */
  readonly terms: Effect.Effect<Terms, UpstreamError>
  /** Highest fee of a payment by its amount, both in millionths of a USD. */
  readonly budget: (amount: bigint) => bigint
}

/** A key as this process sees it. Whether it is ours is decided by the database each time it signs. */
interface KeyState {
  readonly sender: KeySender
  readonly wake: Queue.Queue<void>
  heldUntil: number
  /** `undefined`: learn it from chain and journal before the next transaction. */
  nonce: number | undefined
  inFlight: number
  unfinished: number
  lookedAt: number
}

const makeState = (sender: KeySender) =>
  Effect.map(Queue.dropping<void>(1), (wake): KeyState => ({
    sender,
    wake,
    heldUntil: 0,
    nonce: undefined,
    inFlight: 0,
    unfinished: 1,
    lookedAt: 0
  }))

/**
 * The sending side of a process: it holds keys by lease, sends what is handed to it here or through the database, and
 * tells whoever waits what became of it. A process that holds no key hands everything over through the database.
 */
export const makeSenders = ({ budget, journal, keys, terms }: SendersOptions) =>
  Effect.gen(function* () {
    const states = yield* Effect.forEach(keys, makeState)
    const queue = new Map<string, Entry>()
    const waiters = new Map<string, Deferred.Deferred<JobResult>>()

    const heldNow = Effect.map(Clock.currentTimeMillis, (now) =>
      states.filter(({ heldUntil }) => heldUntil > now)
    )
    const wakeAll = Effect.forEach(states, ({ wake }) => wake.offer(undefined), { discard: true })

    const publish = (authorizationKey: string, result: JobResult) =>
      Effect.suspend(() => {
        const waiter = waiters.get(authorizationKey)
        waiters.delete(authorizationKey)
        return waiter === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(waiter, result))
      })

    const announce = (results: ReadonlyArray<Recorded>) =>
      Effect.forEach(
        results,
        ({ authorizationKey, result }) =>
          result.state === "waiting" ? Effect.void : publish(authorizationKey, result),
        { discard: true }
      )

    const dropExpired = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const [authorizationKey, { job, stored }] of queue) {
        if (job.validBefore * 1_000 - MIN_LEFT > now) continue
        queue.delete(authorizationKey)
        if (stored) yield* journal.expire(authorizationKey, EXPIRED)
        yield* publish(authorizationKey, { state: "expired", reason: EXPIRED })
      }
    })

    /** A transaction was not written down, or not for certain: what the journal has is not ours to send. */
    const putBack = (state: KeyState, { entries }: Choice) =>
      Effect.gen(function* () {
        state.nonce = undefined
        for (const { job } of entries) {
          const known = yield* Effect.option(journal.find(job.authorizationKey))
          // A row that waits comes back with the next exchange; one that exists unseen is refused when it is written.
          if (Option.isNone(Option.flatten(known))) queue.set(job.authorizationKey, { job, stored: false })
        }
      })

    const sendOne = (state: KeyState, choice: Choice) =>
      Effect.gen(function* () {
        const nonce = state.nonce ?? (yield* state.sender.recover)
        for (const { job } of choice.entries) queue.delete(job.authorizationKey)
        // Until the journal has said yes, the nonce is not known to be free.
        state.nonce = undefined
        const prepared = yield* state.sender.prepare(nonce, choice)
        if (prepared === undefined) return yield* putBack(state, choice)
        state.nonce = nonce + 1
        state.inFlight += 1
        state.unfinished += 1
        yield* state.sender.submit(nonce, prepared)
      }).pipe(Effect.tapError(() => Effect.ignore(putBack(state, choice))))

    /** Sends until nothing waits, nothing can be paid for, or the key has enough in flight. */
    const pump = (state: KeyState) =>
      Effect.gen(function* () {
        while (queue.size > 0 && state.inFlight < MAX_IN_FLIGHT) {
          if (state.heldUntil <= (yield* Clock.currentTimeMillis)) return
          const now = yield* terms
          yield* dropExpired
          const choice = choose(queue.values(), now, budget)
          if (choice === undefined) return
          yield* sendOne(state, choice)
        }
      })

    const look = (state: KeyState) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (state.heldUntil <= now || state.unfinished === 0) return
        if (now - state.lookedAt < (state.inFlight > 0 ? LOOK : LOOK_BACK)) return
        state.lookedAt = now
        const seen = yield* state.sender.look(yield* terms)
        state.inFlight = seen.waiting
        state.unfinished = seen.unfinished
        yield* announce(seen.results)
      })

    const hold = (state: KeyState) =>
      Effect.gen(function* () {
        const asked = yield* Clock.currentTimeMillis
        const wasHeld = state.heldUntil > asked
        if (!(yield* journal.hold(state.sender.address))) return void (state.heldUntil = 0)
        state.heldUntil = asked + LEASE
        if (wasHeld) return
        state.nonce = undefined
        state.unfinished = 1
      })

    /** Without a key, what waits here belongs to whoever has one. */
    const handOver = Effect.gen(function* () {
      for (const [authorizationKey, { job }] of queue) {
        yield* journal.offer(job)
        queue.delete(authorizationKey)
      }
    })

    const exchange = Effect.gen(function* () {
      const isSending = (yield* heldNow).length > 0
      if (isSending) {
        for (const job of yield* journal.waiting) {
          if (!queue.has(job.authorizationKey)) queue.set(job.authorizationKey, { job, stored: true })
        }
      } else if (queue.size > 0) yield* handOver
      if (queue.size > 0) yield* wakeAll
      const elsewhere = [...waiters.keys()].filter((key) => !queue.has(key))
      for (const { authorizationKey, result } of yield* journal.finished(elsewhere)) {
        yield* publish(authorizationKey, result)
      }
    })

    const finish = (state: KeyState) =>
      Effect.gen(function* () {
        if (state.heldUntil <= (yield* Clock.currentTimeMillis)) return
        yield* announce(yield* state.sender.finish((yield* terms).price))
      })

    const repeatedly = (
      name: string,
      effect: Effect.Effect<unknown, UpstreamError>,
      every: Duration.DurationInput
    ) =>
      effect.pipe(
        Effect.catchAll(({ detail, kind }) => Effect.logWarning(`Base settlement: ${name}`, kind, detail)),
        Effect.catchAllDefect((defect) => Effect.logError(`Base settlement: ${name}`, defect)),
        Effect.repeat(Schedule.spaced(every)),
        Effect.forkScoped
      )

    yield* Effect.addFinalizer(() =>
      Effect.ignore(
        Effect.zipRight(
          handOver,
          Effect.forEach(states, ({ sender }) => journal.release(sender.address), { discard: true })
        )
      )
    )
    for (const state of states) {
      yield* Effect.ignoreLogged(hold(state))
      yield* repeatedly("lease", Effect.delay(hold(state), RENEWAL), 0)
      yield* repeatedly("send", Effect.zipRight(Queue.take(state.wake), pump(state)), 0)
      yield* repeatedly("look", Effect.zipRight(look(state), wakeAll), LOOK)
      yield* repeatedly("finality", Effect.delay(finish(state), FINISH), 0)
    }
    yield* repeatedly("exchange", exchange, EXCHANGE)
    yield* repeatedly("prune", Effect.delay(journal.prune(KEEP), PRUNE), 0)

    const waiterFor = (authorizationKey: string) =>
      Effect.gen(function* () {
        const known = waiters.get(authorizationKey)
        if (known !== undefined) return known
        const waiter = yield* Deferred.make<JobResult>()
        waiters.set(authorizationKey, waiter)
        return waiter
      })

    const stateOf = (authorizationKey: string) =>
      Effect.map(
        journal.find(authorizationKey),
        Option.match({
          onNone: (): JobResult => ({ state: "pending", transaction: undefined, isSent: false }),
          onSome: ({ result }) => result
        })
      )

    /** Stores what still waits here, for everyone to see, before its caller is sent away. */
    const store = (authorizationKey: string) =>
      Effect.gen(function* () {
        const entry = queue.get(authorizationKey)
        if (entry === undefined || entry.stored) return
        yield* journal.offer(entry.job)
        if (queue.has(authorizationKey)) queue.set(authorizationKey, { ...entry, stored: true })
      })

    /** What becomes of a payment within `patience`; sooner, when no node has taken its transaction for a while. */
    const join = (authorizationKey: string, patience: Duration.DurationInput) =>
      Effect.gen(function* () {
        const waiter = yield* waiterFor(authorizationKey)
        const early = yield* Effect.timeoutOption(Deferred.await(waiter), UNSENT_PATIENCE)
        if (Option.isSome(early)) return early.value
        const state = yield* stateOf(authorizationKey)
        const isWorthIt = state.state !== "pending" || state.isSent
        const late = isWorthIt
          ? yield* Effect.timeoutOption(Deferred.await(waiter), patience)
          : Option.none<JobResult>()
        if (Option.isSome(late)) return late.value
        waiters.delete(authorizationKey)
        yield* store(authorizationKey)
        return yield* stateOf(authorizationKey)
      })

    /** Executes a payment that is not in flight. */
    const settle = (job: Job, patience: Duration.DurationInput) =>
      Effect.gen(function* () {
        const { authorizationKey } = job
        // Registered before anything can become of it.
        yield* Effect.asVoid(waiterFor(authorizationKey))
        if (Option.isSome(yield* journal.find(authorizationKey))) yield* journal.offer(job)
        else queue.set(authorizationKey, { job, stored: false })
        if ((yield* heldNow).length === 0) yield* handOver
        yield* wakeAll
        return yield* join(authorizationKey, patience)
      })

    return { settle, join }
  })

export type Senders = Effect.Effect.Success<ReturnType<typeof makeSenders>>
