import { SqlClient } from "@effect/sql"
import type { Statement } from "@effect/sql"
import { Clock, Effect } from "effect"

/**
 * Unix milliseconds as an expression for a statement. On PostgreSQL the server's clock, so that processes on several
 * machines count leases alike; SQLite's processes share one machine, and so our own clock.
 */
export const databaseNow: Effect.Effect<Statement.Fragment, never, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const millis = yield* Clock.currentTimeMillis
    return sql.onDialectOrElse({
      pg: () => sql.literal("(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT"),
      orElse: () => sql`${millis}`
    })
  }
)
