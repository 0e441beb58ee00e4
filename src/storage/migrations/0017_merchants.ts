import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Merchants who proved that a receiving account is theirs. Tokens are kept as SHA-256 digests; `merchant_sign_ins` holds
 * the nonces of proofs that were used, so that a proof gives one token. Times are Unix milliseconds.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const time = sql.onDialectOrElse({ pg: () => sql.literal("BIGINT"), orElse: () => sql.literal("INTEGER") })
  yield* sql`CREATE TABLE merchants (
    id TEXT PRIMARY KEY NOT NULL,
    account TEXT NOT NULL UNIQUE,
    settings TEXT NOT NULL,
    created_at ${time} NOT NULL
  )`
  yield* sql`CREATE TABLE merchant_tokens (
    id TEXT PRIMARY KEY NOT NULL,
    merchant_id TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    created_at ${time} NOT NULL,
    revoked_at ${time}
  )`
  yield* sql`CREATE INDEX merchant_tokens_by_merchant ON merchant_tokens (merchant_id)`
  yield* sql`CREATE TABLE merchant_sign_ins (
    nonce TEXT PRIMARY KEY NOT NULL,
    used_at ${time} NOT NULL
  )`
  yield* sql`ALTER TABLE checkouts ADD COLUMN metadata TEXT`
})
