import { SqlClient, type SqlError } from "@effect/sql"
import { DateTime, Effect, type ParseResult, Schema } from "effect"

const KeyRow = Schema.Struct({
  kid: Schema.String,
  purpose: Schema.Literal("sign", "hmac"),
  origin: Schema.Literal("generated", "configured"),
  material: Schema.String,
  created: Schema.String
})
export type KeyRow = typeof KeyRow.Type

const decodeRows = Schema.decodeUnknown(Schema.Array(KeyRow))

type StoreError = SqlError.SqlError | ParseResult.ParseError

/** Every key, the newest first. */
export const allKeys: Effect.Effect<ReadonlyArray<KeyRow>, StoreError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`
    SELECT kid, purpose, origin, material, created FROM attestation_keys ORDER BY created DESC, kid`
    return yield* decodeRows(rows)
  }
)

/**
 * Adds a key unless it, or for a generated one another of its purpose, is there already: one statement, so that of
 * several processes starting at once exactly one generates.
 */
export const addKey = (
  key: Pick<KeyRow, "kid" | "purpose" | "origin" | "material">
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const created = DateTime.formatIso(yield* DateTime.now)
    const slot = key.origin === "generated" ? key.purpose : null
    yield* sql`
      INSERT INTO attestation_keys (kid, purpose, origin, material, slot, created)
      VALUES (${key.kid}, ${key.purpose}, ${key.origin}, ${key.material}, ${slot}, ${created})
      ON CONFLICT DO NOTHING`
  })
