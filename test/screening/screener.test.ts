import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Duration, Effect, Exit, Fiber, Layer, Scope, TestClock } from "effect"
import { ScreeningUnavailable, UnknownToken } from "../../src/domain/errors.ts"
import type { Depth, Screening } from "../../src/domain/screening.ts"
import type { TokenRef } from "../../src/domain/token.ts"
import { BasePlan, Screener, type ScreeningError, SolanaPlan } from "../../src/screening/screener.ts"
import { screenerConfig, type ScreenerSettings } from "../../src/screening/screener-config.ts"
import { makeScreener, ScreenerLive } from "../../src/screening/screener-live.ts"
import { good, MINT, result, screeningOf, TOKEN } from "../support/screening/screenings.ts"

const settings: ScreenerSettings = {
  cacheTtl: Duration.seconds(60),
  cacheCapacity: 100,
  timeout: Duration.seconds(12),
  concurrency: 4
}

type Answer = (token: TokenRef, depth: Depth) => Effect.Effect<Screening, ScreeningError>

const answered: Answer = (token, depth) => Effect.succeed(screeningOf({ token, depth }))

/** A screener over one plan for both chains, and the runs the plan was asked for. */
const withPlan = (answer: Answer, over: Partial<ScreenerSettings> = {}) =>
  Effect.gen(function* () {
    const runs: Array<string> = []
    const plan = {
      screen: (token: TokenRef, depth: Depth) =>
        Effect.suspend(() => {
          runs.push(`${depth} ${token.chain}`)
          return answer(token, depth)
        })
    }
    const screener = yield* makeScreener({ base: plan, solana: plan }, { ...settings, ...over })
    return { screener, runs }
  })

/** A plan that answers when the gate opens. */
const gated = Effect.gen(function* () {
  const gate = yield* Deferred.make<void, ScreeningError>()
  const answer: Answer = (token, depth) => Effect.zipRight(Deferred.await(gate), answered(token, depth))
  return { gate, answer }
})

const settle = Effect.repeatN(Effect.yieldNow(), 20)
const down = new ScreeningUnavailable({ upstream: "base-rpc" })

describe("single flight", () => {
  it.scoped("runs the plan once for everybody who asks meanwhile", () =>
    Effect.gen(function* () {
      const { gate, answer } = yield* gated
      const { screener, runs } = yield* withPlan(answer)
      const callers = yield* Effect.forkAll(
        Array.from({ length: 1_000 }, () => screener.screen(TOKEN, "deep"))
      )
      yield* settle
      yield* Deferred.succeed(gate, undefined)
      const answers = yield* Fiber.join(callers)
      expect(runs).toEqual(["deep base"])
      expect(answers.map(({ cacheHit }) => cacheHit)).toEqual(answers.map(() => false))
    })
  )

  it.scoped("lets pings join a deep screening, and never the other way round", () =>
    Effect.gen(function* () {
      const { gate, answer } = yield* gated
      const { screener, runs } = yield* withPlan(answer)
      const ping = yield* Effect.fork(screener.screen(MINT, "ping"))
      yield* settle
      const deep = yield* Effect.fork(screener.screen(MINT, "deep"))
      const other = yield* Effect.fork(screener.screen(TOKEN, "deep"))
      yield* settle
      const late = yield* Effect.fork(screener.screen(TOKEN, "ping"))
      yield* settle
      yield* Deferred.succeed(gate, undefined)
      const depths = yield* Effect.forEach([ping, deep, other, late], (fiber) =>
        Effect.map(Fiber.join(fiber), ({ screening }) => screening.depth)
      )
      expect(runs).toEqual(["ping solana", "deep solana", "deep base"])
      expect(depths).toEqual(["ping", "deep", "deep", "deep"])
    })
  )

  it.scoped("goes on for the followers when the leader leaves", () =>
    Effect.gen(function* () {
      const { gate, answer } = yield* gated
      const { screener, runs } = yield* withPlan(answer)
      const leader = yield* Effect.fork(screener.screen(TOKEN, "deep"))
      yield* settle
      const follower = yield* Effect.fork(screener.screen(TOKEN, "deep"))
      yield* settle
      yield* Fiber.interrupt(leader)
      yield* Deferred.succeed(gate, undefined)
      expect((yield* Fiber.join(follower)).screening.depth).toBe("deep")
      expect(runs).toHaveLength(1)
    })
  )

  it.scoped("finishes into the cache when everybody leaves", () =>
    Effect.gen(function* () {
      const { gate, answer } = yield* gated
      const { screener, runs } = yield* withPlan(answer)
      const leader = yield* Effect.fork(screener.screen(TOKEN, "deep"))
      yield* settle
      yield* Fiber.interrupt(leader)
      yield* Deferred.succeed(gate, undefined)
      yield* settle
      expect((yield* screener.screen(TOKEN, "deep")).cacheHit).toBe(true)
      expect(runs).toHaveLength(1)
    })
  )

  it.scoped("shares a failure with the followers and asks anew after it", () =>
    Effect.gen(function* () {
      const { gate, answer } = yield* gated
      const { screener, runs } = yield* withPlan(answer)
      const callers = yield* Effect.forEach([1, 2, 3], () => Effect.fork(screener.screen(TOKEN, "deep")))
      yield* settle
      yield* Deferred.fail(gate, down)
      const errors = yield* Effect.forEach(callers, (fiber) => Effect.flip(Fiber.join(fiber)))
      expect(errors).toEqual([down, down, down])
      yield* Effect.exit(screener.screen(TOKEN, "deep"))
      expect(runs).toHaveLength(2)
    })
  )

  it.scoped("a plan that dies kills its callers and nothing else", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(() => Effect.die("bug"))
      expect(Exit.isFailure(yield* Effect.exit(screener.screen(TOKEN, "deep")))).toBe(true)
      expect(Exit.isFailure(yield* Effect.exit(screener.screen(TOKEN, "deep")))).toBe(true)
      expect(runs).toHaveLength(2)
    })
  )
})

