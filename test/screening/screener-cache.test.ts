import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, TestClock } from "effect"
import { UnknownToken } from "../../src/domain/errors.ts"
import type { Depth } from "../../src/domain/screening.ts"
import type { TokenRef } from "../../src/domain/token.ts"
import { good, MINT, result, screeningOf, TOKEN } from "../support/screening/screenings.ts"
import { answered, down, gated, settle, withPlan } from "../support/screening/one-plan.ts"

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

  it.scoped("never gives a ping an older look once a deep one has told what is", () =>
    Effect.gen(function* () {
      for (const end of ["gone", "doubtful"] as const) {
        const { gate, answer } = yield* gated
        const { runs, screener } = yield* withPlan((token, depth) => {
          if (depth === "ping") return answer(token, depth)
          return end === "gone"
            ? Effect.fail(new UnknownToken({ token }))
            : Effect.succeed(screeningOf({ token, depth, signals: [{ ...good, state: "unknown" }] }))
        })
        const early = yield* Effect.fork(screener.screen(TOKEN, "ping"))
        yield* settle
        yield* Effect.exit(screener.screen(TOKEN, "deep"))
        yield* TestClock.adjust("4 seconds")
        const late = yield* Effect.fork(screener.screen(TOKEN, "ping"))
        yield* settle
        expect(runs.filter((run) => run.startsWith("ping"))).toHaveLength(end === "gone" ? 2 : 1)
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.await(late)
        // Whoever asked before gets what was seen before, and nobody later.
        expect((yield* Fiber.join(early)).cacheHit).toBe(false)
        if (end === "gone") continue
        yield* TestClock.adjust("31 seconds")
        expect((yield* screener.screen(TOKEN, "ping")).cacheHit).toBe(false)
      }
    })
  )

  it.scoped("forgets a ping's look when a deep one is there, which may be kept for less long", () =>
    Effect.gen(function* () {
      const { screener } = yield* withPlan((token, depth) =>
        Effect.succeed(
          screeningOf({ token, depth, ...(depth === "deep" && { signals: [{ ...good, state: "unknown" }] }) })
        )
      )
      yield* screener.screen(TOKEN, "ping")
      yield* screener.screen(TOKEN, "deep")
      yield* TestClock.adjust("31 seconds")
      expect((yield* screener.screen(TOKEN, "ping")).cacheHit).toBe(false)
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
