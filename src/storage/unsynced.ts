import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, FiberRef, GlobalValue } from "effect"

/** Whether a transaction of this fiber is told of its success when it is on disk, and not before. */
export const isSynced = GlobalValue.globalValue("token-risk/storage/isSynced", () =>
  FiberRef.unsafeMake(true)
)

/**
 * A transaction that does not wait for the disk. It is as atomic as any, everybody sees it at once, and a service that is
 * killed right behind it has not lost it. What a power failure or a crash of the system takes with it (of PostgreSQL: a
 * crash of its server, which writes within a second) is the last of these transactions, and never one that others were
 * told is on disk. For what costs nobody money: a count that bounds what is given away, never a claim or a transfer.
 */
export const unsynced =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    sql.onDialectOrElse({
      pg: () => sql.withTransaction(Effect.zipRight(sql`SET LOCAL synchronous_commit = off`, work)),
      orElse: () => Effect.locally(sql.withTransaction(work), isSynced, false)
    })
