import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Nonces of wallet sign-ins that were used: a signature opens what it opens once. Times are Unix milliseconds. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const time = sql.onDialectOrElse({ pg: () => sql.literal("BIGINT"), orElse: () => sql.literal("INTEGER") })
  yield* sql`CREATE TABLE sign_ins (
    nonce TEXT PRIMARY KEY NOT NULL,
    used_at ${time} NOT NULL
  )`
  yield* sql`CREATE INDEX sign_ins_by_time ON sign_ins (used_at)`
})
