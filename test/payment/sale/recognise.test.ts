/** From where on a payment is looked for, and which transfer that is there already pays for an order. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, TestClock } from "effect"
import { fingerprintDigest } from "../../../src/payment/fingerprint.ts"
import { parsePaymentObject } from "../../../src/payment/message/parse-payment.ts"
import { present } from "../../../src/payment/sale/attempt.ts"
import { makeRecognise } from "../../../src/payment/sale/recognise.ts"
import type { Order } from "../../../src/payment/sale/sale.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"

const order: Order = { accepts: [terms], fingerprint: "order", resourceUrl: "http://127.0.0.1/ping" }
const bound: Order = { ...order, binding: "authorization" }

const claimed = (since: number, by = "order") => ({ fingerprint: fingerprintDigest(by), since })

/** A height, or the reason of a refusal. */
const recognised = Effect.fnUntraced(function* (
  how: Order,
  seen: { readonly height: number; readonly usedAt?: number },
  earlier?: ReturnType<typeof claimed>
) {
  yield* TestClock.setTime(START)
  const presented = yield* present(yield* parsePaymentObject(yield* signPayment), how)
  const attempt = { ...presented, ...(yield* presented.matched) }
  const { height, usedAt } = seen
  const used = {
    network: terms.network,
    transaction: "0xabc",
    index: 0,
    height: usedAt ?? 0,
    payer: "payer",
    payTo: terms.payTo,
    amount: terms.amount
  }
  const recognise = yield* Effect.provide(makeRecognise, new FakeChain().layer)
  const found = recognise(attempt, { height, ...(usedAt === undefined ? {} : { used }) }, earlier)
  return Either.match(yield* Effect.either(found), {
    onLeft: (error) => (error._tag === "PaymentRejected" ? error.reason : error._tag),
    onRight: (since) => since
  })
})

describe("a payment that is", () => {
  it.effect("unused is looked for from where it was seen so first for this order", () =>
    Effect.gen(function* () {
      expect(yield* recognised(order, { height: 10 })).toBe(10)
      // It may have landed since, and this node be slow to notice.
      expect(yield* recognised(order, { height: 10 }, claimed(7))).toBe(7)
      expect(yield* recognised(order, { height: 10 }, claimed(12))).toBe(10)
      expect(yield* recognised(order, { height: 10 }, claimed(7, "another order"))).toBe(10)
      // Where it was seen is not known of an older version's claim.
      expect(yield* recognised(order, { height: 10 }, claimed(0))).toBe(10)
    })
  )

  it.effect("used pays the order that had it unused before, or that it names itself, and no other", () =>
    Effect.gen(function* () {
      const used = { height: 10, usedAt: 8 }
      expect(yield* recognised(order, used)).toBe("payment_already_used")
      expect(yield* recognised(order, used, claimed(7, "another order"))).toBe("payment_already_used")
      expect(yield* recognised(order, used, claimed(0))).toBe("payment_already_used")
      expect(yield* recognised(order, used, claimed(9))).toBe("payment_already_used")
      expect(yield* recognised(order, used, claimed(8))).toBe(8)
      expect(yield* recognised(order, used, claimed(7))).toBe(7)
      expect(yield* recognised(bound, used)).toBe(8)
      expect(yield* recognised(bound, used, claimed(7))).toBe(7)
    })
  )
})
