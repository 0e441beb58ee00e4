import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { expireCheckouts } from "../../src/checkout/checkout-worker.ts"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import { memoOfTerms, referenceOf } from "../../src/checkout/solana-pay.ts"
import { Ledger } from "../../src/payment/ledger/ledger.ts"
import { NO_SETTINGS } from "../../src/domain/merchant.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import type { CheckoutTerms, CreateCheckout } from "../../src/domain/checkout.ts"
import { Chain, createCheckout, PAGE, shop, SOLANA_MERCHANT, statusOf } from "../support/checkout/shop.ts"

/** Any other wallet. */
const OTHER_MERCHANT = "So11111111111111111111111111111111111111112"

const NOW = 1_800_000_000_000
const START = TestClock.setTime(NOW)

const openOrder = (change: Partial<CreateCheckout> = {}) =>
  createCheckout({
    network: SOLANA_NETWORK,
    merchantPayTo: SOLANA_MERCHANT,
    amountUsd: "1",
    webhookUrl: "https://shop.example/hook",
    ...change
  })

let transactions = 0
/** A wallet moves USDC to the merchant (or, below zero, back) and names these orders. */
const wallet = (change: bigint, named: ReadonlyArray<CheckoutTerms>, at: number) =>
  Effect.map(Chain, ({ wallets }) => {
    transactions += 1
    const references = named.flatMap((terms) => [memoOfTerms(terms), referenceOf(terms.checkoutId)])
    const entry = {
      transaction: `sig${transactions}`,
      at,
      change,
      counterparty: "buyer",
      references,
      slot: transactions,
      index: 1,
      feePayer: "buyer"
    }
    wallets.set(SOLANA_MERCHANT, [...(wallets.get(SOLANA_MERCHANT) ?? []), entry])
    return entry.transaction
  })

const round = Effect.flatMap(Checkouts, ({ findTransfers }) => findTransfers)
const events = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ body: string }>`SELECT body FROM webhook_deliveries ORDER BY created_at, id`
).pipe(Effect.map((rows) => rows.map(({ body }) => String(JSON.parse(body).type))))

describe("a wallet that pays without us", () => {
  it.effect("is seen though nobody opened the page, once, with the owner of the tokens as payer", () =>
    Effect.gen(function* () {
      yield* START
      const terms = yield* openOrder()
      expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
      const transaction = yield* wallet(1_000_000n, [terms], NOW + 1000)
      expect(yield* round).toBe(1)
      expect(yield* round).toBe(0)
      expect((yield* statusOf(terms.checkoutId)).receipt).toMatchObject({
        status: "paid",
        transaction,
        payer: "buyer",
        binding: "memo",
        received: "1000000",
        payments: [{ kind: "paid", transaction, amount: "1000000", payer: "buyer" }]
      })
      expect(yield* events).toEqual(["checkout.paid"])
    }).pipe(Effect.provide(shop()))
  )

  it.effect("pays in parts, and what is missing is told", () =>
    Effect.gen(function* () {
      yield* START
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
    }).pipe(Effect.provide(shop()))
  )

  it.effect("pays twice or late: the money is in the journal and told, and the state stays", () =>
    Effect.gen(function* () {
      yield* START
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
    }).pipe(Effect.provide(shop()))
  )

  it.effect("gets its money back, and the refund is in the journal", () =>
    Effect.gen(function* () {
      yield* START
      const terms = yield* openOrder()
      yield* wallet(1_000_000n, [terms], NOW + 1000)
      yield* wallet(-1_000_000n, [terms], NOW + 2000)
      yield* openOrder()
      yield* round
      const { payments, status } = yield* statusOf(terms.checkoutId)
      expect(status).toBe("paid")
      expect(payments.map(({ kind }) => kind)).toEqual(["paid", "refunded"])
    }).pipe(Effect.provide(shop()))
  )

  it.effect("that names two orders, or another merchant's, pays none", () =>
    Effect.gen(function* () {
      yield* START
      const [a, b] = yield* Effect.all([openOrder(), openOrder()])
      const elsewhere = yield* openOrder({ merchantPayTo: OTHER_MERCHANT })
      yield* wallet(1_000_000n, [a, b], NOW + 1000)
      yield* wallet(1_000_000n, [elsewhere], NOW + 1000)
      yield* round
      for (const { checkoutId } of [a, b, elsewhere]) {
        expect(yield* statusOf(checkoutId)).toMatchObject({ status: "open", payments: [] })
      }
    }).pipe(Effect.provide(shop()))
  )

  it.effect(
    "is seen though another merchant's account cannot be read, and that one's checkout does not expire",
    () =>
      Effect.gen(function* () {
        yield* START
        const { unreadable } = yield* Chain
        const stuck = yield* openOrder({ merchantPayTo: OTHER_MERCHANT })
        const terms = yield* openOrder()
        unreadable.add(OTHER_MERCHANT)
        yield* wallet(1_000_000n, [terms], NOW + 1000)
        yield* round
        expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
        yield* TestClock.adjust("2 hours")
        yield* round
        expect(yield* expireCheckouts).toBe(0)
        expect((yield* statusOf(stuck.checkoutId)).status).toBe("open")
      }).pipe(Effect.provide(shop()))
  )

  it.effect("is seen behind thousands of transactions that came at once, page by page", () =>
    Effect.gen(function* () {
      yield* START
      const terms = yield* openOrder()
      yield* wallet(1_000_000n, [terms], NOW + 1000)
      yield* Effect.replicateEffect(wallet(1n, [], NOW + 2000), 5_100, { discard: true })
      for (let looks = 0; looks < 5_101 / PAGE - 1; looks++) yield* round
      expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
      yield* round
      expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
      // One look from the top finds that nothing came meanwhile.
      yield* round
      expect(yield* round).toBe(0)
    }).pipe(Effect.provide(shop()))
  )

  it.effect(
    "beside a transaction the node does not give is seen, and the order of that one does not expire",
    () =>
      Effect.gen(function* () {
        yield* START
        const { unknown } = yield* Chain
        const [hidden, terms] = yield* Effect.all([openOrder(), openOrder()])
        const lost = yield* wallet(1_000_000n, [hidden], NOW + 1000)
        unknown.add(lost)
        yield* wallet(1_000_000n, [terms], NOW + 2000)
        yield* round
        expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
        yield* TestClock.adjust("2 hours")
        yield* round
        expect(yield* expireCheckouts).toBe(0)
        unknown.clear()
        yield* round
        expect((yield* statusOf(hidden.checkoutId)).status).toBe("paid")
      }).pipe(Effect.provide(shop()))
  )

  it.effect("late, after all checkouts have ended, is still seen, and so is the refund days later", () =>
    Effect.gen(function* () {
      yield* START
      const terms = yield* openOrder()
      yield* TestClock.adjust("62 minutes")
      yield* round
      expect(yield* expireCheckouts).toBe(1)
      yield* TestClock.adjust("1 days")
      yield* wallet(1_000_000n, [terms], NOW + 86_400_000)
      yield* round
      yield* TestClock.adjust("5 days")
      yield* wallet(-1_000_000n, [terms], NOW + 6 * 86_400_000)
      yield* round
      const { payments, status } = yield* statusOf(terms.checkoutId)
      expect([status, ...payments.map(({ kind }) => kind)]).toEqual(["expired", "late", "refunded"])
    }).pipe(Effect.provide(shop()))
  )

  it.effect("for no one order is shown to the merchant who proved the account", () =>
    Effect.gen(function* () {
      yield* START
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
    }).pipe(Effect.provide(shop()))
  )

  it.effect("with a transfer that bought something else already, pays nothing", () =>
    Effect.gen(function* () {
      yield* START
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
    }).pipe(Effect.provide(shop()))
  )

  it.effect("in time is paid in time, also when the node was down until after the clock's end", () =>
    Effect.gen(function* () {
      yield* START
      const chain = yield* Chain
      const terms = yield* openOrder()
      chain.solanaDown = true
      yield* wallet(1_000_000n, [terms], NOW + 59 * 60_000)
      yield* TestClock.adjust("2 hours")
      yield* Effect.flip(round)
      expect(yield* expireCheckouts).toBe(0)
      expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
      chain.solanaDown = false
      yield* round
      expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
      expect(yield* events).toEqual(["checkout.paid"])
    }).pipe(Effect.provide(shop()))
  )
})

