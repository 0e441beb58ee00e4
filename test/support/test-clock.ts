/**
 * Effect's test clock lets three timers of the event loop go by before each step it takes, some five milliseconds, to see
 * whether the fibers it supervises have come to rest. In these tests it supervises none, and a sale has hundreds of
 * steps: as many turns of the event loop do, and cost nothing.
 */
import { Effect, TestClock, TestContext } from "effect"

/** One turn of the event loop. */
export const turn = Effect.async<void>((resume) => {
  const soon = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(soon))
})

const threeTurns = Effect.repeatN(turn, 2)

/** Waits until something holds, without moving any clock. */
export const until = (holds: () => boolean): Effect.Effect<void> => Effect.repeat(turn, { until: holds })

/** Makes every test clock of this process take its steps without waiting for timers. */
export const hastenTestClock = (): void => {
  const clock = Effect.runSync(Effect.provide(TestClock.testClock(), TestContext.TestContext))
  Object.assign(Object.getPrototypeOf(clock), { awaitSuspended: () => threeTurns })
}
