/** What pays for nothing and is written down all the same, when a reorganisation takes it back. */
import { SqlClient } from "@effect/sql"
import { describe, expect } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { RefundRepo } from "../../../src/checkout/refunds/refund-repo.ts"
import type { Refund } from "../../../src/checkout/refunds/refund.ts"
import { makeNoteStray } from "../../../src/checkout/watch/strays.ts"
import { UnassignedTransfers } from "../../../src/checkout/watch/unassigned-transfers.ts"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { NO_SETTINGS } from "../../../src/domain/merchant.ts"
import { Chain, SOLANA_MERCHANT, statusOf } from "../../support/checkout/shop.ts"
import { events, inSlot, openOrder, round, wallet } from "../../support/checkout/wallets.ts"
import { inShop, NOW } from "../../support/checkout/in-shop.ts"

const FINAL = 1_000_000

/** The chain as a node shows it: up to which slot it is final, and whether transfers are where they were seen. */
const viewWith = (final: number, held: boolean | undefined) => () =>
  Effect.succeed({
    head: FINAL,
    final,
    holds: (evidence: ReadonlyArray<unknown>) => Effect.succeed(evidence.map(() => held))
  })

/** Takes the newest transaction of the merchant's account away; the effect it gives puts it back. */
const takeBack = Effect.map(Chain, ({ wallets }) => {
  const before = wallets.get(SOLANA_MERCHANT) ?? []
  wallets.set(SOLANA_MERCHANT, before.slice(0, -1))
  return Effect.sync(() => void wallets.set(SOLANA_MERCHANT, before))
})

