/** The work that no request asks for, where one row of it cannot be worked with at all. */
import { SqlClient } from "@effect/sql"
import { describe, expect } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Refunds } from "../../src/checkout/refunds/refunds.ts"
import { RefundRepo } from "../../src/checkout/refunds/refund-repo.ts"
import { Chain, SOLANA_MERCHANT, statusOf } from "../support/checkout/shop.ts"
import { inShop, NOW } from "../support/checkout/in-shop.ts"
import { OTHER_MERCHANT, openOrder, round, wallet } from "../support/checkout/wallets.ts"

/** What nobody foresaw: a failure that no type tells of. */
const defect = (): never => {
  throw new Error("nobody foresaw this")
}

describe("what nobody foresaw", () => {
  inShop("in one receiving account keeps no wallet's payment to another from being seen", function* () {
    const chain = yield* Chain
    yield* openOrder({ merchantPayTo: OTHER_MERCHANT })
    const poisoned = {
      transaction: "poisoned",
      at: NOW,
      change: 1n,
      counterparty: null,
      get references() {
        return defect()
      },
      slot: 1,
      index: 1,
      feePayer: "buyer"
    }
    chain.wallets.set(OTHER_MERCHANT, [poisoned])
    yield* TestClock.adjust("1 second")
    const terms = yield* openOrder()
    yield* wallet(1_000_000n, [terms], NOW + 1_000)
    for (let rounds = 0; rounds < 3; rounds++) {
      yield* Effect.exit(round)
      yield* TestClock.adjust("4 seconds")
    }
    expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
  })

  inShop("in one refund keeps no other from being looked for", function* () {
    const sql = yield* SqlClient.SqlClient
    const repo = yield* RefundRepo
    const refunds = yield* Refunds
    const { checkoutId } = yield* openOrder()
    const common = { checkoutId, amount: 1n, lifetime: "x", validUntil: 1, lookedTo: 1 } as const
    // No address at all: what it is looked for by cannot be made.
    for (const [at, payer] of ["nobody", SOLANA_MERCHANT].entries()) {
      const refund = { ...common, id: `ref_${at}`, payer, state: "open", preparedAt: NOW + at } as const
      yield* repo.insert(refund, { open: yield* repo.open(checkoutId), gone: 0 })
    }
    yield* sql`UPDATE checkouts SET terms = REPLACE(terms, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'eip155:8453')`
    yield* TestClock.adjust("20 seconds")
    yield* Effect.exit(refunds.find)
    const rows = yield* sql`SELECT id, next_look > ${NOW + 20_000} AS later FROM checkout_refunds ORDER BY id`
    expect(rows).toEqual([
      { id: "ref_0", later: 1 },
      { id: "ref_1", later: 1 }
    ])
  })
})
