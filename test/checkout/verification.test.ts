import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import { USED_BEFORE } from "../../src/checkout/verify/settling.ts"
import { Sale } from "../../src/payment/sale/sale.ts"
import {
  Chain,
  createCheckout,
  decodeReceipt,
  from,
  order,
  randomNonce,
  shop,
  shopProcess,
  sign,
  statusOf,
  STRANGER,
  verify,
  world
} from "../support/checkout/shop.ts"
import { inLiveShop } from "../support/checkout/in-shop.ts"

const failureOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flip(effect)

describe("verifying a payment", () => {
  inLiveShop("settles it to the merchant once and answers the receipt", function* () {
    const chain = yield* Chain
    const terms = yield* createCheckout()
    const paid = yield* verify(terms.checkoutId, yield* sign(terms))
    const receipt = decodeReceipt(paid.receipt)
    expect(receipt).toMatchObject({
      status: "paid",
      checkoutId: terms.checkoutId,
      binding: "server",
      memo: "order-1"
    })
    expect([...chain.transfers.values()]).toEqual([receipt.transaction])
    expect(paid.settlement.transaction).toBe(receipt.transaction)
    const status = yield* statusOf(terms.checkoutId)
    expect(status.timeline.map((moment) => moment.status)).toEqual(["open", "processing", "paid"])
    expect(status.receipt).toEqual(receipt)
    // The block is the one of the sale's own evidence.
    expect(receipt.payments).toMatchObject([{ kind: "paid", amount: "12500000", block: 2 }])
  })

  it.live("again gives the same bytes, also after a restart", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const inProcess = <A, E>(effect: Effect.Effect<A, E, Checkouts>) =>
        Effect.provide(effect, shopProcess())
      const { payment, terms, first } = yield* inProcess(
        Effect.gen(function* () {
          const terms = yield* createCheckout()
          const payment = yield* sign(terms)
          return { terms, payment, first: yield* verify(terms.checkoutId, payment) }
        })
      )
      const again = yield* inProcess(verify(terms.checkoutId, payment))
      expect(again.receipt).toBe(first.receipt)
      expect(again.settlement).toEqual(first.settlement)
      expect(chain.settles).toBe(1)
    }).pipe(Effect.provide(world))
  )

  inLiveShop("fifty times at once makes one transfer and fifty equal answers", function* () {
    const chain = yield* Chain
    const terms = yield* createCheckout()
    const payment = yield* sign(terms)
    const answers = yield* Effect.all(
      Array.from({ length: 50 }, () => verify(terms.checkoutId, payment)),
      { concurrency: "unbounded" }
    )
    expect(new Set(answers.map((answer) => answer.receipt)).size).toBe(1)
    expect(chain.settles).toBe(1)
    expect(chain.transfers.size).toBe(1)
  })

  inLiveShop("of two different payments at once settles one and refuses the other for good", function* () {
    const chain = yield* Chain
    const terms = yield* createCheckout()
    const payments = yield* Effect.all([sign(terms), sign(terms), sign(terms)])
    const outcomes = yield* Effect.forEach(
      payments,
      (payment) => Effect.either(verify(terms.checkoutId, payment)),
      {
        concurrency: "unbounded"
      }
    )
    expect(outcomes.filter((outcome) => outcome._tag === "Right")).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome._tag === "Left") expect(outcome.left._tag).toBe("CheckoutConflict")
    }
    expect(chain.transfers.size).toBe(1)
  })

  inLiveShop("refuses another payment on a paid checkout without settling it", function* () {
    const chain = yield* Chain
    const terms = yield* createCheckout()
    yield* verify(terms.checkoutId, yield* sign(terms))
    const error = yield* failureOf(verify(terms.checkoutId, yield* sign(terms)))
    expect(error._tag).toBe("CheckoutConflict")
    expect(chain.settles).toBe(1)
  })

  inLiveShop("never lets a payment for one order pay another", function* () {
    const chain = yield* Chain
    const a = yield* createCheckout()
    const b = yield* createCheckout()
    const payment = yield* sign(a)
    expect(yield* failureOf(verify(b.checkoutId, payment))).toMatchObject({
      reason: "checkout_id_mismatch"
    })
    yield* verify(a.checkoutId, payment)
    // The same authorization dressed up as a payment for b.
    const nonce = randomNonce()
    const forA = yield* sign(a, { nonce, accepted: { memo: undefined } })
    const forB = yield* sign(b, { nonce })
    const c = yield* createCheckout()
    yield* verify(b.checkoutId, forB)
    expect((yield* failureOf(verify(a.checkoutId, forA)))._tag).toBe("CheckoutConflict")
    expect((yield* failureOf(verify(c.checkoutId, yield* sign(c, { nonce }))))._tag).toBe("CheckoutConflict")
    expect(chain.transfers.size).toBe(2)
    expect((yield* statusOf(c.checkoutId)).status).toBe("open")
  })

  inLiveShop("refuses a payment that bought something else", function* () {
    const sale = yield* Sale
    const terms = yield* createCheckout()
    const { url: _url, expiresAt: _expiresAt, checkoutId, memo: _memo, ...requirements } = terms
    const text = yield* sign(terms, {
      accepted: { url: undefined, expiresAt: undefined, checkoutId: undefined, memo: undefined }
    })
    const elsewhere = { accepts: [requirements], fingerprint: "http ping", resourceUrl: terms.url }
    yield* sale.sell(yield* sale.parse(text), elsewhere, Effect.succeed("report"))
    const error = yield* failureOf(verify(checkoutId, text))
    expect(error).toMatchObject({ _tag: "CheckoutConflict" })
    expect((yield* statusOf(checkoutId)).status).toBe("open")
  })

  inLiveShop("refuses a payment that paid another order as used, though it names that order", function* () {
    const chain = yield* Chain
    const first = yield* createCheckout()
    const text = yield* sign(first)
    const other = yield* createCheckout()
    expect(yield* failureOf(verify(other.checkoutId, text))).toMatchObject({
      reason: "checkout_id_mismatch"
    })
    yield* verify(first.checkoutId, text)
    const error = yield* failureOf(verify(other.checkoutId, text))
    expect(error).toMatchObject({ _tag: "CheckoutConflict", message: USED_BEFORE })
    expect((yield* statusOf(other.checkoutId)).status).toBe("open")
    expect(chain.settles).toBe(1)
  })

  it.live.each([
    ["amount under", { accepted: { amount: "1" } }, "checkout_amount_mismatch"],
    ["amount over", { accepted: { amount: "12500001" } }, "checkout_amount_mismatch"],
    ["signed amount", { amount: "12499999" }, "checkout_amount_mismatch"],
    [
      "asset",
      { accepted: { asset: "0x0000000000000000000000000000000000000b0b" } },
      "checkout_asset_mismatch"
    ],
    ["network", { accepted: { network: "eip155:84532" } }, "checkout_network_mismatch"],
    [
      "recipient",
      { accepted: { payTo: "0x0000000000000000000000000000000000000b0b" } },
      "checkout_recipient_mismatch"
    ],
    [
      "signed recipient",
      { payTo: "0x0000000000000000000000000000000000000b0b" },
      "checkout_recipient_mismatch"
    ],
    ["memo", { accepted: { memo: "order-2" } }, "checkout_memo_mismatch"],
    ["memo on chain", { accepted: { extra: { memo: "another order's" } } }, "checkout_memo_mismatch"],
    ["scheme", { accepted: { scheme: "upto" } }, "checkout_scheme_mismatch"],
    ["time", { accepted: { maxTimeoutSeconds: 3_600 } }, "checkout_timeout_mismatch"],
    ["end", { accepted: { expiresAt: "2099-01-01T00:00:00.000Z" } }, "checkout_expiry_mismatch"],
    ["page", { accepted: { url: "https://elsewhere.test/pay" } }, "checkout_url_mismatch"],
    ["resource", { resource: "https://elsewhere.test/pay" }, "resource_mismatch"],
    ["extra", { accepted: { extra: { name: "USD Coin", version: "2" } } }, "invalid_payment_requirements"]
  ] as const)("names a wrong %s and settles nothing", ([, options, reason]) =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const terms = yield* createCheckout()
      const error = yield* failureOf(verify(terms.checkoutId, yield* sign(terms, options)))
      expect(error).toMatchObject({ _tag: "PaymentRejected", reason })
      expect(chain.settles).toBe(0)
      expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
      yield* verify(terms.checkoutId, yield* sign(terms))
    }).pipe(Effect.provide(shop()))
  )

  inLiveShop("does not know an id nobody issued", function* () {
    const terms = yield* createCheckout()
    const error = yield* failureOf(verify(`chk_${"0".repeat(32)}`, yield* sign(terms)))
    expect(error._tag).toBe("CheckoutNotFound")
  })

  inLiveShop("takes a payment that names the verify address as its resource", function* () {
    const terms = yield* createCheckout()
    yield* verify(terms.checkoutId, yield* sign(terms, { resource: `${terms.url}/verify` }))
    expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
  })

  inLiveShop("gives the checkout back when the chain refuses the payment", function* () {
    const chain = yield* Chain
    const terms = yield* createCheckout()
    chain.mode = "rejected"
    const error = yield* failureOf(verify(terms.checkoutId, yield* sign(terms)))
    expect(error).toMatchObject({ _tag: "PaymentRejected", reason: "insufficient_funds" })
    expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
    chain.mode = "ok"
    yield* verify(terms.checkoutId, yield* sign(terms))
  })

  inLiveShop("charges nothing and stays open while the chain is out of reach", function* () {
    const chain = yield* Chain
    const terms = yield* createCheckout()
    const payment = yield* sign(terms)
    chain.mode = "down"
    expect((yield* failureOf(verify(terms.checkoutId, payment)))._tag).toBe("PaymentUnavailable")
    expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
    chain.mode = "ok"
    yield* verify(terms.checkoutId, payment)
    expect(chain.settles).toBe(1)
  })

  inLiveShop(
    "limits what one caller's checkouts make us broadcast, by payments that moved money alone",
    function* () {
      const chain = yield* Chain
      const junk = yield* createCheckout()
      chain.mode = "rejected"
      for (let i = 0; i < 2; i++) yield* Effect.flip(verify(junk.checkoutId, yield* sign(junk)))
      chain.mode = "ok"
      const first = yield* createCheckout()
      const second = yield* createCheckout()
      yield* verify(first.checkoutId, yield* sign(first))
      expect((yield* failureOf(verify(second.checkoutId, yield* sign(second))))._tag).toBe("CheckoutLimited")
      expect(chain.settles).toBe(1)
      const checkouts = yield* Checkouts
      const elsewhere = yield* checkouts.create(order(), from("198.51.100.7"))
      yield* verify(elsewhere.checkoutId, yield* sign(elsewhere))
      expect(chain.settles).toBe(2)
    },
    { CHECKOUT_PAYMENTS_PER_DAY: "1" }
  )

  inLiveShop(
    "takes no transfer of a stranger's past for a new order, though amount and merchant fit",
    function* () {
      const chain = yield* Chain
      const sale = yield* Sale
      const terms = yield* createCheckout()
      const payment = yield* sign(terms)
      const { authorizationKey } = yield* sale.parse(payment)
      chain.transfers.set(authorizationKey, `0x${"ab".repeat(32)}`)
      const error = yield* failureOf(verify(terms.checkoutId, payment))
      expect(error._tag).toBe("CheckoutConflict")
      expect(yield* statusOf(terms.checkoutId)).toMatchObject({ status: "open", payments: [] })
      expect(chain.settles).toBe(0)
    }
  )
})

describe("a checkout's id", () => {
  inLiveShop("is 128 random bits", function* () {
    const checkouts = yield* Checkouts
    const ids = yield* Effect.forEach(Array.from({ length: 20 }), () =>
      Effect.map(checkouts.create(order(), from(STRANGER)), ({ checkoutId }) => checkoutId)
    )
    expect(new Set(ids).size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^chk_[0-9a-f]{32}$/)
  })
})
