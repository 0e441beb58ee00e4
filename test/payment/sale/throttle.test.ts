import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
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

  it.effect("waits no longer than that in all where the clock had run ahead when they failed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW + 86_400_000)
      const { admit, failed } = yield* makeThrottle
      yield* Effect.replicateEffect(failed("payer"), 4)
      yield* TestClock.setTime(NOW)
      expect(yield* Effect.flip(admit("payer"))).toMatchObject({ retryAfterSeconds: 10 })
      yield* TestClock.setTime(NOW + 4_000)
      expect(yield* Effect.flip(admit("payer"))).toMatchObject({ retryAfterSeconds: 6 })
      yield* TestClock.setTime(NOW + 10_000)
      yield* admit("payer")
    })
  )

  it.effect("waits to the end of the second, and no other payer does", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { admit, failed } = yield* makeThrottle
      yield* Effect.replicateEffect(failed("payer"), 3)
      yield* admit("another")
      yield* TestClock.setTime(NOW + 4_500)
      expect(yield* Effect.flip(admit("payer"))).toMatchObject({ retryAfterSeconds: 1 })
      yield* TestClock.setTime(NOW + 5_000)
      yield* admit("payer")
    })
  )

  it.effect("begins anew ten minutes after the last wait, and with the first payment that settles", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { admit, failed, paid } = yield* makeThrottle
      yield* Effect.replicateEffect(failed("payer"), 3)
      yield* TestClock.setTime(NOW + 604_999)
      yield* failed("payer")
      expect(yield* Effect.flip(admit("payer"))).toMatchObject({ retryAfterSeconds: 10 })
      yield* TestClock.setTime(NOW + 604_999 + 10_000 + 600_000)
      yield* failed("payer")
      yield* admit("payer")
      yield* Effect.replicateEffect(failed("payer"), 5)
      yield* paid("payer")
      yield* failed("payer")
      yield* admit("payer")
    })
  )

  it.effect("is remembered among the ten thousand that failed last", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { admit, failed } = yield* makeThrottle
      yield* Effect.replicateEffect(failed("again"), 3)
      yield* Effect.replicateEffect(failed("long ago"), 3)
      yield* failed("again")
      for (let other = 0; other < 9_998; other++) yield* failed(`other ${other}`)
      expect((yield* Effect.flip(admit("long ago"))).payer).toBe("long ago")
      yield* failed("one more")
      yield* admit("long ago")
      expect((yield* Effect.flip(admit("again"))).payer).toBe("again")
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

  it.effect("are 64 at most, and give their place to others however they end", () =>
    Effect.gen(function* () {
      const { bounded } = yield* makeThrottle
      const work = [Effect.void, Effect.fail("failed"), Effect.dieMessage("a bug")]
      for (let round = 0; round < 100; round++)
        yield* Effect.forEach(work, (one) => Effect.exit(bounded(BASE_NETWORK, one)))
      const stuck = yield* Effect.replicateEffect(Effect.fork(bounded(BASE_NETWORK, Effect.never)), 64)
      yield* Effect.yieldNow()
      expect(yield* Effect.flip(bounded(BASE_NETWORK, Effect.void))).toMatchObject({ retryAfterSeconds: 1 })
      yield* Fiber.interruptAll(stuck.slice(0, 1))
      yield* Effect.fork(bounded(BASE_NETWORK, Effect.never))
      yield* Effect.yieldNow()
      expect(yield* Effect.flip(bounded(BASE_NETWORK, Effect.void))).toMatchObject({ retryAfterSeconds: 1 })
    })
  )
})
