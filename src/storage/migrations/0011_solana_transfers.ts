import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Solana transfers as our fee payer signed them, stored before the first send. Times are Unix milliseconds,
 * `fee_micros` millionths of a USD.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const big = sql.onDialectOrElse({ pg: () => sql.literal("BIGINT"), orElse: () => sql.literal("INTEGER") })
  yield* sql`CREATE TABLE settlement_transfers (
    authorization_key TEXT PRIMARY KEY NOT NULL,
    id TEXT NOT NULL,
    wire TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('prepared', 'broadcast', 'included', 'final', 'closed')),
    slot ${big},
    fee_micros ${big} NOT NULL,
    created_at ${big} NOT NULL,
    updated_at ${big} NOT NULL,
    sent_at ${big} NOT NULL
  )`
  yield* sql`CREATE INDEX settlement_transfers_by_state ON settlement_transfers (state, created_at)`
  yield* sql`CREATE INDEX settlement_transfers_by_time ON settlement_transfers (updated_at)`
})
