import { schema } from "../dialect.ts"

/**
 * Refunds that were prepared for a merchant to sign. `lifetime` is what lets a transaction land at most once: the
 * account's nonce on Base (empty for a contract wallet), the blockhash on Solana, which is good up to the block height
 * `valid_until`. `looked_to` is the block or slot up to which the chain was looked through. One refund of a checkout to
 * one payer is open at a time. Times are Unix milliseconds, amounts TEXT in smallest units.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE checkout_refunds (
    id TEXT PRIMARY KEY NOT NULL,
    checkout_id TEXT NOT NULL,
    payer TEXT NOT NULL,
    amount TEXT NOT NULL,
    lifetime TEXT NOT NULL,
    valid_until ${integer},
    state TEXT NOT NULL CHECK (state IN ('open', 'seen', 'void')),
    looked_to ${integer} NOT NULL,
    prepared_at ${integer} NOT NULL,
    next_look ${integer} NOT NULL
  )`,
  sql`CREATE UNIQUE INDEX checkout_refunds_open ON checkout_refunds (checkout_id, payer) WHERE state = 'open'`,
  sql`CREATE INDEX checkout_refunds_due ON checkout_refunds (next_look) WHERE state = 'open'`
])
