import type { SqlClient, Statement } from "@effect/sql"
import { Effect } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"

/** Rows one statement clears, so that no purge holds the database for long. */
const CHUNK = 500

/**
 * Drops what only matters while a payment may come again: payload, terms, answer, settlement, and the history of moves.
 * Key, payer, amount, reason, proof and evidence stay: a dropped payment still counts as used, for ever. A watched row
 * is never touched.
 */
export const makePurge = (sql: SqlClient.SqlClient, now: Effect.Effect<Statement.Fragment>) =>
  Effect.fn("Ledger.purge")(function* (ageMillis: number) {
    let total = 0
    while (true) {
      const at = yield* now
      const keys = yield* narrowSql(
        Effect.gen(function* () {
          const rows = yield* sql<{ authorization_key: string }>`UPDATE payments
            SET payload = NULL, requirements = NULL, answer = NULL, settlement = NULL
            WHERE authorization_key IN (SELECT authorization_key FROM payments
              WHERE payload IS NOT NULL AND updated_at < ${at} - ${ageMillis} AND watched = 0 LIMIT ${CHUNK})
            RETURNING authorization_key`
          const dropped = rows.map((row) => row.authorization_key)
          if (dropped.length > 0) {
            yield* sql`DELETE FROM payment_events WHERE ${sql.in("authorization_key", dropped)} AND event NOT IN ('settled', 'reorganised', 'lost')`
          }
          return dropped
        }).pipe(sql.withTransaction)
      )
      total += keys.length
      if (keys.length < CHUNK) return total
    }
  })
