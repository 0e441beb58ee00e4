import { SqlClient, type Statement } from "@effect/sql"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { UpstreamError } from "../domain/errors.ts"
import { narrowSql } from "./sql-errors.ts"

/**
 * Whether a lease is over: its end, a column, has passed, or lies further ahead than `longest` milliseconds, the longest
 * lease that could begin now. Then a clock that ran ahead has written it, and it would hold everybody up until then.
 */
export const isOver = (
  sql: SqlClient.SqlClient,
  end: string,
  now: Statement.Fragment,
  longest: number
): Statement.Fragment => {
  const [column, most] = [sql.literal(end), sql.literal(String(longest))]
  return sql`(${column} <= ${now} OR ${column} > ${now} + ${most})`
}

/** True while this process is the one that holds a named lease; taking and renewing it are the same call. */
export interface Lease {
  readonly hold: Effect.Effect<boolean, UpstreamError>
}

/**
 * Work that one process at a time does for all. Times are the database's own, so that clocks of different machines do
 * not matter. A process that dies loses the lease when it runs out.
 */
export const makeLease = Effect.fnUntraced(function* (name: string, millis: number) {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* Effect.sync(() => randomUUID())
  const now = sql.onDialectOrElse({
    pg: () => sql.literal("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"),
    orElse: () => sql.literal("CAST(unixepoch('subsec') * 1000 AS INTEGER)")
  })
  const hold =
    narrowSql(sql`INSERT INTO leases (name, owner, until) VALUES (${name}, ${owner}, ${now} + ${millis})
      ON CONFLICT (name) DO UPDATE SET owner = ${owner}, until = ${now} + ${millis}
        WHERE leases.owner = ${owner} OR ${isOver(sql, "leases.until", now, millis)} RETURNING owner`).pipe(
      Effect.map((rows) => rows.length > 0)
    )
  const release = sql`DELETE FROM leases WHERE name = ${name} AND owner = ${owner}`
  yield* Effect.addFinalizer(() => Effect.ignore(release))
  return { hold } satisfies Lease
})
