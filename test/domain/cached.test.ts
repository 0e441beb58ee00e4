import { expect, it } from "@effect/vitest"
import { Duration, Effect, TestClock } from "effect"
import { cached } from "../../src/domain/cached.ts"
import { NOW } from "../support/now.ts"

it.effect("what was read before the clock was set back is read again, once for all who ask together", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    let reads = 0
    const read = yield* cached(
      Effect.sync(() => (reads += 1)),
      Duration.seconds(1)
    )
    expect([yield* read, yield* read]).toEqual([1, 1])
    yield* TestClock.setTime(NOW - 3_600_000)
    expect(yield* Effect.all([read, read, read], { concurrency: "unbounded" })).toEqual([2, 2, 2])
    yield* TestClock.adjust("999 millis")
    expect(yield* read).toBe(2)
    yield* TestClock.adjust("1 millis")
    expect(yield* read).toBe(3)
  })
)
