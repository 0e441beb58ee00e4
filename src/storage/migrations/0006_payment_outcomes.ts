import { Effect } from "effect"
import { dialect } from "../dialect.ts"

/**
 * Payments end with their proof. A row is never deleted: `refused` keeps the reason and the proof, and is `watched`
 * until the payment can never land any more. `since` is the block or slot at which the payment was seen unused.
 * Payload, terms, answer and settlement may be dropped with age. `payment_evidence` holds the transfer that settled a
 * payment (or a checkout paid by a wallet itself), unique over every channel. SQLite cannot change a table's checks,
 * so the table is built anew.
 */
export default Effect.gen(function* () {
  const { integer, sql } = yield* dialect
  yield* sql`CREATE TABLE payments_next (
    authorization_key TEXT PRIMARY KEY NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'settling', 'settled', 'refused')),
    owner TEXT NOT NULL,
    lease_until ${integer} NOT NULL,
    watched INTEGER NOT NULL CHECK (watched IN (0, 1)),
    network TEXT NOT NULL,
    payer TEXT NOT NULL,
    amount TEXT NOT NULL,
    since ${integer} NOT NULL,
    payload TEXT,
    requirements TEXT,
    answer TEXT,
    settlement TEXT,
    transaction_id TEXT,
    reason TEXT,
    proof TEXT,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    CHECK (state <> 'settling' OR (watched = 1 AND answer IS NOT NULL AND payload IS NOT NULL AND requirements IS NOT NULL)),
    CHECK (state <> 'refused' OR (reason IS NOT NULL AND proof IS NOT NULL)),
    CHECK (watched = 0 OR state IN ('settling', 'refused'))
  )`
  yield* sql`INSERT INTO payments_next
    (authorization_key, fingerprint, state, owner, lease_until, watched, network, payer, amount, since, payload,
      requirements, answer, settlement, transaction_id, created_at, updated_at)
    SELECT authorization_key, fingerprint, state, owner, lease_until, CASE WHEN state = 'settling' THEN 1 ELSE 0 END,
      network, payer, amount, 0, payload, requirements, answer, settlement, transaction_id, created_at, updated_at
    FROM payments`
  yield* sql`DROP TABLE payments`
  yield* sql`ALTER TABLE payments_next RENAME TO payments`
  // Small whatever the size of the table: settled payments are in neither.
  yield* sql`CREATE INDEX payments_watched ON payments (lease_until) WHERE watched = 1`
  yield* sql`CREATE INDEX payments_kept ON payments (updated_at) WHERE payload IS NOT NULL`
  yield* sql`CREATE INDEX payments_refused ON payments (updated_at) WHERE state = 'refused'`
  yield* sql`CREATE TABLE payment_evidence (
    evidence_key TEXT PRIMARY KEY NOT NULL,
    claimed_by TEXT UNIQUE NOT NULL,
    network TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    height ${integer} NOT NULL,
    block_hash TEXT,
    payer TEXT NOT NULL,
    pay_to TEXT NOT NULL,
    amount TEXT NOT NULL,
    created_at ${integer} NOT NULL
  )`
  yield* sql`CREATE INDEX payment_evidence_by_time ON payment_evidence (created_at)`
})
