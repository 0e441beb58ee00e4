import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { BackupError, eachPage, type Header, type Trailer, verifyBackup } from "./backup-file.ts"
import { LATEST, migrate, migrateTo } from "./migrations.ts"

const PAGE = 500
const MIGRATIONS = "effect_sql_migrations"

/** PostgreSQL's driver gives 64-bit integers as text already; no value may fail the whole backup. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item))

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () => sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`,
    orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_master
      WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1`
  })
  return rows.map(({ name }) => name)
})

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** All rows of a table, a page at a time, within the transaction that is open. */
const eachRowPage = Effect.fnUntraced(function* <E>(
  table: string,
  use: (rows: Rows) => Effect.Effect<void, E>
) {
  const sql = yield* SqlClient.SqlClient
  const onPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  if (onPostgres) {
    yield* sql`DECLARE backup_rows NO SCROLL CURSOR FOR SELECT * FROM ${sql(table)}`
  }
  // Any row, whatever id somebody gave it: one that a backup leaves out is lost.
  let last = Number.MIN_SAFE_INTEGER
  for (;;) {
    const rows = onPostgres
      ? yield* sql.unsafe<Record<string, unknown>>(`FETCH ${PAGE} FROM backup_rows`)
      : yield* sql<Record<string, unknown>>`SELECT rowid AS backup_position, * FROM ${sql(table)}
          WHERE rowid > ${last} ORDER BY rowid LIMIT ${PAGE}`
    if (rows.length > 0) yield* use(rows.map(({ backup_position: _position, ...row }) => row))
    if (rows.length < PAGE) break
    last = Number(rows.at(-1)?.["backup_position"])
  }
  if (onPostgres) yield* sql`CLOSE backup_rows`
})

const codeOf = (error: unknown): string => String(Object(error)["code"] ?? "unknown")

const unwritable = (path: string, error: unknown) =>
  new BackupError({
    message:
      codeOf(error) === "EEXIST"
        ? `${path} is there already: another backup writes it, or one was killed and it can be deleted`
        : `${path} cannot be written (${codeOf(error)})`
  })

/**
 * A file that exists under its name only when it is whole and on the disk, and takes no other's place. Nobody else may
 * read it.
 */
const writtenWhole = (path: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => openSync(`${path}.part`, "wx", 0o600),
      catch: (error) => unwritable(`${path}.part`, error)
    }),
    (file, exit) =>
      Effect.sync(() => {
        if (exit._tag === "Success") fsyncSync(file)
        closeSync(file)
        if (exit._tag === "Success") renameSync(`${path}.part`, path)
        else rmSync(`${path}.part`, { force: true })
      })
  ).pipe(
    // Asked while no other backup can be writing to this name.
    Effect.filterOrFail(
      () => !existsSync(path),
      () => new BackupError({ message: `${path} is there already; give the backup another name` })
    )
  )

/**
 * Writes everything in the database to a new file while the service goes on: one transaction sees one moment. Gives the
 * number of rows. Requires the database as it is.
 */
export const backup = Effect.fn("Backup.write")(function* (path: string) {
  const sql = yield* SqlClient.SqlClient
  const file = yield* writtenWhole(path)
  const hash = createHash("sha256")
  let count = 0
  const write = (value: object) =>
    Effect.try({
      try: () => {
        const line = `${jsonOf(value)}\n`
        hash.update(line)
        writeSync(file, line)
      },
      catch: (error) => unwritable(`${path}.part`, error)
    })
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.onDialectOrElse({
        pg: () => sql.unsafe("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
        orElse: () => Effect.void
      })
      const [state] = yield* sql<{
        latest: number
      }>`SELECT MAX(migration_id) AS latest FROM ${sql(MIGRATIONS)}`
      yield* write({
        backup: "token-risk",
        format: 1,
        migration: Number(state?.latest ?? 0)
      } satisfies Header)
      for (const table of yield* tables) {
        if (table === MIGRATIONS) continue
        yield* eachRowPage(table, (rows) => {
          count += rows.length
          return write({ table, rows })
        })
      }
    })
  )
  yield* write({ end: true, rows: count, sha256: hash.copy().digest("hex") } satisfies Trailer)
  return count
}, Effect.scoped)

const insert = Effect.fnUntraced(function* (table: string, rows: Rows) {
  const sql = yield* SqlClient.SqlClient
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const names = columns.map((name) => `"${name}"`).join(", ")
  const statement = sql.onDialectOrElse({
    // The ids stay what they were.
    pg: () => `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE VALUES `,
    orElse: () => `INSERT INTO "${table}" (${names}) VALUES `
  })
  const mark = sql.onDialectOrElse({ pg: () => (at: number) => `$${at}`, orElse: () => () => "?" })
  const values = rows.map(
    (_, row) => `(${columns.map((_name, column) => mark(row * columns.length + column + 1)).join(", ")})`
  )
  yield* sql.unsafe(
    statement + values.join(", "),
    rows.flatMap((row) => columns.map((name) => row[name]))
  )
})

/** New rows must not get ids that the restored ones have. */
const advanceIdentities = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const identities = yield* sql<{
    table: string
    column: string
  }>`SELECT table_name AS "table", column_name AS "column"
    FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`
  for (const { table, column } of identities) {
    yield* sql`SELECT setval(pg_get_serial_sequence(${table}, ${column}),
      (SELECT COALESCE(MAX(${sql(column)}), 0) + 1 FROM ${sql(table)}), false)`
  }
})

/**
 * Fills an empty database from a backup, all of it or nothing, and brings it to this program's schema. Gives the
 * number of rows. Requires the database as it is.
 */
export const restore = Effect.fn("Backup.restore")(function* (path: string) {
  const sql = yield* SqlClient.SqlClient
  const { header, rows } = yield* verifyBackup(path)
  if (header.migration > LATEST) {
    return yield* new BackupError({
      message: "the backup is from a newer version of token-risk; install that one"
    })
  }
  if ((yield* tables).length > 0) {
    return yield* new BackupError({
      message: "DATABASE_URL names a database that is not empty; name a new one"
    })
  }
  yield* migrateTo(header.migration)
  const known = new Set(yield* tables)
  yield* sql.withTransaction(
    Effect.gen(function* () {
      // What a migration put there is in the backup too.
      for (const table of known) if (table !== MIGRATIONS) yield* sql`DELETE FROM ${sql(table)}`
      const begun = new Set<string>()
      yield* eachPage(path, ({ rows, table }): Effect.Effect<void, BackupError | SqlError> => {
        if (!known.has(table) || table === MIGRATIONS)
          return new BackupError({ message: `the backup has an unknown table, ${table}` })
        const filled = Effect.provideService(insert(table, rows), SqlClient.SqlClient, sql)
        if (begun.has(table)) return filled
        begun.add(table)
        // So is what a trigger put there, of tables that were restored before.
        return Effect.zipRight(sql`DELETE FROM ${sql(table)}`, filled)
      })
      yield* sql.onDialectOrElse({ pg: () => advanceIdentities, orElse: () => Effect.void })
    })
  )
  yield* migrate
  return rows
})
