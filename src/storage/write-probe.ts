import { SqlClient, type SqlError } from "@effect/sql"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"

/**
 * Writes and takes back a lease that nobody asks for, for whoever wants to know whether the database can be written: a full
 * disk, a lock, and a server that has become a replica are seen by writing only.
 */
export const makeWriteProbe: Effect.Effect<
  Effect.Effect<void, SqlError.SqlError>,
  never,
  SqlClient.SqlClient
> = Effect.map(SqlClient.SqlClient, (sql) =>
  Effect.suspend(() => {
    const name = `write probe ${randomUUID()}`
    return Effect.asVoid(
      sql.withTransaction(
        Effect.zipRight(
          sql`INSERT INTO leases (name, owner, until) VALUES (${name}, ${""}, ${0})`,
          sql`DELETE FROM leases WHERE name = ${name}`
        )
      )
    )
  })
)
