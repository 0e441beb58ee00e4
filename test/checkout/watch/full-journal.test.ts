/** An order to which strangers send dust: its journal stays one that is read in a moment, and it can be paid. */
import { SqlClient } from "@effect/sql"
import { describe, expect } from "@effect/vitest"
import { Effect } from "effect"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { MOST_TRANSFERS } from "../../../src/checkout/watch/credit.ts"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { NO_SETTINGS } from "../../../src/domain/merchant.ts"
import { SOLANA_MERCHANT, statusOf } from "../../support/checkout/shop.ts"
import { inShop, NOW } from "../../support/checkout/in-shop.ts"
import { openOrder, round, wallet } from "../../support/checkout/wallets.ts"

const merchant = { id: "mer_1", account: `${SOLANA_NETWORK}:${SOLANA_MERCHANT}`, settings: NO_SETTINGS }
const strays = Effect.flatMap(Checkouts, (checkouts) => checkouts.strays(merchant, {}))

describe("an order whose journal is full", () => {
  inShop(
    "takes no more dust, which is listed as money without an order, and is paid all the same",
    function* () {
      const sql = yield* SqlClient.SqlClient
      const terms = yield* openOrder()
      const { checkoutId } = terms
      for (let at = 0; at < MOST_TRANSFERS; at += 1)
        yield* sql`INSERT INTO checkout_transfers ${sql.insert({
          evidence: `dust ${at}`,
          checkout_id: checkoutId,
          via: "wallet",
          transaction_id: `dust ${at}`,
          payer: "stranger",
          amount: "1",
          at: NOW,
          seen_at: NOW
        })}`
      const dust = yield* wallet(1n, [terms], NOW + 1_000)
      yield* round
      expect((yield* statusOf(checkoutId)).payments).toHaveLength(MOST_TRANSFERS)
      expect((yield* strays).transfers).toMatchObject([
        { transaction: dust, amount: "1", reason: "too-many" }
      ])

      const paid = yield* wallet(1_000_000n, [terms], NOW + 2_000)
      yield* round
      expect(yield* statusOf(checkoutId)).toMatchObject({ status: "paid", receipt: { transaction: paid } })
      yield* wallet(1_000_000n, [terms], NOW + 3_000)
      yield* round
      expect((yield* statusOf(checkoutId)).payments).toHaveLength(MOST_TRANSFERS + 1)
      expect((yield* strays).transfers).toMatchObject([{ amount: "1000000" }, { amount: "1" }])
      // What the merchant sends back has a room of its own.
      yield* wallet(-1n, [terms], NOW + 4_000)
      yield* round
      expect((yield* statusOf(checkoutId)).payments.at(-1)).toMatchObject({ kind: "refunded" })
    }
  )

  inShop("takes no more of what comes too late, however much it is", function* () {
    const sql = yield* SqlClient.SqlClient
    const terms = yield* openOrder()
    for (let at = 0; at < MOST_TRANSFERS; at += 1) yield* wallet(1n, [terms], NOW + 7_200_000)
    yield* wallet(1_000_000n, [terms], NOW + 7_300_000)
    for (let looks = 0; looks < 10; looks += 1) yield* round
    const { payments, status } = yield* statusOf(terms.checkoutId)
    expect([payments.length, status]).toEqual([MOST_TRANSFERS, "open"])
    expect(yield* sql`SELECT amount, reason FROM unassigned_transfers`).toHaveLength(1)
  })
})
