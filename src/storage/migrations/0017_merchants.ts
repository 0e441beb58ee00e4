import { schema } from "../dialect.ts"

/**
 * Merchants who proved that a receiving account is theirs. Tokens are kept as SHA-256 digests; `merchant_sign_ins` holds
 * the nonces of proofs that were used, so that a proof gives one token. Times are Unix milliseconds.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE merchants (
    id TEXT PRIMARY KEY NOT NULL,
    account TEXT NOT NULL UNIQUE,
    settings TEXT NOT NULL,
    created_at ${integer} NOT NULL
  )`,
  sql`CREATE TABLE merchant_tokens (
    id TEXT PRIMARY KEY NOT NULL,
    merchant_id TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    revoked_at ${integer}
  )`,
  sql`CREATE INDEX merchant_tokens_by_merchant ON merchant_tokens (merchant_id)`,
  sql`CREATE TABLE merchant_sign_ins (
    nonce TEXT PRIMARY KEY NOT NULL,
    used_at ${integer} NOT NULL
  )`,
  sql`ALTER TABLE checkouts ADD COLUMN metadata TEXT`
])