const sightings = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT claimant FROM checkout_sightings`)

/** An order that was paid in a final slot, and its refund in one that is not. */
const refunded = Effect.gen(function* () {
  const chain = yield* Chain
  const terms = yield* openOrder()
  yield* wallet(1_000_000n, [terms], NOW + 1_000)
  chain.view = viewWith(FINAL, true)
  yield* round
  yield* round
  chain.view = viewWith(0, true)
  chain.finalSlot = 0n
  const prepared: Refund = {
    id: "ref_1",
    checkoutId: terms.checkoutId,
    payer: "buyer",
    amount: 1_000_000n,
    lifetime: "hash",
    validUntil: 1,
    state: "seen",
    lookedTo: 1,
    preparedAt: NOW
  }
  const refunds = yield* RefundRepo
  yield* refunds.insert({ ...prepared, state: "open" }, { open: [], gone: 0 })
  yield* wallet(-1_000_000n, [terms], NOW + 2_000)
  yield* round
  yield* refunds.looked(prepared, { lookedTo: 1, state: "seen" }, NOW)
  return terms
})

const kindsOf = (id: string) => Effect.map(statusOf(id), ({ payments }) => payments.map(({ kind }) => kind))

describe("a refund that a reorganisation takes back", () => {
  inShop("no longer counts, with an event, is looked for again; back in the chain it counts", function* () {
    const chain = yield* Chain
    const refunds = yield* RefundRepo
    const { checkoutId } = yield* refunded
    expect(yield* kindsOf(checkoutId)).toEqual(["paid", "refunded"])
    const putBack = yield* takeBack
    // Its slot is not final, or the node does not say what is there: nothing is concluded.
    for (const doubtful of [viewWith(0, false), viewWith(FINAL, undefined)]) {
      chain.view = doubtful
      yield* round
      expect(yield* kindsOf(checkoutId)).toEqual(["paid", "refunded"])
    }
    yield* TestClock.adjust("5 seconds")
    chain.view = viewWith(FINAL, false)
    yield* round
    expect(yield* kindsOf(checkoutId)).toEqual(["paid", "lost"])
    expect((yield* statusOf(checkoutId)).status).toBe("paid")
    // What was prepared may still land: another one is not prepared beside it.
    expect(yield* refunds.open(checkoutId)).toMatchObject([{ id: "ref_1" }])
    expect(yield* sightings).toEqual([])

    yield* TestClock.adjust("5 seconds")
    yield* putBack
    yield* inSlot(77)
    yield* round
    expect(yield* kindsOf(checkoutId)).toEqual(["paid", "refunded"])
    expect((yield* statusOf(checkoutId)).payments).toMatchObject([{}, { kind: "refunded", block: 77 }])
    chain.view = viewWith(FINAL, true)
    yield* round
    expect(yield* sightings).toEqual([])
    expect(yield* events).toEqual([
      "checkout.paid",
      "checkout.transfer.refunded",
      "checkout.transfer.lost",
      "checkout.transfer.refunded"
    ])
  })
})

describe("a transfer without an order that a reorganisation takes back", () => {
  inShop("is no longer listed, and is listed again when it is back", function* () {
    const chain = yield* Chain
    const checkouts = yield* Checkouts
    const sql = yield* SqlClient.SqlClient
    const merchant = {
      id: "mer_1",
      account: `${SOLANA_NETWORK}:${SOLANA_MERCHANT}`,
      settings: NO_SETTINGS
    }
    yield* sql`INSERT INTO merchants (id, account, settings, created_at)
        VALUES (${merchant.id}, ${merchant.account}, ${JSON.stringify(NO_SETTINGS)}, 0)`
    yield* openOrder()
    chain.view = viewWith(0, true)
    chain.finalSlot = 0n
    yield* wallet(5n, [], NOW + 1_000)
    yield* round
    const strays = Effect.map(checkouts.strays(merchant, {}), ({ transfers }) => transfers.length)
    expect(yield* strays).toBe(1)
    const putBack = yield* takeBack
    chain.view = viewWith(FINAL, false)
    yield* round
    expect(yield* strays).toBe(0)
    yield* putBack
    yield* round
    expect(yield* strays).toBe(1)
  })

  inShop("is looked after from before its row is there, so that no crash leaves it to nobody", function* () {
    const sql = yield* SqlClient.SqlClient
    const unassigned = yield* UnassignedTransfers
    const place = {
      network: SOLANA_NETWORK,
      transaction: "sig",
      index: 0,
      height: 1,
      payer: SOLANA_MERCHANT,
      payTo: SOLANA_MERCHANT,
      amount: "5"
    } as const
    const stray = {
      evidence: "sig",
      account: `${SOLANA_NETWORK}:${SOLANA_MERCHANT}`,
      transaction: "sig",
      payer: null,
      amount: 5n,
      at: NOW,
      reason: "several-orders"
    } as const
    const noteStray = yield* makeNoteStray.pipe(
      Effect.provideService(UnassignedTransfers, { ...unassigned, note: () => Effect.interrupt })
    )
    yield* Effect.exit(noteStray(stray, place))
    expect(yield* sql`SELECT evidence FROM unassigned_transfers`).toEqual([])
    expect(yield* sightings).toEqual([{ claimant: "stray sig" }])
  })

  inShop("is nobody's to look after where nobody proved the account", function* () {
    yield* openOrder()
    yield* wallet(5n, [], NOW + 1_000)
    yield* round
    expect(yield* sightings).toEqual([])
  })
})

describe("a checkout that was paid twice", () => {
  inShop(
    "names in its receipt the payment that pays it now, when a reorganisation takes the first back",
    function* () {
      const chain = yield* Chain
      const terms = yield* openOrder()
      chain.view = viewWith(0, true)
      chain.finalSlot = 0n
      const first = yield* wallet(1_000_000n, [terms], NOW + 1_000)
      const second = yield* wallet(1_000_000n, [terms], NOW + 2_000)
      yield* round
      expect((yield* statusOf(terms.checkoutId)).receipt).toMatchObject({ transaction: first })
      const all = chain.wallets.get(SOLANA_MERCHANT) ?? []
      chain.wallets.set(SOLANA_MERCHANT, all.slice(1))
      chain.view = () =>
        Effect.succeed({
          head: FINAL,
          final: FINAL,
          holds: (evidence) => Effect.succeed(evidence.map(({ transaction }) => transaction !== first))
        })
      yield* TestClock.adjust("5 seconds")
      yield* round
      const { payments, receipt, status } = yield* statusOf(terms.checkoutId)
      expect([status, ...payments.map(({ kind }) => kind)]).toEqual(["paid", "lost", "paid"])
      expect(receipt).toMatchObject({ transaction: second, binding: "memo", received: terms.amount })
      expect((yield* events).toSorted()).toEqual([
        "checkout.paid",
        "checkout.paid",
        "checkout.transfer.extra",
        "checkout.transfer.lost"
      ])
    }
  )
})

describe("a payment that is lost with hundreds of sales", () => {
  inShop("is told to its merchant, however many of them are newer", function* () {
    const chain = yield* Chain
    const sql = yield* SqlClient.SqlClient
    const terms = yield* openOrder()
    chain.view = viewWith(0, true)
    chain.finalSlot = 0n
    yield* wallet(1_000_000n, [terms], NOW + 1_000)
    yield* round
    expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
    const sales = Array.from({ length: 250 }, (_, at) => ({
      evidence_key: `sale ${at}`,
      claimed_by: `sale ${at}`,
      network: SOLANA_NETWORK,
      transaction_id: `sale ${at}`,
      position: 0,
      height: 1,
      payer: "payer",
      pay_to: "us",
      amount: "5000",
      standing: "lost",
      created_at: NOW * 2
    }))
    yield* sql`INSERT INTO payment_evidence ${sql.insert(sales)}`
    yield* takeBack
    chain.view = viewWith(FINAL, false)
    yield* TestClock.adjust("5 seconds")
    yield* round
    expect(yield* kindsOf(terms.checkoutId)).toEqual(["lost"])
    expect((yield* statusOf(terms.checkoutId)).status).toBe("open")
  })
})
