import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { makeCircuitBreaker } from "../../src/market/circuit-breaker.ts"
import { NOW } from "../support/now.ts"

type Trouble = "down" | "your fault" | "open"

const makeBreaker = makeCircuitBreaker<Trouble>({
  threshold: 3,
  cooldownMillis: 1_000,
  isFailure: (error) => error === "down",
  whenOpen: () => "open"
})

const down: Effect.Effect<string, Trouble> = Effect.fail("down")
const up: Effect.Effect<string, Trouble> = Effect.succeed("up")

const opened = Effect.gen(function* () {
  const breaker = yield* makeBreaker
  yield* Effect.repeatN(Effect.exit(breaker.protect(down)), 2)
  return breaker
})

const outcome = (effect: Effect.Effect<string, Trouble>) => Effect.merge(effect)

describe("circuit breaker", () => {
  it.effect("opens after enough failures in a row, and then asks no more", () =>
    Effect.gen(function* () {
      const breaker = yield* opened
      let asked = 0
      const counting = Effect.zipRight(
        Effect.sync(() => (asked += 1)),
        up
      )
      expect(yield* outcome(breaker.protect(counting))).toBe("open")
      expect(asked).toBe(0)
    })
  )

  it.effect("a success in between starts the count anew", () =>
    Effect.gen(function* () {
      const breaker = yield* makeBreaker
      for (const call of [down, down, up, down, down]) yield* Effect.exit(breaker.protect(call))
      expect(yield* outcome(breaker.protect(up))).toBe("up")
    })
  )

  it.effect("an error that is the caller's fault shows that the upstream lives", () =>
    Effect.gen(function* () {
      const breaker = yield* makeBreaker
      for (const call of [down, down, Effect.fail("your fault" as const), down, down]) {
        yield* Effect.exit(breaker.protect(call))
      }
      expect(yield* outcome(breaker.protect(up))).toBe("up")
    })
  )

  it.effect("lets a single probe through after the cool-down, and closes when it succeeds", () =>
    Effect.gen(function* () {
      const breaker = yield* opened
      yield* TestClock.adjust(1_000)
      const gate = yield* Deferred.make<string, Trouble>()
      const probe = yield* Effect.fork(breaker.protect(Deferred.await(gate)))
      yield* Effect.yieldNow()
      expect(yield* outcome(breaker.protect(up))).toBe("open")
      yield* Deferred.succeed(gate, "up")
      expect(yield* Fiber.join(probe)).toBe("up")
      expect(yield* outcome(breaker.protect(up))).toBe("up")
    })
  )

  it.effect("a failed probe opens it again for a whole cool-down", () =>
    Effect.gen(function* () {
      const breaker = yield* opened
      yield* TestClock.adjust(1_000)
      expect(yield* outcome(breaker.protect(down))).toBe("down")
      yield* TestClock.adjust(999)
      expect(yield* outcome(breaker.protect(up))).toBe("open")
      yield* TestClock.adjust(1)
      expect(yield* outcome(breaker.protect(up))).toBe("up")
    })
  )

  it.effect("a clock that is set back leaves it open for no longer", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const breaker = yield* opened
      yield* TestClock.setTime(NOW - 3_600_000)
      expect(yield* outcome(breaker.protect(up))).toBe("up")
    })
  )

  it.effect("an interrupted probe leaves room for the next", () =>
    Effect.gen(function* () {
      const breaker = yield* opened
      yield* TestClock.adjust(1_000)
      const probe = yield* Effect.fork(breaker.protect(Effect.never))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(probe)
      expect(yield* outcome(breaker.protect(up))).toBe("up")
    })
  )

  it.effect("interrupted calls are not failures", () =>
    Effect.gen(function* () {
      const breaker = yield* makeBreaker
      for (let call = 0; call < 5; call++) {
        const fiber = yield* Effect.fork(breaker.protect(Effect.never))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(fiber)
      }
      expect(yield* outcome(breaker.protect(up))).toBe("up")
    })
  )
})
