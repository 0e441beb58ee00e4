import { Clock, Effect, Option } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import { lasts } from "../../../domain/lasts.ts"
import { type Choice, choose, type Terms } from "./choice.ts"
import type { CanPay, KeyState } from "./held-keys.ts"
import type { Entry, SettlementJournal } from "./journal.ts"
import type { Waiters } from "./waiters.ts"

/** Transactions of one key that no block holds yet; nodes keep 16 of an account for certain. */
const MAX_IN_FLIGHT = 12
/** Milliseconds of its window a payment must have left when it is sent: one block may be missed. */
const MIN_LEFT = 4_000

/** Milliseconds a payment waits whose budgets have no room for its fee. */
const REST = 1_000

const EXPIRED = "invalid_exact_evm_payload_authorization_valid_before"

/** What waits in this process to be sent, by authorization, oldest first. */
export type JobQueue = Map<string, Entry>

interface PumpOptions {
  /** Every key of this process, held or not. */
  readonly states: ReadonlyArray<KeyState>
  readonly queue: JobQueue
  readonly journal: Pick<SettlementJournal["Type"], "expire" | "find">
  readonly waiters: Waiters
  readonly terms: Effect.Effect<Terms, UpstreamError>
  readonly budget: (amount: bigint) => bigint
  readonly canPay: CanPay
}

/** Payments whose budgets had no room for the fee a moment ago: what others have set aside may be free soon. */
const makeResting = () => {
  const until = new Map<string, number>()
  return {
    add: (keys: ReadonlyArray<string>) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const key of keys) until.set(key, now + REST)
      }),
    others: (waiting: Iterable<Entry>, now: number): Iterable<Entry> => {
      for (const [key, end] of until) if (!lasts(end, REST, now)) until.delete(key)
      return until.size === 0 ? waiting : [...waiting].filter(({ job }) => !until.has(job.authorizationKey))
    }
  }
}

/**
 * Whose turn it is: the keys take turns, one transaction each, so that one whose nonce is stuck holds up no more than
 * its share. One that cannot pay has none.
 */
const makeTurns = ({ canPay, states }: Pick<PumpOptions, "canPay" | "states">) => {
  let last = -1
  return {
    next: (now: number): KeyState | undefined =>
      states
        .map((_, step) => states[(last + 1 + step) % states.length])
        .find(
          (state) =>
            state !== undefined &&
            state.heldUntil > now &&
            state.inFlight < MAX_IN_FLIGHT &&
            canPay(state.sender.address)
        ),
    took: (state: KeyState) => {
      last = states.indexOf(state)
    }
  }
}

/** Which payments leave the queue unsent, and which come back to it. */
const makeShelf = ({ journal, queue, waiters }: PumpOptions) => {
  const dropExpired = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const [authorizationKey, { job, stored }] of queue) {
      if (job.validBefore * 1_000 - MIN_LEFT > now) continue
      queue.delete(authorizationKey)
      if (stored) yield* journal.expire(authorizationKey, EXPIRED)
      yield* waiters.publish(authorizationKey, { state: "expired", reason: EXPIRED })
    }
  })

  /** What a transaction that was not stored carried; what the journal has meanwhile is not ours to send. */
  const putBack = Effect.fnUntraced(function* ({ entries }: Choice) {
    for (const { job } of entries) {
      const known = yield* Effect.option(journal.find(job.authorizationKey))
      // A row that waits comes back with the next exchange; one that exists unseen is refused when it is written.
      if (Option.isNone(Option.flatten(known))) queue.set(job.authorizationKey, { job, stored: false })
    }
  })

  return { dropExpired, putBack }
}

/** Sends with a key, in its turn, until nothing waits, nothing can be paid for, or every key has enough in flight. */
export const makePump = (options: PumpOptions) => {
  const { budget, queue, terms } = options
  const { dropExpired, putBack } = makeShelf(options)
  const resting = makeResting()
  const turns = makeTurns(options)

  /** What one transaction carries, taken out of the queue in the same step: no other key may choose it too. */
  const take = (terms: Terms, now: number) =>
    Effect.sync(() => {
      const choice = choose(resting.others(queue.values(), now), terms, budget)
      for (const { job } of choice?.entries ?? []) queue.delete(job.authorizationKey)
      return choice
    })

  const sendOne = (state: KeyState, nonce: number, choice: Choice) =>
    Effect.gen(function* () {
      // Until the journal has said yes, the nonce is not known to be free; and it may have said so without being heard.
      state.nonce = undefined
      state.unfinished += 1
      const { attempt, stored } = yield* state.sender.prepare(nonce, choice)
      if (stored.state === "beyond") {
        state.nonce = nonce
        yield* resting.add(stored.keys)
      }
      if (stored.state !== "stored") return yield* putBack(choice)
      state.nonce = nonce + 1
      state.inFlight += 1
      yield* state.sender.submit(nonce, attempt)
      yield* state.sent.offer(undefined)
    }).pipe(Effect.tapError(() => Effect.ignore(putBack(choice))))

  return Effect.fnUntraced(function* (state: KeyState) {
    while (queue.size > 0) {
      // First of all: which keys can pay depends on them.
      const now = yield* terms
      const next = turns.next(yield* Clock.currentTimeMillis)
      if (next !== state) {
        if (next !== undefined) yield* next.wake.offer(undefined)
        return
      }
      // Before it is tried: a key that fails gives its turn away.
      turns.took(state)
      yield* dropExpired
      const nonce = state.nonce ?? (yield* state.sender.recover)
      const choice = yield* take(now, yield* Clock.currentTimeMillis)
      if (choice === undefined) return
      yield* sendOne(state, nonce, choice)
    }
  })
}
