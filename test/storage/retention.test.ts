import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { retained } from "../../src/storage/retention.ts"

describe("a purge that is run again and again", () => {
  it.scoped("is run again after one that failed, and after one that died", () =>
    Effect.gen(function* () {
      let runs = 0
      const purge = Effect.suspend(() => {
        runs += 1
        if (runs === 1) return Effect.fail("the database is away")
        return runs === 2 ? Effect.dieMessage("nobody foresaw this") : Effect.succeed(0)
      })
      yield* retained("a test", "1 hour", purge)
      yield* TestClock.adjust("3 hours")
      expect(runs).toBe(4)
    })
  )
})
