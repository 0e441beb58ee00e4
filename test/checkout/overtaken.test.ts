/** A payment of verify that is under way while a wallet pays the checkout by itself. */
import { describe, expect } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect, Fiber, Option, TestClock } from "effect"
import { fingerprintOf, requirementsOf } from "../../src/checkout/checkout.ts"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import type { CheckoutTerms } from "../../src/domain/checkout.ts"
import { NO_SETTINGS } from "../../src/domain/merchant.ts"
import { fingerprintDigest } from "../../src/payment/fingerprint.ts"
import { encodePayload } from "../../src/payment/ledger/ledger-row.ts"
import { Ledger } from "../../src/payment/ledger/ledger.ts"
import { Sale } from "../../src/payment/sale/sale.ts"
import {
  Chain,
  decodeReceipt,
  SOLANA_FEE_PAYER,
  SOLANA_MERCHANT,
  statusOf,
  verify
} from "../support/checkout/shop.ts"
import { inShop, NOW } from "../support/checkout/in-shop.ts"
import { signOnSolana } from "../support/checkout/solana-buyer.ts"
import { openOrder, round, wallet } from "../support/checkout/wallets.ts"

/** A payment that was sent, whose outcome nobody heard of, and a wallet that paid meanwhile. */
const overtaken = (terms: CheckoutTerms) =>
  Effect.gen(function* () {
    const chain = yield* Chain
    const payment = yield* signOnSolana(terms)
    chain.mode = "lost"
    expect((yield* Effect.flip(verify(terms.checkoutId, payment)))._tag).toBe("PaymentUnresolved")
    yield* wallet(1_000_000n, [terms], NOW + 1000)
    yield* round
    expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
    chain.mode = "ok"
    const [transaction = ""] = chain.transfers.values()
    return { payment, transaction }
  })

/** A payment that a process of ours has claimed for its checkout, and how that process sends it. */
const heldFor = (terms: CheckoutTerms, signature: string) =>
  Effect.gen(function* () {
    const [ledger, sale] = [yield* Ledger, yield* Sale]
    const payment = yield* sale.parse(signature)
    if (payment.scheme === "unsupported") return yield* Effect.dieMessage("not a payment")
    const { authorizationKey: key, network } = payment
    const { amount, checkoutId, payTo } = terms
    yield* ledger.claim({
      authorizationKey: key,
      fingerprint: fingerprintDigest(fingerprintOf(checkoutId)),
      network: terms.network,
      payer: "buyer",
      amount,
      payload: encodePayload(payment),
      requirements: requirementsOf(terms),
      since: 1
    })
    const settlement = { success: true, transaction: "sent", network, payer: "buyer" }
    const evidence = {
      network: terms.network,
      transaction: "sent",
      index: 0,
      height: 2,
      payer: "buyer",
      payTo,
      amount
    }
    const send = Effect.zipRight(
      ledger.settling(key, JSON.stringify({ checkoutId, binding: "memo" })),
      ledger.settled(key, settlement, evidence)
    )
    return { key, send }
  })

/** Its answer comes once the process that holds the payment has sent it, and not before. */
const waitsFor = (
  send: Effect.Effect.Success<ReturnType<typeof heldFor>>["send"],
  verified: ReturnType<typeof verify>
) =>
  Effect.gen(function* () {
    const answer = yield* Effect.fork(verified)
    yield* TestClock.adjust("2 seconds")
    expect(yield* Fiber.poll(answer)).toEqual(Option.none())
    yield* send
    yield* TestClock.adjust("2 seconds")
    expect(decodeReceipt((yield* answer).receipt)).toMatchObject({ status: "paid", transaction: "sent" })
  })

