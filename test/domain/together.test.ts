import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, FiberRef, Ref, TestClock } from "effect"
import { both, within } from "../../src/domain/together.ts"

/** An effect that never ends, and whether it was interrupted. */
const endless = Effect.map(Ref.make(false), (interrupted) => ({
  wait: Effect.onInterrupt(Effect.never, () => Ref.set(interrupted, true)),
  wasInterrupted: Ref.get(interrupted)
}))

describe("two effects at once", () => {
  it.effect("give both results, in their own order", () =>
    Effect.gen(function* () {
      const later = Effect.delay(Effect.succeed("late"), "1 second")
      const fiber = yield* Effect.fork(both(later, Effect.succeed("early")))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toEqual(["late", "early"])
    })
  )

  it.effect("run beside each other", () =>
    Effect.gen(function* () {
      const met = yield* Deferred.make<string>()
      expect(yield* both(Deferred.await(met), Deferred.succeed(met, "here"))).toEqual(["here", true])
    })
  )

  it.effect("end with the first failure, once the other is interrupted", () =>
    Effect.gen(function* () {
      const other = yield* endless
      expect(yield* Effect.exit(both(Effect.fail("first"), other.wait))).toEqual(Exit.fail("first"))
      expect(yield* other.wasInterrupted).toBe(true)
      const one = yield* endless
      const second = Effect.delay(Effect.fail("second"), "1 second")
      const fiber = yield* Effect.fork(Effect.exit(both(one.wait, second)))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toEqual(Exit.fail("second"))
      expect(yield* one.wasInterrupted).toBe(true)
    })
  )

  it.effect("are both interrupted with whoever waits for them", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* endless, yield* endless]
      const fiber = yield* Effect.fork(both(one.wait, other.wait))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      expect([yield* one.wasInterrupted, yield* other.wasInterrupted]).toEqual([true, true])
    })
  )

  it.effect("fail when they take longer than their limit, once both are interrupted", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* endless, yield* endless]
      const limit = { duration: "1 second", late: () => "late" } as const
      const fiber = yield* Effect.fork(Effect.exit(both(one.wait, other.wait, limit)))
      yield* TestClock.adjust(Duration.millis(999))
      expect([yield* one.wasInterrupted, yield* other.wasInterrupted]).toEqual([false, false])
      yield* TestClock.adjust(Duration.millis(1))
      expect(yield* Fiber.join(fiber)).toEqual(Exit.fail("late"))
      expect([yield* one.wasInterrupted, yield* other.wasInterrupted]).toEqual([true, true])
    })
  )

  it.effect("are what they are within their limit", () =>
    Effect.gen(function* () {
      const limit = { duration: "2 seconds", late: () => "late" } as const
      const soon = Effect.delay(Effect.succeed(1), "1 second")
      const fiber = yield* Effect.fork(both(soon, Effect.succeed(2), limit))
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(fiber)).toEqual([1, 2])
      expect(yield* Effect.exit(both(Effect.fail("no"), Effect.never, limit))).toEqual(Exit.fail("no"))
    })
  )

  it.effect("keep what they set for their fiber to themselves", () =>
    Effect.gen(function* () {
      const ref = yield* FiberRef.make("before")
      yield* both(FiberRef.set(ref, "after"), Effect.void)
      expect(yield* FiberRef.get(ref)).toBe("before")
    }).pipe(Effect.scoped)
  )
})

describe("an effect with a limit", () => {
  it.effect("is what it is, in time", () =>
    Effect.gen(function* () {
      expect(yield* within(Effect.succeed(1), "1 second", Effect.succeed(2))).toBe(1)
      expect(yield* Effect.exit(within(Effect.fail("no"), "1 second", Effect.void))).toEqual(Exit.fail("no"))
      expect(yield* Effect.exit(within(Effect.die("bug"), "1 second", Effect.void))).toEqual(Exit.die("bug"))
    })
  )

  it.effect("is interrupted when it takes longer, and its successor decides", () =>
    Effect.gen(function* () {
      const work = yield* endless
      const fiber = yield* Effect.fork(within(work.wait, "1 second", Effect.succeed("late")))
      yield* TestClock.adjust(Duration.millis(999))
      expect(yield* work.wasInterrupted).toBe(false)
      yield* TestClock.adjust(Duration.millis(1))
      expect(yield* Fiber.join(fiber)).toBe("late")
      expect(yield* work.wasInterrupted).toBe(true)
    })
  )

  it.effect("is interrupted with whoever waits for it", () =>
    Effect.gen(function* () {
      const work = yield* endless
      const fiber = yield* Effect.fork(within(work.wait, "1 second", Effect.void))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      expect(yield* work.wasInterrupted).toBe(true)
    })
  )
})
