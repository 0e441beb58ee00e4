import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, TestClock } from "effect"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

/** What the payer signed names the order, so that a transfer that is there already would pay it. */
const order: Order = {
  accepts: [terms],
  fingerprint: "order",
  resourceUrl: "http://127.0.0.1/ping",
  binding: "authorization"
}

/** Presents a payment that landed at `START`, to a ledger that was restored from a backup at `watermark`. */
const presentedAfter = (watermark: string | undefined) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const chain = new FakeChain()
    const config = new Map(watermark === undefined ? [] : [["LEDGER_WATERMARK", watermark]])
    const layer = Layer.fresh(SaleLive).pipe(
      Layer.provide(chain.layer),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(config)))
    )
    return yield* Effect.gen(function* () {
      const sale = yield* Sale
      const payment = yield* sale.parseObject(yield* signPayment)
      chain.transfers.set(payment.authorizationKey, 1)
      return yield* Effect.either(sale.sell(payment, order, Effect.succeed("report")))
    }).pipe(Effect.provide(layer))
  }).pipe(Effect.provide(memoryDatabase), Effect.scoped)

const at = (offset: number) => new Date(START + offset).toISOString()

describe("LEDGER_WATERMARK, the moment a backup was restored", () => {
  it.effect("refuses a transfer that landed before it: what that bought, the ledger has forgotten", () =>
    Effect.map(presentedAfter(at(60_000)), (answer) =>
      expect(answer).toMatchObject({
        _tag: "Left",
        left: { _tag: "PaymentRejected", reason: "payment_already_used" }
      })
    )
  )

  it.effect("lets a later one pay the order it names, as without it", () =>
    Effect.gen(function* () {
      const sold = { _tag: "Right", right: { answer: "report" } }
      expect(yield* presentedAfter(at(-60_000))).toMatchObject(sold)
      expect(yield* presentedAfter(undefined)).toMatchObject(sold)
    })
  )
})
