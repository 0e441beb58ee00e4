import { Cause, Clock, Effect, Exit, Option, Ref } from "effect"
import { lasts } from "../domain/lasts.ts"

interface State {
  readonly failures: number
  /** Unix milliseconds until which nothing is tried; null while closed. */
  readonly openUntil: number | null
  readonly probing: boolean
}

const CLOSED: State = { failures: 0, openUntil: null, probing: false }

export interface CircuitBreaker<E> {
  /** Runs the effect, or fails with `whenOpen` at once while the upstream is known to be down. */
  readonly protect: <A, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * Opens after `threshold` failures in a row, for `cooldownMillis`; then lets one call through as a probe, whose outcome
 * closes the circuit or opens it again. An interrupted call says nothing about the upstream and counts as neither.
 */
export const makeCircuitBreaker = <E>(options: {
  readonly threshold: number
  readonly cooldownMillis: number
  readonly isFailure: (error: E) => boolean
  readonly whenOpen: () => E
  /** Told when the circuit opens (also again, after a probe that failed) and when it closes. */
  readonly onChange?: (isOpen: boolean) => Effect.Effect<void>
}): Effect.Effect<CircuitBreaker<E>> =>
  Effect.map(Ref.make(CLOSED), (ref) => {
    const admit = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Ref.modify(ref, (state): readonly [boolean, State] => {
        if (state.openUntil === null) return [true, state]
        if (lasts(state.openUntil, options.cooldownMillis, now) || state.probing) return [false, state]
        return [true, { ...state, probing: true }]
      })
    )

    const tell = options.onChange ?? (() => Effect.void)

    const fail = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Ref.modify(ref, ({ failures }): readonly [boolean, State] => {
        const opens = failures + 1 >= options.threshold
        const openUntil = opens ? now + options.cooldownMillis : null
        return [opens, { failures: failures + 1, openUntil, probing: false }]
      })
    ).pipe(Effect.flatMap((opens) => Effect.when(tell(true), () => opens)))

    const close = Effect.flatMap(Ref.getAndSet(ref, CLOSED), ({ openUntil }) =>
      Effect.when(tell(false), () => openUntil !== null)
    )

    const record = (exit: Exit.Exit<unknown, E>): Effect.Effect<unknown> => {
      if (Exit.isSuccess(exit)) return close
      if (Cause.isInterruptedOnly(exit.cause))
        return Ref.update(ref, (state) => ({ ...state, probing: false }))
      return Option.exists(Cause.failureOption(exit.cause), (error) => !options.isFailure(error))
        ? close
        : fail
    }

    return {
      protect: (effect) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(admit, (isAdmitted) =>
            isAdmitted ? Effect.onExit(restore(effect), record) : Effect.fail(options.whenOpen())
          )
        )
    }
  })
