import { SqlError } from "@effect/sql/SqlError"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { narrowSql } from "../../src/storage/sql-errors.ts"

/** How often a statement was begun that always fails like this, each time after so many milliseconds; and the error. */
const begun = (code: string, millis: number) =>
  Effect.gen(function* () {
    let times = 0
    const statement = Effect.suspend(() => {
      times += 1
      return Effect.delay(new SqlError({ cause: { code }, message: "no" }), millis)
    })
    const running = yield* Effect.fork(Effect.flip(narrowSql(statement)))
    for (let passed = 0; passed < 60; passed++) yield* TestClock.adjust("1 second")
    const { kind, upstream } = yield* Fiber.join(running)
    return { times, kind, upstream }
  })

describe("a statement that another process keeps from running", () => {
  it.effect("is begun again where it was told so at once", () =>
    Effect.gen(function* () {
      const outage = { kind: "timeout", upstream: "database" }
      expect(yield* begun("SQLITE_BUSY", 1)).toEqual({ times: 15, ...outage })
      expect(yield* begun("40001", 1)).toEqual({ times: 15, ...outage })
    })
  )

  it.effect("is an outage where it has waited already: a caller hears of it in seconds", () =>
    Effect.gen(function* () {
      expect(yield* begun("55P03", 5_000)).toMatchObject({ times: 1, kind: "timeout" })
      expect((yield* begun("40P01", 1_000)).times).toBeLessThan(8)
    })
  )

  it.effect("is not begun again after any other failure", () =>
    Effect.gen(function* () {
      expect(yield* begun("SQLITE_FULL", 1)).toMatchObject({ times: 1, kind: "transport" })
      expect(yield* begun("57014", 10_000)).toMatchObject({ times: 1 })
    })
  )
})