describe("a payment whose checkout a wallet has paid meanwhile", () => {
  inShop(
    "is never told that nothing was charged: it gets its receipt, the same bytes each time",
    function* () {
      const terms = yield* openOrder()
      const { payment, transaction } = yield* overtaken(terms)
      const { receipt } = yield* verify(terms.checkoutId, payment)
      expect(decodeReceipt(receipt)).toMatchObject({ status: "paid", transaction })
      yield* TestClock.adjust("3 seconds")
      expect((yield* verify(terms.checkoutId, payment)).receipt).toBe(receipt)
      expect((yield* statusOf(terms.checkoutId)).received).toBe("2000000")
    }
  )

  inShop("is brought to its end by the worker, and its money stands in the journal", function* () {
    const terms = yield* openOrder()
    const { transaction } = yield* overtaken(terms)
    yield* TestClock.adjust("1 minute")
    yield* Effect.flatMap(Checkouts, ({ resume }) => resume)
    const { payments, received } = yield* statusOf(terms.checkoutId)
    expect(payments.map((one) => one.transaction)).toContain(transaction)
    expect(received).toBe("2000000")
    expect(yield* Effect.flatMap(Checkouts, ({ resume }) => resume)).toBe(0)
  })

  inShop("is looked for again while its outcome is not known, or cannot be written down", function* () {
    const sql = yield* SqlClient.SqlClient
    const chain = yield* Chain
    const { resume } = yield* Checkouts
    const terms = yield* openOrder()
    const { transaction } = yield* overtaken(terms)
    const isFound = Effect.map(statusOf(terms.checkoutId), ({ payments }) =>
      payments.some((one) => one.transaction === transaction)
    )
    const landed = new Map(chain.transfers)
    chain.transfers.clear()
    chain.mode = "dead"
    yield* TestClock.adjust("1 minute")
    yield* resume
    chain.mode = "ok"
    for (const [key, one] of landed) chain.transfers.set(key, one)
    for (const statement of ["UPDATE ON payments", "INSERT ON checkout_transfers"]) {
      yield* sql.unsafe(`CREATE TRIGGER broken BEFORE ${statement} BEGIN SELECT RAISE(ABORT, 'disk'); END`)
      yield* TestClock.adjust("1 minute")
      yield* resume
      yield* sql`DROP TRIGGER broken`
    }
    expect(yield* isFound).toBe(false)
    yield* TestClock.adjust("1 minute")
    yield* resume
    expect(yield* isFound).toBe(true)
  })

  inShop("is brought to its end though a hundred older ones cannot be", function* () {
    const sql = yield* SqlClient.SqlClient
    for (let stuck = 0; stuck < 100; stuck += 1)
      yield* sql`INSERT INTO checkout_overtaken ${sql.insert({
        checkout_id: "chk_gone",
        payment: `stuck-${stuck}`,
        payload: "rubbish",
        since: NOW - 1
      })}`
    // What the ledger took for a checkout that nobody finds any more ends by no sweep.
    yield* sql`CREATE TRIGGER kept BEFORE DELETE ON checkout_overtaken WHEN OLD.checkout_id = 'chk_gone'
      BEGIN SELECT RAISE(ABORT, 'stuck'); END`
    const terms = yield* openOrder()
    const { transaction } = yield* overtaken(terms)
    yield* TestClock.adjust("1 minute")
    const { resume } = yield* Checkouts
    yield* resume
    yield* resume
    const { payments } = yield* statusOf(terms.checkoutId)
    expect(payments.map((one) => one.transaction)).toContain(transaction)
  })

  inShop("is not taken for a wallet's own when the chain shows it first", function* () {
    const terms = yield* openOrder()
    const chain = yield* Chain
    const { payment, transaction } = yield* overtaken(terms)
    yield* wallet(1_000_000n, [terms], NOW + 2000)
    const changes = chain.wallets.get(SOLANA_MERCHANT) ?? []
    const last = changes.at(-1)
    if (last !== undefined)
      changes.splice(-1, 1, { ...last, transaction, feePayer: SOLANA_FEE_PAYER, index: 0 })
    yield* round
    const { receipt } = yield* verify(terms.checkoutId, payment)
    expect(decodeReceipt(receipt).transaction).toBe(transaction)
    expect((yield* statusOf(terms.checkoutId)).received).toBe("2000000")
  })

  inShop("waits for a run that holds it and may still send it, and is told what becomes of it", function* () {
    const ledger = yield* Ledger
    const terms = yield* openOrder()
    const payment = yield* signOnSolana(terms)
    const { key, send } = yield* heldFor(terms, payment)
    yield* wallet(1_000_000n, [terms], NOW + 1000)
    yield* round
    expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
    yield* waitsFor(send, verify(terms.checkoutId, payment))
    expect((yield* statusOf(terms.checkoutId)).received).toBe("2000000")
    expect(Option.getOrThrow(yield* ledger.find(key)).state).toBe("settled")
  })

  inShop(
    "waits for a run that holds it also where its caller's payments of a day are reached",
    function* () {
      const [terms, other] = yield* Effect.all([openOrder(), openOrder()])
      const payment = yield* signOnSolana(terms)
      const { send } = yield* heldFor(terms, payment)
      yield* verify(other.checkoutId, yield* signOnSolana(other))
      const another = yield* Effect.flip(verify(terms.checkoutId, yield* signOnSolana(terms)))
      expect(another._tag).toBe("CheckoutLimited")
      yield* waitsFor(send, verify(terms.checkoutId, payment))
    },
    { CHECKOUT_PAYMENTS_PER_DAY: "1" }
  )

  inShop("is told that nothing was charged once the run that held it has given it back", function* () {
    const ledger = yield* Ledger
    const terms = yield* openOrder()
    const payment = yield* signOnSolana(terms)
    const { key } = yield* heldFor(terms, payment)
    yield* wallet(1_000_000n, [terms], NOW + 1000)
    yield* round
    const answer = yield* Effect.fork(Effect.flip(verify(terms.checkoutId, payment)))
    yield* TestClock.adjust("2 seconds")
    yield* ledger.release(key, "no usable result")
    yield* Effect.repeat(TestClock.adjust("1 second"), {
      until: () => Effect.map(Fiber.poll(answer), Option.isSome)
    })
    expect((yield* answer)._tag).toBe("CheckoutConflict")
    expect((yield* Chain).settles).toBe(0)
  })

  inShop("that is a second one is not settled", function* () {
    const terms = yield* openOrder()
    yield* overtaken(terms)
    const chain = yield* Chain
    const settles = chain.settles
    const other = yield* Effect.flip(verify(terms.checkoutId, yield* signOnSolana(terms)))
    expect(other._tag).toBe("CheckoutConflict")
    expect(chain.settles).toBe(settles)
  })
})

