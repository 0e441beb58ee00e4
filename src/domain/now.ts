import { Effect } from "effect"

/**
 * Goes on with the time, in Unix milliseconds. As `Effect.flatMap(Clock.currentTimeMillis, …)` in one step instead of
 * three: a sale looks at the clock some twenty times.
 */
export const withNow = <A, E, R>(use: (millis: number) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => use(clock.unsafeCurrentTimeMillis()))

/** Something made of the time, in Unix milliseconds. */
export const atNow = <A>(make: (millis: number) => A): Effect.Effect<A> =>
  Effect.clockWith((clock) => Effect.succeed(make(clock.unsafeCurrentTimeMillis())))
