import type { SqlClient, Statement } from "@effect/sql"
import type { Effect } from "effect"
import { atNow } from "../domain/now.ts"

/**
 * Unix milliseconds as an expression for a statement. On PostgreSQL it is the server's clock, so that processes on
 * several machines count leases alike; on SQLite all processes share one machine, so it is our own clock.
 */
export const databaseNow = (sql: SqlClient.SqlClient): Effect.Effect<Statement.Fragment> =>
  atNow((millis) =>
    sql.onDialectOrElse({
      pg: (): Statement.Fragment => sql.literal("(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT"),
      orElse: () => sql`${millis}`
    })
  )
