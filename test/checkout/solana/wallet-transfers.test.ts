import { SqlClient } from "@effect/sql"
import { describe, expect } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { expireCheckouts } from "../../../src/checkout/checkout-worker.ts"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { NO_SETTINGS } from "../../../src/domain/merchant.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { SOLANA_MERCHANT, statusOf } from "../../support/checkout/shop.ts"
import { events, inSlot, openOrder, OTHER_MERCHANT, round, wallet } from "../../support/checkout/wallets.ts"
import { inShop, NOW } from "../../support/checkout/in-shop.ts"

describe("a wallet that pays without us", () => {
  inShop("is seen though nobody opened the page, once, with the owner of the tokens as payer", function* () {
    const terms = yield* openOrder()
    expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
    const transaction = yield* wallet(1_000_000n, [terms], NOW + 1000)
    yield* inSlot(7)
    expect(yield* round).toBe(1)
    expect(yield* round).toBe(0)
    expect((yield* statusOf(terms.checkoutId)).receipt).toMatchObject({
      status: "paid",
      transaction,
      payer: "buyer",
      binding: "memo",
      received: "1000000",
      payments: [{ kind: "paid", transaction, amount: "1000000", payer: "buyer", block: 7 }]
    })
    expect(yield* events).toEqual(["checkout.paid"])
  })

  inShop("whose network fee a sponsor pays is the payer all the same", function* () {
    const terms = yield* openOrder()
    yield* wallet(1_000_000n, [terms], NOW + 1000, "sponsor")
    yield* round
    const { payments, receipt } = yield* statusOf(terms.checkoutId)
    expect(receipt).toMatchObject({ payer: "buyer", payments: [{ payer: "buyer" }] })
    expect(payments).toMatchObject([{ kind: "paid", payer: "buyer" }])
  })

  inShop("pays in parts, and what is missing is told", function* () {
    const terms = yield* openOrder()
    yield* wallet(400_000n, [terms], NOW + 1000)
    yield* round
    expect(yield* statusOf(terms.checkoutId)).toMatchObject({
      status: "open",
      received: "400000",
      missing: "600000",
      payments: [{ kind: "short", amount: "400000" }]
    })
    yield* TestClock.adjust("2 seconds")
    yield* wallet(700_000n, [terms], NOW + 2000)
    yield* round
    const status = yield* statusOf(terms.checkoutId)
    expect(status).toMatchObject({ status: "paid", received: "1100000", missing: "0" })
    expect(status.receipt).toMatchObject({ received: "1100000" })
    expect(yield* events).toEqual(["checkout.transfer.short", "checkout.paid"])
  })

  inShop("in part, and has that sent back, owes it again: the rest alone pays nothing", function* () {
    const terms = yield* openOrder()
    yield* wallet(900_000n, [terms], NOW + 1000)
    yield* wallet(-900_000n, [terms], NOW + 2000)
    yield* wallet(100_000n, [terms], NOW + 3000)
    yield* round
    expect(yield* statusOf(terms.checkoutId)).toMatchObject({ status: "open", missing: "900000" })
    expect(yield* events).not.toContain("checkout.paid")
  })

  inShop("pays twice or late: the money is in the journal and told, and the state stays", function* () {
    const [twice, late] = yield* Effect.all([openOrder(), openOrder()])
    yield* wallet(1_000_000n, [twice], NOW + 1000)
    yield* wallet(1_000_000n, [twice], NOW + 2000)
    yield* round
    yield* TestClock.adjust("61 minutes")
    yield* round
    expect(yield* expireCheckouts).toBe(1)
    yield* wallet(1_000_000n, [late], NOW + 61 * 60_000)
    // Another order keeps the account watched; nobody looks at accounts nothing waits for.
    yield* openOrder()
    yield* round
    expect((yield* statusOf(twice.checkoutId)).payments.map(({ kind }) => kind)).toEqual(["paid", "extra"])
    expect(yield* statusOf(late.checkoutId)).toMatchObject({
      status: "expired",
      payments: [{ kind: "late" }]
    })
    expect((yield* events).toSorted()).toEqual([
      "checkout.expired",
      "checkout.paid",
      "checkout.transfer.extra",
      "checkout.transfer.late"
    ])
  })

  inShop("gets its money back, and the refund is in the journal", function* () {
    const terms = yield* openOrder()
    yield* wallet(1_000_000n, [terms], NOW + 1000)
    yield* wallet(-1_000_000n, [terms], NOW + 2000)
    yield* openOrder()
    yield* round
    const { payments, status } = yield* statusOf(terms.checkoutId)
    expect(status).toBe("paid")
    expect(payments.map(({ kind }) => kind)).toEqual(["paid", "refunded"])
  })

  inShop("that names two orders, or another merchant's, pays none", function* () {
    const [a, b] = yield* Effect.all([openOrder(), openOrder()])
    const elsewhere = yield* openOrder({ merchantPayTo: OTHER_MERCHANT })
    yield* wallet(1_000_000n, [a, b], NOW + 1000)
    yield* wallet(1_000_000n, [elsewhere], NOW + 1000)
    yield* round
    for (const { checkoutId } of [a, b, elsewhere]) {
      expect(yield* statusOf(checkoutId)).toMatchObject({ status: "open", payments: [] })
    }
  })

  inShop("for no one order is shown to the merchant who proved the account", function* () {
    const sql = yield* SqlClient.SqlClient
    const account = `${SOLANA_NETWORK}:${SOLANA_MERCHANT}`
    yield* sql`INSERT INTO merchants (id, account, settings, created_at)
        VALUES ('mer_1', ${account}, ${JSON.stringify(NO_SETTINGS)}, ${NOW})`
    const checkouts = yield* Checkouts
    const [a, b] = yield* Effect.all([openOrder(), openOrder()])
    const elsewhere = yield* openOrder({ merchantPayTo: OTHER_MERCHANT })
    yield* wallet(3_000_000n, [a, b], NOW + 1000)
    yield* wallet(2_000_000n, [elsewhere], NOW + 2000)
    yield* wallet(1_000_000n, [], NOW + 3000)
    yield* wallet(-500_000n, [], NOW + 4000)
    yield* round
    const merchant = { id: "mer_1", account, settings: NO_SETTINGS }
    const first = yield* checkouts.strays(merchant, { limit: 2 })
    expect(first.transfers).toMatchObject([
      { amount: "1000000", reason: "no-order", payer: "buyer" },
      { amount: "2000000", reason: "other-merchant" }
    ])
    const { next, transfers } = yield* checkouts.strays(merchant, { before: first.next ?? "" })
    expect([transfers.map(({ reason }) => reason), next]).toEqual([["several-orders"], null])
    expect((yield* checkouts.strays({ ...merchant, account: "another" }, {})).transfers).toEqual([])
  })

  inShop(
    "for no order is not written down where nobody proved the account: strangers can name any",
    function* () {
      const sql = yield* SqlClient.SqlClient
      yield* openOrder()
      yield* wallet(1_000_000n, [], NOW + 1000)
      yield* round
      expect(yield* sql`SELECT evidence FROM unassigned_transfers`).toEqual([])
    }
  )

  inShop("with a transfer that bought something else already, pays nothing", function* () {
    const ledger = yield* Ledger
    const terms = yield* openOrder()
    const transaction = yield* wallet(1_000_000n, [terms], NOW + 1000)
    const evidence = {
      network: SOLANA_NETWORK,
      transaction,
      index: 1,
      height: 1,
      payer: "buyer",
      payTo: SOLANA_MERCHANT,
      amount: "1000000"
    } as const
    expect(yield* ledger.claimEvidence(evidence, "a deep report")).toBe(true)
    yield* round
    expect(yield* statusOf(terms.checkoutId)).toMatchObject({ status: "open", payments: [] })
  })
})