describe("a payment of verify that names another order beside its own", () => {
  inShop("is no money without an order, neither while it is under way nor when it is paid", function* () {
    const chain = yield* Chain
    const checkouts = yield* Checkouts
    const [terms, other] = yield* Effect.all([openOrder(), openOrder()])
    const payment = yield* signOnSolana(terms)
    chain.mode = "lost"
    yield* Effect.flip(verify(terms.checkoutId, payment))
    const [transaction = ""] = chain.transfers.values()
    yield* wallet(1_000_000n, [terms, other], NOW + 1000, SOLANA_FEE_PAYER)
    const changes = chain.wallets.get(SOLANA_MERCHANT) ?? []
    chain.wallets.set(
      SOLANA_MERCHANT,
      changes.map((one) => ({ ...one, transaction, index: 0 }))
    )
    const merchant = { id: "mer_1", account: `${SOLANA_NETWORK}:${SOLANA_MERCHANT}`, settings: NO_SETTINGS }
    const strays = Effect.map(checkouts.strays(merchant, {}), ({ transfers }) => transfers)
    yield* round
    expect(yield* strays).toEqual([])
    chain.mode = "ok"
    yield* TestClock.adjust("5 seconds")
    yield* verify(terms.checkoutId, payment)
    yield* round
    expect(yield* strays).toEqual([])
    expect(yield* statusOf(terms.checkoutId)).toMatchObject({ status: "paid", received: "1000000" })
    expect((yield* statusOf(other.checkoutId)).status).toBe("open")
  })
})
