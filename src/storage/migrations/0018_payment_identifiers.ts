import { schema } from "../dialect.ts"

/**
 * Ids callers gave their payments (x402 `payment-identifier`). An id belongs to its payer, who proved himself by the
 * payment, so that nobody can use up another's. And what a payer bought is found by its order. Times are Unix
 * milliseconds.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE payment_identifiers (
    payer TEXT NOT NULL,
    id TEXT NOT NULL,
    authorization_key TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (payer, id)
  )`,
  sql`CREATE INDEX payments_by_payer ON payments (payer, fingerprint)`
])