/** Ten thousand open checkouts of two hundred merchants, beside the ones that were created. */
const crowd = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { checkoutId } = yield* openOrder()
  yield* sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO checkouts (id, status, merchant, caller, terms, created_at, expires_at, request_digest)
    SELECT 'chk_crowd' || i, 'open', ${`${SOLANA_NETWORK}:crowd`} || (i % 200), 'address:x', terms, created_at,
      expires_at, '' FROM n, checkouts WHERE id = ${checkoutId}`
  yield* sql`INSERT INTO receiving_accounts (owner, watch_from, watch_until, looked_at, scanned_to)
    SELECT merchant, MIN(created_at), MAX(expires_at), 0, 0 FROM checkouts WHERE id <> ${checkoutId} GROUP BY merchant`
})

describe("watching checkouts nothing happens to", () => {
  it.effect("costs at most twenty calls a minute for ten thousand of two hundred merchants", () =>
    Effect.gen(function* () {
      yield* START
      const chain = yield* Chain
      yield* crowd
      // The first rounds learn where each account stands.
      for (let i = 0; i < 40; i++) {
        yield* TestClock.adjust("4 seconds")
        yield* round
      }
      chain.looks = { balances: 0, pages: 0 }
      for (let i = 0; i < 15; i++) {
        yield* TestClock.adjust("4 seconds")
        yield* round
      }
      expect(chain.looks.balances + chain.looks.pages).toBeLessThanOrEqual(20)
      expect(chain.looks.balances).toBe(15)
    }).pipe(Effect.provide(shop()))
  )

  it.effect("costs one call a round, however many there are", () =>
    Effect.gen(function* () {
      yield* START
      const chain = yield* Chain
      yield* Effect.replicateEffect(openOrder(), 200, { discard: true })
      yield* round
      chain.looks = { balances: 0, pages: 0 }
      for (let i = 0; i < 15; i++) {
        yield* TestClock.adjust("4 seconds")
        yield* round
      }
      expect(chain.looks).toEqual({ balances: 15, pages: 0 })
    }).pipe(Effect.provide(shop()))
  )
})