describe("cache", () => {
  it.scoped("keeps a screening for its time, under its old fetchedAt, and not longer", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(answered)
      yield* screener.screen(TOKEN, "deep")
      yield* TestClock.adjust("59 seconds")
      const second = yield* screener.screen(TOKEN, "deep")
      expect(second).toEqual({ screening: screeningOf(), cacheHit: true })
      yield* TestClock.adjust("1 second")
      expect((yield* screener.screen(TOKEN, "deep")).cacheHit).toBe(false)
      expect(runs).toHaveLength(2)
    })
  )

  it.scoped("serves pings from deep, never deep from pings", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(answered)
      yield* screener.screen(TOKEN, "ping")
      const deep = yield* screener.screen(TOKEN, "deep")
      const ping = yield* screener.screen(TOKEN, "ping")
      expect(runs).toEqual(["ping base", "deep base"])
      expect([deep.cacheHit, deep.screening.depth]).toEqual([false, "deep"])
      expect([ping.cacheHit, ping.screening.depth]).toEqual([true, "deep"])
    })
  )

  it.scoped("is made anew before its time is over for a token that many ask for, who never wait", () =>
    Effect.gen(function* () {
      const { gate, answer } = yield* gated
      let looks = 0
      const { runs, screener } = yield* withPlan((token, depth) =>
        (looks += 1) === 1 ? answered(token, depth) : answer(token, depth)
      )
      yield* Effect.repeatN(screener.screen(TOKEN, "deep"), 5)
      yield* TestClock.adjust("46 seconds")
      const asked = yield* Effect.all(Array.from({ length: 20 }, () => screener.screen(TOKEN, "ping")))
      expect(asked.every(({ cacheHit }) => cacheHit)).toBe(true)
      yield* settle
      expect(runs).toEqual(["deep base", "deep base"])
      yield* Deferred.succeed(gate, undefined)
      yield* settle
      yield* TestClock.adjust("20 seconds")
      expect((yield* screener.screen(TOKEN, "deep")).cacheHit).toBe(true)
      expect(runs).toEqual(["deep base", "deep base"])
    })
  )

  it.scoped("of a token that is gone at the second look does not answer any more", () =>
    Effect.gen(function* () {
      let looks = 0
      const { screener } = yield* withPlan((token, depth) =>
        (looks += 1) === 1 ? answered(token, depth) : Effect.fail(new UnknownToken({ token }))
      )
      yield* Effect.repeatN(screener.screen(TOKEN, "deep"), 5)
      yield* TestClock.adjust("50 seconds")
      yield* screener.screen(TOKEN, "deep")
      yield* settle
      const exit = yield* Effect.exit(screener.screen(TOKEN, "deep"))
      expect(exit).toEqual(Exit.fail(new UnknownToken({ token: TOKEN })))
    })
  )

  it.scoped("keeps tokens apart", () =>
    Effect.gen(function* () {
      const { screener } = yield* withPlan(answered)
      yield* screener.screen(TOKEN, "deep")
      expect((yield* screener.screen(MINT, "deep")).screening.token).toEqual(MINT)
    })
  )

  it.scoped("never keeps a failure", () =>
    Effect.gen(function* () {
      let isDown = true
      const { screener } = yield* withPlan((token, depth) =>
        isDown ? Effect.fail(down) : answered(token, depth)
      )
      expect(yield* Effect.flip(screener.screen(TOKEN, "deep"))).toEqual(down)
      isDown = false
      expect((yield* screener.screen(TOKEN, "deep")).cacheHit).toBe(false)
    })
  )

  it.scoped("keeps an unknown token for three seconds only: it may get its first pool any moment", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan((token) => Effect.fail(new UnknownToken({ token })))
      const ask = Effect.flip(screener.screen(TOKEN, "deep"))
      for (let time = 0; time < 3; time++) expect((yield* ask)._tag).toBe("UnknownToken")
      expect(runs).toHaveLength(1)
      yield* TestClock.adjust("3 seconds")
      expect((yield* ask)._tag).toBe("UnknownToken")
      expect(runs).toHaveLength(2)
    })
  )

  it.scoped("keeps an answer with a critical gap for 30 seconds at most", () =>
    Effect.gen(function* () {
      const gap = result({ critical: true, state: "unknown" })
      const { screener } = yield* withPlan((token, depth) =>
        Effect.succeed(screeningOf({ token, depth, signals: [good, gap] }))
      )
      yield* screener.screen(TOKEN, "deep")
      yield* TestClock.adjust("29 seconds")
      expect((yield* screener.screen(TOKEN, "deep")).cacheHit).toBe(true)
      yield* TestClock.adjust("1 second")
      expect((yield* screener.screen(TOKEN, "deep")).cacheHit).toBe(false)
    })
  )

  it.scoped("never keeps a gap longer than a whole answer", () =>
    Effect.gen(function* () {
      const gap = result({ critical: true, state: "unknown" })
      const { screener } = yield* withPlan(
        (token, depth) => Effect.succeed(screeningOf({ token, depth, signals: [gap] })),
        { cacheTtl: Duration.seconds(5) }
      )
      yield* screener.screen(TOKEN, "deep")
      yield* TestClock.adjust("5 seconds")
      expect((yield* screener.screen(TOKEN, "deep")).cacheHit).toBe(false)
    })
  )

  it.scoped("drops what was not asked for longest when it is full", () =>
    Effect.gen(function* () {
      const { screener } = yield* withPlan(answered, { cacheCapacity: 2 })
      const isCached = (token: TokenRef, depth: Depth) =>
        Effect.map(screener.screen(token, depth), ({ cacheHit }) => cacheHit)
      yield* screener.screen(TOKEN, "ping")
      yield* screener.screen(MINT, "ping")
      expect(yield* isCached(TOKEN, "ping")).toBe(true)
      yield* screener.screen(MINT, "deep")
      expect(yield* isCached(TOKEN, "ping")).toBe(true)
      expect(yield* isCached(MINT, "deep")).toBe(true)
    })
  )

  it.scoped("keeps nothing when its time is zero", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(answered, { cacheTtl: Duration.zero })
      yield* Effect.repeatN(screener.screen(TOKEN, "deep"), 2)
      expect(runs).toHaveLength(3)
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
      const caller = yield* Effect.fork(Effect.flip(screener.screen(TOKEN, "deep")))
      yield* settle
      yield* TestClock.adjust("12 seconds")
      expect(yield* Fiber.join(caller)).toEqual(down)
      expect(isCut).toBe(true)
    })
  )

  it.scoped("the time-out also cuts for a caller that cannot be interrupted", () =>
    Effect.gen(function* () {
      const { screener } = yield* withPlan(() => Effect.never)
      const caller = yield* Effect.fork(Effect.uninterruptible(Effect.flip(screener.screen(MINT, "deep"))))
      yield* settle
      yield* TestClock.adjust("12 seconds")
      expect(yield* Fiber.join(caller)).toEqual(new ScreeningUnavailable({ upstream: "solana-rpc" }))
    })
  )

  it.scoped("runs no more screenings at once than it may, and waiting counts towards the time-out", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(() => Effect.never, { concurrency: 1 })
      const first = yield* Effect.fork(Effect.exit(screener.screen(TOKEN, "deep")))
      yield* settle
      const second = yield* Effect.fork(Effect.flip(screener.screen(MINT, "deep")))
      yield* settle
      expect(runs).toEqual(["deep base"])
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
      const caller = yield* Effect.fork(Effect.flip(screener.screen(TOKEN, "deep")))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(caller)).toEqual(down)
      expect(yield* Effect.flip(screener.screen(MINT, "deep"))).toEqual(
        new ScreeningUnavailable({ upstream: "solana-rpc" })
      )
    })
  )
})

describe("configuration", () => {
  const read = (env: Record<string, string>) =>
    Effect.withConfigProvider(screenerConfig, ConfigProvider.fromMap(new Map(Object.entries(env))))

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
      const { screening } = yield* Effect.flatMap(Screener, (screener) => screener.screen(MINT, "ping"))
      expect(screening.pairs).toBe(7)
    }).pipe(
      Effect.provide(
        ScreenerLive.pipe(
          Layer.provide(Layer.succeed(BasePlan, { screen: () => Effect.die("not asked") })),
          Layer.provide(
            Layer.succeed(SolanaPlan, {
              screen: (token, depth) => Effect.succeed(screeningOf({ token, depth, pairs: 7 }))
            })
          )
        )
      ),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
    )
  )
})
