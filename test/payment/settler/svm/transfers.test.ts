import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { makeTransfers } from "../../../../src/payment/settler/svm/transfers.ts"
import { memoryDatabase } from "../../../support/storage/memory-database.ts"
import { NOW } from "../../../support/now.ts"

const AGE = 2_000

describe("a stored transfer", () => {
  it.effect("is sent by who stored it first, and then by one at a time, also when a clock ran ahead", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { prepare, takeTurn } = yield* makeTransfers
      const stored = yield* prepare("key", { id: "first", wire: "bytes" }, 1n)
      expect(stored).toEqual({ id: "first", wire: "bytes", isFirst: true })
      expect(yield* prepare("key", { id: "second", wire: "others" }, 1n)).toEqual({
        ...stored,
        isFirst: false
      })
      // Whoever stored it sends it now.
      expect(yield* takeTurn("key", AGE)).toBe(false)
      yield* TestClock.setTime(NOW + AGE)
      expect(yield* takeTurn("key", AGE)).toBe(true)
      yield* TestClock.setTime(NOW - 60_000)
      expect(yield* takeTurn("key", AGE)).toBe(true)
      expect(yield* takeTurn("key", AGE)).toBe(false)
    }).pipe(Effect.provide(memoryDatabase))
  )
})
