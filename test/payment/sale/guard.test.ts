import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { makeGuard } from "../../../src/payment/sale/guard.ts"

const START = 1_800_000_000_000

describe("a payer whose payments fail", () => {
  it.effect("waits longer each time, ten minutes at most, also when the clock is set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const { admit, failed } = yield* makeGuard
      const waits: Array<number> = []
      for (let count = 0; count < 12; count++) {
        yield* failed("payer")
        const said = yield* Effect.either(admit("payer"))
        waits.push(said._tag === "Left" ? said.left.retryAfterSeconds : 0)
      }
      expect(waits).toEqual([0, 0, 5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
      yield* TestClock.setTime(START - 86_400_000)
      expect(yield* Effect.flip(admit("payer"))).toMatchObject({ retryAfterSeconds: 600 })
    })
  )
})
