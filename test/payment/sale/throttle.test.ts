import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { makeThrottle } from "../../../src/payment/sale/throttle.ts"
import { NOW } from "../../support/now.ts"

describe("a payer whose payments fail", () => {
  it.effect("waits longer each time, ten minutes at most, also when the clock is set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { admit, failed } = yield* makeThrottle
      const waits: Array<number> = []
      for (let count = 0; count < 12; count++) {
        yield* failed("payer")
        const said = yield* Effect.either(admit("payer"))
        waits.push(said._tag === "Left" ? said.left.retryAfterSeconds : 0)
      }
      expect(waits).toEqual([0, 0, 5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
      yield* TestClock.setTime(NOW - 86_400_000)
      expect(yield* Effect.flip(admit("payer"))).toMatchObject({ retryAfterSeconds: 600 })
    })
  )
})

describe("payments of one network that are stuck", () => {
  it.effect("are bounded, and hold up none of the other's", () =>
    Effect.gen(function* () {
      const { bounded } = yield* makeThrottle
      yield* Effect.replicateEffect(Effect.fork(bounded(BASE_NETWORK, Effect.never)), 200)
      yield* Effect.yieldNow()
      const refused = yield* Effect.flip(bounded(BASE_NETWORK, Effect.void))
      expect(refused).toMatchObject({ _tag: "PaymentUnresolved", retryAfterSeconds: 1 })
      expect(yield* bounded(SOLANA_NETWORK, Effect.succeed("sold"))).toBe("sold")
    })
  )
})
