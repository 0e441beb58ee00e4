import { SqlClient, type Statement } from "@effect/sql"
import { Effect } from "effect"

/** The client, and the column types that each database spells in its own way. SQLite's `INTEGER` has 64 bits as it is. */
export const dialect = Effect.map(SqlClient.SqlClient, (sql) => ({
  sql,
  /** Whole numbers of 64 bits: times, heights, counts. */
  integer: sql.onDialectOrElse({ pg: () => sql.literal("BIGINT"), orElse: () => sql.literal("INTEGER") }),
  /** A key the database counts up by itself. */
  identity: sql.onDialectOrElse({
    pg: () => sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    orElse: () => sql.literal("INTEGER PRIMARY KEY")
  })
}))

export type Dialect = Effect.Effect.Success<typeof dialect>

/** A migration that is nothing but statements, run in their order. */
export const schema = (statements: (dialect: Dialect) => ReadonlyArray<Statement.Statement<unknown>>) =>
  Effect.flatMap(dialect, (known) => Effect.all(statements(known), { discard: true }))
