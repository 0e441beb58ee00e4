import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Schema } from "effect"
import { UpstreamError } from "../domain/errors.ts"
import { narrowSql } from "../storage/sql-errors.ts"

const KeyRow = Schema.Struct({
  kid: Schema.String,
  purpose: Schema.Literal("sign", "hmac"),
  origin: Schema.Literal("generated", "configured"),
  material: Schema.String,
  created: Schema.String
})
export type KeyRow = typeof KeyRow.Type

const decodeRows = Schema.decodeUnknown(Schema.Array(KeyRow))

/** Every key, the newest first. */
export const allKeys: Effect.Effect<ReadonlyArray<KeyRow>, UpstreamError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* narrowSql(sql`
      SELECT kid, purpose, origin, material, created FROM attestation_keys ORDER BY created DESC, kid`)
    return yield* Effect.mapError(
      decodeRows(rows),
      () =>
        new UpstreamError({
          upstream: "database",
          kind: "malformed",
          detail: "attestation_keys has odd rows"
        })
    )
  }
)

/**
 * Adds a key unless it, or for a generated one another of its purpose, is there already: one statement, so that of
 * several processes starting at once exactly one generates.
 */
export const addKey = (
  key: Pick<KeyRow, "kid" | "purpose" | "origin" | "material">
): Effect.Effect<void, UpstreamError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const created = DateTime.formatIso(yield* DateTime.now)
    const slot = key.origin === "generated" ? key.purpose : null
    yield* narrowSql(sql`
      INSERT INTO attestation_keys (kid, purpose, origin, material, slot, created)
      VALUES (${key.kid}, ${key.purpose}, ${key.origin}, ${key.material}, ${slot}, ${created})
      ON CONFLICT DO NOTHING`)
  })
