import { Effect } from "effect"
import { dialect } from "../dialect.ts"

/**
 * The checkouts' money journal. `checkout_transfers` has a row for every transfer that was seen, unique in its evidence
 * over all checkouts. `checkout_references` leads from what stands on chain (memo, reference key) to the checkout.
 * `receiving_accounts` remembers how far each merchant's account was looked through. `checkout_counters` holds what
 * limits look at. Times are Unix milliseconds, amounts TEXT in smallest units.
 *
 * The status check of `checkouts` gains `cancelled`; SQLite cannot change a check, so the table is copied.
 */
const table = Effect.gen(function* () {
  const { integer, sql } = yield* dialect
  yield* sql`ALTER TABLE checkouts RENAME TO checkouts_0004`
  yield* sql`DROP INDEX checkouts_by_merchant`
  yield* sql`DROP INDEX checkouts_by_status`
  yield* sql`CREATE TABLE checkouts (
    id TEXT PRIMARY KEY NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'processing', 'paid', 'expired', 'cancelled')),
    merchant TEXT NOT NULL,
    caller TEXT NOT NULL,
    terms TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    expires_at ${integer} NOT NULL,
    idempotency_key TEXT UNIQUE,
    request_digest TEXT NOT NULL,
    webhook_url TEXT,
    webhook_secret TEXT,
    payment TEXT UNIQUE,
    payload TEXT,
    attempt TEXT,
    binding TEXT,
    processing_at ${integer},
    receipt TEXT,
    settlement TEXT,
    paid_at ${integer},
    expired_at ${integer},
    cancelled_at ${integer},
    CHECK (status <> 'processing' OR (payment IS NOT NULL AND payload IS NOT NULL AND attempt IS NOT NULL)),
    CHECK (status <> 'paid' OR (receipt IS NOT NULL AND settlement IS NOT NULL))
  )`
  yield* sql`INSERT INTO checkouts (id, status, merchant, caller, terms, created_at, expires_at, idempotency_key,
      request_digest, webhook_url, webhook_secret, payment, payload, attempt, binding, processing_at, receipt,
      settlement, paid_at, expired_at)
    SELECT id, status, merchant, merchant, terms, created_at, expires_at, idempotency_key, request_digest, webhook_url,
      webhook_secret, payment, payload, attempt, binding, processing_at, receipt, settlement, paid_at, expired_at
    FROM checkouts_0004`
  yield* sql`DROP TABLE checkouts_0004`
  yield* sql`CREATE INDEX checkouts_by_caller ON checkouts (caller, created_at)`
  yield* sql`CREATE INDEX checkouts_by_status ON checkouts (status, expires_at)`
})

export default Effect.gen(function* () {
  const { integer, sql } = yield* dialect
  yield* table
  yield* sql`CREATE TABLE checkout_transfers (
    evidence TEXT PRIMARY KEY NOT NULL,
    checkout_id TEXT NOT NULL,
    via TEXT NOT NULL CHECK (via IN ('verify', 'wallet', 'refund')),
    transaction_id TEXT NOT NULL,
    payer TEXT,
    amount TEXT NOT NULL,
    at ${integer} NOT NULL,
    seen_at ${integer} NOT NULL
  )`
  yield* sql`CREATE INDEX checkout_transfers_by_checkout ON checkout_transfers (checkout_id)`
  yield* sql`CREATE TABLE checkout_references (
    reference TEXT PRIMARY KEY NOT NULL,
    checkout_id TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX checkout_references_by_checkout ON checkout_references (checkout_id)`
  yield* sql`CREATE TABLE receiving_accounts (
    owner TEXT PRIMARY KEY NOT NULL,
    watch_from ${integer} NOT NULL,
    watch_until ${integer} NOT NULL,
    cursor TEXT,
    balance TEXT,
    looked_at ${integer} NOT NULL,
    scanned_to ${integer} NOT NULL
  )`
  yield* sql`CREATE INDEX receiving_accounts_by_look ON receiving_accounts (looked_at)`
  // Checkouts that are open on Solana now have their id as the memo, and may have been paid already.
  const openOnSolana = sql`status IN ('open', 'processing') AND merchant LIKE 'solana:%'`
  yield* sql`INSERT INTO checkout_references (reference, checkout_id) SELECT id, id FROM checkouts WHERE ${openOnSolana}`
  yield* sql`INSERT INTO receiving_accounts (owner, watch_from, watch_until, looked_at, scanned_to)
    SELECT merchant, MIN(created_at), MAX(expires_at), 0, 0 FROM checkouts WHERE ${openOnSolana} GROUP BY merchant`
  yield* sql`CREATE TABLE checkout_counters (
    caller TEXT NOT NULL,
    counted TEXT NOT NULL,
    period ${integer} NOT NULL,
    count ${integer} NOT NULL,
    PRIMARY KEY (caller, counted, period)
  )`
  yield* sql`INSERT INTO checkout_counters (caller, counted, period, count)
    SELECT caller, 'open', 0, COUNT(*) FROM checkouts WHERE status IN ('open', 'processing') GROUP BY caller`
  yield* sql`CREATE TABLE leases (
    name TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    until ${integer} NOT NULL
  )`
})
