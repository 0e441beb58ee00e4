import { schema } from "../dialect.ts"

/**
 * Solana transfers as our fee payer signed them, stored before the first send. Times are Unix milliseconds,
 * `fee_micros` millionths of a USD.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE settlement_transfers (
    authorization_key TEXT PRIMARY KEY NOT NULL,
    id TEXT NOT NULL,
    wire TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('prepared', 'broadcast', 'included', 'final', 'closed')),
    slot ${integer},
    fee_micros ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    sent_at ${integer} NOT NULL
  )`,
  sql`CREATE INDEX settlement_transfers_by_state ON settlement_transfers (state, created_at)`,
  sql`CREATE INDEX settlement_transfers_by_time ON settlement_transfers (updated_at)`
])
