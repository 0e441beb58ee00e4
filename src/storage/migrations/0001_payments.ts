import { schema } from "../dialect.ts"

/**
 * The payment ledger. A row lives from the claim of an authorization on; a released claim is deleted and its history
 * stays in `payment_events`. Times are Unix milliseconds. JSON and amounts are TEXT, exact on both dialects.
 */
export default schema(({ identity, integer, sql }) => [
  sql`CREATE TABLE payments (
    authorization_key TEXT PRIMARY KEY NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'settling', 'settled')),
    owner TEXT NOT NULL,
    lease_until ${integer} NOT NULL,
    network TEXT NOT NULL,
    payer TEXT NOT NULL,
    amount TEXT NOT NULL,
    payload TEXT NOT NULL,
    requirements TEXT NOT NULL,
    answer TEXT,
    settlement TEXT,
    transaction_id TEXT,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    CHECK (state = 'claimed' OR answer IS NOT NULL),
    CHECK (state <> 'settled' OR settlement IS NOT NULL)
  )`,
  sql`CREATE INDEX payments_by_state ON payments (state, updated_at)`,
  sql`CREATE TABLE payment_events (
    id ${identity},
    authorization_key TEXT NOT NULL,
    event TEXT NOT NULL,
    detail TEXT NOT NULL,
    at ${integer} NOT NULL
  )`,
  sql`CREATE INDEX payment_events_by_authorization ON payment_events (authorization_key)`
])
