import type { SqlClient, Statement } from "@effect/sql"
import type { Effect } from "effect"
import { atNow } from "../domain/now.ts"

/**
 * Unix milliseconds as an expression for a statement. On PostgreSQL the server's clock, so that processes on several
 * machines count leases alike; SQLite's processes share one machine, and so our own clock.
 */
export const databaseNow = (sql: SqlClient.SqlClient): Effect.Effect<Statement.Fragment> =>
  atNow((millis) =>
    sql.onDialectOrElse({
      pg: (): Statement.Fragment => sql.literal("(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT"),
      orElse: () => sql`${millis}`
    })
  )
