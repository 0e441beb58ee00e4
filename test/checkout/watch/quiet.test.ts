import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { Chain, shop } from "../../support/checkout/shop.ts"
import { openOrder, round, START } from "../../support/checkout/wallets.ts"

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
