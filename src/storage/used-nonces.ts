import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { UpstreamError } from "../domain/errors.ts"
import { databaseNow } from "./database-clock.ts"
import { narrowSql } from "./sql-errors.ts"

/** Uses a nonce up; `false` when it was used before. Nonces twice as old as `lifeMillis` are forgotten: they expired. */
export const useNonce = (
  nonce: string,
  lifeMillis: number
): Effect.Effect<boolean, UpstreamError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* databaseNow(sql)
    return yield* narrowSql(
      Effect.gen(function* () {
        yield* sql`DELETE FROM sign_ins WHERE used_at < ${now} - ${2 * lifeMillis}`
        const fresh = yield* sql`INSERT INTO sign_ins (nonce, used_at) VALUES (${nonce}, ${now})
          ON CONFLICT (nonce) DO NOTHING RETURNING nonce`
        return fresh.length > 0
      })
    )
  })
