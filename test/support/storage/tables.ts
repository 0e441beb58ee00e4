/** All tables of a database, whatever they are called: rows for each, and what they hold. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The migrator's own list, which every database writes for itself. */
const MIGRATIONS = "effect_sql_migrations"

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () =>
      sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_master
      WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
  })
  return rows.map(({ name }) => name).filter((name) => name !== MIGRATIONS)
})

interface Column {
  readonly name: string
  readonly type: string
}

/** Columns that a row names; the others count by themselves. */
const columnsOf = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql.onDialectOrElse({
    pg: () => sql<Column>`SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ${table} AND is_identity = 'NO'`,
    orElse: () => sql<Column>`SELECT name, type FROM pragma_table_info(${table})`
  })
  return columns
})

/** Words that constrained columns take. */
const WORDS = {
  status: "paid",
  purpose: "sign",
  origin: "generated",
  standing: "recent",
  kind: "payment",
  via: "verify"
}
/** States, of which one suits each table that has them. */
const STATES = ["settled", "refused", "delivered", "waiting", "final", "open"]

/** Zero and one are numbers and flags alike. */
const valueFor = ({ name, type }: Column, at: number): string | number =>
  /int|double|real/i.test(type) ? at : `${name} ${at} it's "quoted"\n日本語`

/** Puts two rows into every table. */
export const fillEveryTable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of yield* tables) {
    const columns = yield* columnsOf(table)
    for (const at of [0, 1]) {
      const row = Object.fromEntries(columns.map((column) => [column.name, valueFor(column, at)]))
      const words = Object.entries(WORDS).filter(([name]) => name in row)
      const filled = { ...row, ...Object.fromEntries(words) }
      const inserts = ("state" in row ? STATES : [undefined]).map(
        (state) =>
          sql`INSERT INTO ${sql(table)} ${sql.insert(state === undefined ? filled : { ...filled, state })}`
      )
      yield* Effect.firstSuccessOf(inserts)
    }
  }
})

/** PostgreSQL's driver gives 64-bit integers as text. */
const plain = (row: object): string =>
  JSON.stringify(
    Object.entries(row)
      .map(([name, value]): readonly [string, string | null] => [name, value === null ? null : String(value)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  )

/** Deletes every row: a test that shares its database with others, or is tried again, begins with none. */
export const emptied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of yield* tables) yield* sql`DELETE FROM ${sql(table)}`
})

/** Every row of every table, by table. */
export const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const table of yield* tables) {
    const rows = yield* sql<object>`SELECT * FROM ${sql(table)}`
    found[table] = rows.map(plain).toSorted()
  }
  return found
})
