import { describe, expect, it } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Exit, TestClock } from "effect"
import { UnknownToken } from "../../src/domain/errors.ts"
import type { TokenRef } from "../../src/domain/token.ts"
import { good, MINT, OTHER, result, screeningOf, TOKEN } from "../support/screening/screenings.ts"
import { NOW } from "../support/now.ts"
import type { Answer } from "../support/screening/one-plan.ts"
import { answered, down, gated, settle, withPlan } from "../support/screening/one-plan.ts"

/** A plan that never learns what is critical. */
const incomplete: Answer = (token) =>
  Effect.succeed(screeningOf({ token, signals: [good, result({ critical: true, state: "unknown" })] }))

describe("cache", () => {
  it.scoped("keeps a screening for its time, under its old fetchedAt, and not longer", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(answered)
      yield* screener.screen(TOKEN)
      yield* TestClock.adjust("59 seconds")
      const second = yield* screener.screen(TOKEN)
      expect(second).toEqual({ screening: screeningOf(), cacheHit: true })
      yield* TestClock.adjust("1 second")
      expect((yield* screener.screen(TOKEN)).cacheHit).toBe(false)
      expect(runs).toHaveLength(2)
    })
  )

  it.scoped("gives nothing that was read before the clock was set back, nor that a token is unknown", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { screener, runs } = yield* withPlan((token) =>
        token.address === TOKEN.address ? answered(token) : Effect.fail(new UnknownToken({ token }))
      )
      yield* screener.screen(TOKEN)
      yield* Effect.flip(screener.screen(OTHER))
      yield* TestClock.setTime(NOW - 3_600_000)
      expect(screener.known(TOKEN, NOW - 3_600_000)).toBeUndefined()
      expect((yield* screener.screen(TOKEN)).cacheHit).toBe(false)
      yield* Effect.flip(screener.screen(OTHER))
      expect(runs).toHaveLength(4)
    })
  )

  it.scoped("is made anew before its time is over for a token that many ask for, who never wait", () =>
    Effect.gen(function* () {
      const { gate, answer } = yield* gated
      let looks = 0
      const { runs, screener } = yield* withPlan((token) =>
        (looks += 1) === 1 ? answered(token) : answer(token)
      )
      yield* Effect.repeatN(screener.screen(TOKEN), 5)
      yield* TestClock.adjust("46 seconds")
      const asked = yield* Effect.all(Array.from({ length: 20 }, () => screener.screen(TOKEN)))
      expect(asked.every(({ cacheHit }) => cacheHit)).toBe(true)
      yield* settle
      expect(runs).toEqual(["base", "base"])
      yield* Deferred.succeed(gate, undefined)
      yield* settle
      yield* TestClock.adjust("20 seconds")
      expect((yield* screener.screen(TOKEN)).cacheHit).toBe(true)
      expect(runs).toEqual(["base", "base"])
    })
  )

  it.scoped("of a token that is gone at the second look does not answer any more", () =>
    Effect.gen(function* () {
      let looks = 0
      const { screener } = yield* withPlan((token) =>
        (looks += 1) === 1 ? answered(token) : Effect.fail(new UnknownToken({ token }))
      )
      yield* Effect.repeatN(screener.screen(TOKEN), 5)
      yield* TestClock.adjust("50 seconds")
      yield* screener.screen(TOKEN)
      yield* settle
      const exit = yield* Effect.exit(screener.screen(TOKEN))
      expect(exit).toEqual(Exit.fail(new UnknownToken({ token: TOKEN })))
    })
  )

  it.scoped("keeps tokens apart", () =>
    Effect.gen(function* () {
      const { screener } = yield* withPlan(answered)
      yield* screener.screen(TOKEN)
      expect((yield* screener.screen(MINT)).screening.token).toEqual(MINT)
    })
  )

  it.scoped("never keeps a failure", () =>
    Effect.gen(function* () {
      let isDown = true
      const { screener } = yield* withPlan((token) => (isDown ? Effect.fail(down) : answered(token)))
      expect(yield* Effect.flip(screener.screen(TOKEN))).toEqual(down)
      isDown = false
      expect((yield* screener.screen(TOKEN)).cacheHit).toBe(false)
    })
  )

  it.scoped("keeps an unknown token for three seconds only: it may get its first pool any moment", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan((token) => Effect.fail(new UnknownToken({ token })))
      const ask = Effect.flip(screener.screen(TOKEN))
      for (let time = 0; time < 3; time++) expect((yield* ask)._tag).toBe("UnknownToken")
      expect(runs).toHaveLength(1)
      yield* TestClock.adjust("3 seconds")
      expect((yield* ask)._tag).toBe("UnknownToken")
      expect(runs).toHaveLength(2)
    })
  )

  it.scoped("keeps an answer with a critical gap for three seconds, for all who ask meanwhile", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(incomplete)
      yield* screener.screen(TOKEN)
      yield* TestClock.adjust("2 seconds")
      const crowd = yield* Effect.all(Array.from({ length: 20 }, () => screener.screen(TOKEN)))
      expect(crowd.every(({ cacheHit }) => cacheHit)).toBe(true)
      expect(runs).toHaveLength(1)
      yield* TestClock.adjust("1 second")
      expect((yield* screener.screen(TOKEN)).cacheHit).toBe(false)
    })
  )

  it.scoped("keeps a gap that does not close twice as long each time, 30 seconds at most", () =>
    Effect.gen(function* () {
      const { screener } = yield* withPlan(incomplete, { cacheTtl: Duration.hours(1) })
      yield* screener.screen(TOKEN)
      for (const seconds of [3, 6, 12, 24, 30, 30]) {
        yield* TestClock.adjust(Duration.seconds(seconds - 1))
        expect(screener.known(TOKEN, yield* Clock.currentTimeMillis)).toBeDefined()
        yield* TestClock.adjust("1 second")
        expect((yield* screener.screen(TOKEN)).cacheHit).toBe(false)
      }
    })
  )

  it.scoped("keeps a gap for three seconds again after a whole answer, and a minute after the last gap", () =>
    Effect.gen(function* () {
      let isWhole = false
      const { screener } = yield* withPlan((token) => (isWhole ? answered(token) : incomplete(token)))
      const screenAfter = (seconds: number) =>
        Effect.zipRight(TestClock.adjust(Duration.seconds(seconds)), screener.screen(TOKEN))
      yield* screenAfter(0)
      yield* screenAfter(3)
      isWhole = true
      yield* screenAfter(6)
      isWhole = false
      yield* screenAfter(60)
      expect((yield* screenAfter(3)).cacheHit).toBe(false)
      expect((yield* screenAfter(6 + 60)).cacheHit).toBe(false)
      expect((yield* screenAfter(3)).cacheHit).toBe(false)
    })
  )

  it.scoped("never keeps a gap longer than a whole answer", () =>
    Effect.gen(function* () {
      const { screener } = yield* withPlan(incomplete, { cacheTtl: Duration.seconds(2) })
      yield* screener.screen(TOKEN)
      yield* TestClock.adjust("2 seconds")
      expect((yield* screener.screen(TOKEN)).cacheHit).toBe(false)
    })
  )

  it.scoped("drops what was not asked for longest when it is full", () =>
    Effect.gen(function* () {
      const { screener } = yield* withPlan(answered, { cacheCapacity: 2 })
      const isCached = (token: TokenRef) => Effect.map(screener.screen(token), ({ cacheHit }) => cacheHit)
      yield* screener.screen(TOKEN)
      yield* screener.screen(MINT)
      expect(yield* isCached(TOKEN)).toBe(true)
      yield* screener.screen(OTHER)
      expect(yield* isCached(TOKEN)).toBe(true)
      expect(yield* isCached(OTHER)).toBe(true)
      expect(yield* isCached(MINT)).toBe(false)
    })
  )

  it.scoped("keeps nothing when its time is zero", () =>
    Effect.gen(function* () {
      const { screener, runs } = yield* withPlan(answered, { cacheTtl: Duration.zero })
      yield* Effect.repeatN(screener.screen(TOKEN), 2)
      expect(runs).toHaveLength(3)
    })
  )
})
