import { schema } from "../dialect.ts"

/**
 * The settling side's own record, written ahead of every broadcast: which process may use a key, what waits to be
 * sent, which transaction took which nonce, and the signed bytes of every attempt at it. Times are Unix milliseconds,
 * fees per gas are wei as text, `fee_micros` millionths of a USD.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE settlement_keys (
    address TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    lease_until ${integer} NOT NULL,
    next_nonce ${integer}
  )`,
  sql`CREATE TABLE settlement_jobs (
    authorization_key TEXT PRIMARY KEY NOT NULL,
    job TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'assigned', 'landed', 'failed', 'expired')),
    tries ${integer} NOT NULL,
    address TEXT,
    nonce ${integer},
    evidence TEXT,
    reason TEXT,
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL
  )`,
  sql`CREATE INDEX settlement_jobs_by_state ON settlement_jobs (state, created_at)`,
  sql`CREATE INDEX settlement_jobs_by_nonce ON settlement_jobs (address, nonce)`,
  sql`CREATE TABLE settlement_transactions (
    address TEXT NOT NULL,
    nonce ${integer} NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('prepared', 'broadcast', 'included', 'final', 'foreign')),
    gas TEXT NOT NULL,
    bound TEXT NOT NULL,
    window_end ${integer} NOT NULL,
    hash TEXT,
    block_number ${integer},
    block_hash TEXT,
    fee_micros ${integer},
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    PRIMARY KEY (address, nonce)
  )`,
  sql`CREATE INDEX settlement_transactions_by_state ON settlement_transactions (address, state)`,
  sql`CREATE INDEX settlement_transactions_by_time ON settlement_transactions (updated_at)`,
  sql`CREATE TABLE settlement_attempts (
    hash TEXT PRIMARY KEY NOT NULL,
    address TEXT NOT NULL,
    nonce ${integer} NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('payment', 'cancel')),
    raw TEXT NOT NULL,
    max_fee TEXT NOT NULL,
    tip TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    sent_at ${integer}
  )`,
  sql`CREATE INDEX settlement_attempts_by_nonce ON settlement_attempts (address, nonce)`
])
