import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Duration, Effect, Exit, Fiber, Layer, Scope, TestClock } from "effect"
import { ScreeningUnavailable } from "../../src/domain/errors.ts"
import { BasePlan, Screener, SolanaPlan } from "../../src/screening/screener.ts"
import { screenerConfig } from "../../src/screening/screener-config.ts"
import { ScreenerLive } from "../../src/screening/screener-live.ts"
import { MINT, screeningOf, TOKEN } from "../support/screening/screenings.ts"
import { down, settle, withGate, withPlan } from "../support/screening/one-plan.ts"
import { readConfig } from "../support/config.ts"

/** Asks, and lets what can go on without time do so. */
const asking = <A, E>(screening: Effect.Effect<A, E>) => Effect.zipLeft(Effect.fork(screening), settle)

describe("single flight", () => {
  it.scoped("runs the plan once for everybody who asks meanwhile", () =>
    Effect.gen(function* () {
      const { gate, screener, runs } = yield* withGate
      const callers = yield* Effect.forkAll(Array.from({ length: 1_000 }, () => screener.screen(TOKEN)))
      yield* settle
      yield* Deferred.succeed(gate, undefined)
      const answers = yield* Fiber.join(callers)
      expect(runs).toEqual(["base"])
      expect(answers.map(({ cacheHit }) => cacheHit)).toEqual(answers.map(() => false))
    })
  )

  it.scoped("goes on for the followers when the leader leaves", () =>
    Effect.gen(function* () {
      const { gate, screener, runs } = yield* withGate
      const leader = yield* asking(screener.screen(TOKEN))
      const follower = yield* asking(screener.screen(TOKEN))
      yield* Fiber.interrupt(leader)
      yield* Deferred.succeed(gate, undefined)
      expect((yield* Fiber.join(follower)).screening.token).toEqual(TOKEN)
      expect(runs).toHaveLength(1)
    })
  )

  it.scoped("finishes into the cache when everybody leaves", () =>
    Effect.gen(function* () {
      const { gate, screener, runs } = yield* withGate
      const leader = yield* asking(screener.screen(TOKEN))
      yield* Fiber.interrupt(leader)
      yield* Deferred.succeed(gate, undefined)
      yield* settle
      expect((yield* screener.screen(TOKEN)).cacheHit).toBe(true)
      expect(runs).toHaveLength(1)
    })
  )

  it.scoped("shares a failure with the followers and asks anew after it", () =>
    Effect.gen(function* () {
      const { gate, screener, runs } = yield* withGate
      const callers = yield* Effect.forEach([1, 2, 3], () => Effect.fork(screener.screen(TOKEN)))
      yield* settle
      yield* Deferred.fail(gate, down)
      const errors = yield* Effect.forEach(callers, (fiber) => Effect.flip(Fiber.join(fiber)))
      expect(errors).toEqual([down, down, down])
      yield* Effect.exit(screener.screen(TOKEN))
      expect(runs).toHaveLength(2)
    })
  )

  it.scoped("a plan that dies kills its callers and nothing else", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(() => Effect.die("bug"))
      expect(Exit.isFailure(yield* Effect.exit(screener.screen(TOKEN)))).toBe(true)
      expect(Exit.isFailure(yield* Effect.exit(screener.screen(TOKEN)))).toBe(true)
      expect(runs).toHaveLength(2)
    })
  )
})

describe("limits", () => {
  it.scoped("gives up after the time-out and cuts the plan", () =>
    Effect.gen(function* () {
      let isCut = false
      const { screener } = yield* withPlan(() =>
        Effect.onInterrupt(Effect.never, () => Effect.sync(() => (isCut = true)))
      )
      const caller = yield* Effect.fork(Effect.flip(screener.screen(TOKEN)))
      yield* settle
      yield* TestClock.adjust("12 seconds")
      expect(yield* Fiber.join(caller)).toEqual(down)
      expect(isCut).toBe(true)
    })
  )

  it.scoped("the time-out also cuts for a caller that cannot be interrupted", () =>
    Effect.gen(function* () {
      const { screener } = yield* withPlan(() => Effect.never)
      const caller = yield* Effect.fork(Effect.uninterruptible(Effect.flip(screener.screen(MINT))))
      yield* settle
      yield* TestClock.adjust("12 seconds")
      expect(yield* Fiber.join(caller)).toEqual(new ScreeningUnavailable({ upstream: "solana-rpc" }))
    })
  )

  it.scoped("runs no more screenings at once than it may, and waiting counts towards the time-out", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(() => Effect.never, { concurrency: 1 })
      const first = yield* Effect.fork(Effect.exit(screener.screen(TOKEN)))
      yield* settle
      const second = yield* Effect.fork(Effect.flip(screener.screen(MINT)))
      yield* settle
      expect(runs).toEqual(["base"])
      yield* TestClock.adjust("12 seconds")
      expect(yield* Fiber.join(second)).toEqual(new ScreeningUnavailable({ upstream: "solana-rpc" }))
      yield* Fiber.join(first)
    })
  )

  it.effect("answers 'unavailable', not silence, to those who wait when the service stops", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { screener } = yield* Scope.extend(
        withPlan(() => Effect.never),
        scope
      )
      const caller = yield* Effect.fork(Effect.flip(screener.screen(TOKEN)))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(caller)).toEqual(down)
      expect(yield* Effect.flip(screener.screen(MINT))).toEqual(
        new ScreeningUnavailable({ upstream: "solana-rpc" })
      )
    })
  )
})

describe("configuration", () => {
  const read = readConfig(screenerConfig)

  it.effect("has the documented defaults", () =>
    Effect.gen(function* () {
      expect(yield* read({})).toEqual({
        cacheTtl: Duration.seconds(30),
        cacheCapacity: 2_000,
        timeout: Duration.seconds(12),
        concurrency: 32
      })
    })
  )

  it.effect.each([{ CACHE_TTL: "soon" }, { CACHE_CAPACITY: "0" }, { SCREENING_CONCURRENCY: "1.5" }])(
    "refuses %j",
    (env) =>
      Effect.gen(function* () {
        expect(Exit.isFailure(yield* Effect.exit(read(env)))).toBe(true)
      })
  )

  it.effect("is a layer over the two plans", () =>
    Effect.gen(function* () {
      const { screening } = yield* Effect.flatMap(Screener, (screener) => screener.screen(MINT))
      expect(screening.pairs).toBe(7)
    }).pipe(
      Effect.provide(
        ScreenerLive.pipe(
          Layer.provide(Layer.succeed(BasePlan, { screen: () => Effect.die("not asked") })),
          Layer.provide(
            Layer.succeed(SolanaPlan, {
              screen: (token) => Effect.succeed(screeningOf({ token, pairs: 7 }))
            })
          )
        )
      ),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
    )
  )
})
