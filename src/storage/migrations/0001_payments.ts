import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The payment ledger. A row lives from the claim of an authorization on; a released claim is deleted and its history
 * stays in `payment_events`. Times are Unix milliseconds. JSON and amounts are TEXT, exact on both dialects.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const identity = sql.onDialectOrElse({
    pg: () => sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    orElse: () => sql.literal("INTEGER PRIMARY KEY")
  })
  const time = sql.onDialectOrElse({ pg: () => sql.literal("BIGINT"), orElse: () => sql.literal("INTEGER") })
  yield* sql`CREATE TABLE payments (
    authorization_key TEXT PRIMARY KEY NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'settling', 'settled')),
    owner TEXT NOT NULL,
    lease_until ${time} NOT NULL,
    network TEXT NOT NULL,
    payer TEXT NOT NULL,
    amount TEXT NOT NULL,
    payload TEXT NOT NULL,
    requirements TEXT NOT NULL,
    answer TEXT,
    settlement TEXT,
    transaction_id TEXT,
    created_at ${time} NOT NULL,
    updated_at ${time} NOT NULL,
    CHECK (state = 'claimed' OR answer IS NOT NULL),
    CHECK (state <> 'settled' OR settlement IS NOT NULL)
  )`
  yield* sql`CREATE INDEX payments_by_state ON payments (state, updated_at)`
  yield* sql`CREATE TABLE payment_events (
    id ${identity},
    authorization_key TEXT NOT NULL,
    event TEXT NOT NULL,
    detail TEXT NOT NULL,
    at ${time} NOT NULL
  )`
  yield* sql`CREATE INDEX payment_events_by_authorization ON payment_events (authorization_key)`
})
