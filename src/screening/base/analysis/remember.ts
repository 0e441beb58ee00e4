import { Clock, Deferred, Duration, Effect } from "effect"
import { createHash } from "node:crypto"
import type { Hex } from "viem"
import { lasts } from "../../../domain/lasts.ts"
import type { Around } from "../power/analyse.ts"
import type { SlotValue } from "../power/proof/slot-value.ts"

/** Codes whose answers are in memory: clones and copies make most tokens repeat. */
const KEPT = 512

/** What is not decided may come from a machine under load, or from an attacker: not asked again before this. */
const PASSING_KEPT = Duration.toMillis("1 minute")

export interface Known<A> {
  readonly value: A
  /** Asking again would not change it. */
  readonly isDecided: boolean
}

interface Entry<A> {
  readonly value: A
  /** Unix milliseconds; absent where it stays as it is. */
  readonly until?: number
}

const isKept = ({ until }: Entry<unknown>, now: number): boolean =>
  until === undefined || lasts(until, PASSING_KEPT, now)

/** SHA-256, hex: native, where Keccak would cost a millisecond for a large contract. */
const hashOf = (code: Hex, state: ReadonlyArray<SlotValue>, { others = [], since }: Around): string =>
  createHash("sha256")
    .update(
      [
        code,
        ...state.map(
          ({ entries, slot, table, value }) =>
            `${slot}${entries === undefined ? "" : `/${entries.keys.join()}+${entries.field}`}${table === undefined ? "" : `@${table}`}=${value}`
        ),
        ...others.map((other) => `${other.address}:${other.code}`),
        ...(since === undefined ? [] : [`${since.time}/${since.block}`])
      ].join(" ")
    )
    .digest("hex")

/**
 * Answers about code, remembered. A caller that asks for an analysis under way waits for it; one that is interrupted
 * interrupts nobody else, since the work is done in the scope of this memory.
 */
export const remembering = <A>(
  find: (code: Hex, hash: string, state: ReadonlyArray<SlotValue>, around: Around) => Effect.Effect<Known<A>>
) =>
  Effect.map(Effect.scope, (scope) => {
    const kept = new Map<string, Entry<A>>()
    const underWay = new Map<string, Deferred.Deferred<A>>()

    const keep = (hash: string, { isDecided, value }: Known<A>, now: number): void => {
      kept.delete(hash)
      const oldest = kept.keys().next()
      if (kept.size >= KEPT && oldest.done !== true) kept.delete(oldest.value)
      kept.set(hash, isDecided ? { value } : { value, until: now + PASSING_KEPT })
    }

    const started = (code: Hex, hash: string, state: ReadonlyArray<SlotValue>, around: Around) =>
      Effect.gen(function* () {
        const answer = yield* Deferred.make<A>()
        underWay.set(hash, answer)
        yield* find(code, hash, state, around).pipe(
          Effect.tap((known) => Effect.map(Clock.currentTimeMillis, (now) => keep(hash, known, now))),
          Effect.map(({ value }) => value),
          Effect.interruptible,
          Effect.onExit((exit) => {
            underWay.delete(hash)
            return Deferred.done(answer, exit)
          }),
          Effect.forkIn(scope)
        )
        return answer
      })

    /** @param whenKept runs where nothing has to be asked */
    return (
      code: Hex,
      whenKept: Effect.Effect<void> = Effect.void,
      state: ReadonlyArray<SlotValue> = [],
      around: Around = {}
    ): Effect.Effect<A> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const hash = hashOf(code, state, around)
          const entry = kept.get(hash)
          if (entry !== undefined && isKept(entry, yield* Clock.currentTimeMillis))
            return yield* Effect.as(whenKept, entry.value)
          const answer = underWay.get(hash) ?? (yield* started(code, hash, state, around))
          return yield* restore(Deferred.await(answer))
        })
      )
  })
