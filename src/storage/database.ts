import { SqlClient } from "@effect/sql"
import { Cause, Config, Effect, Layer, Redacted } from "effect"
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import type { StartError } from "../domain/errors.ts"
import { type DatabaseUrl, databaseUrl, SQLITE_MEMORY } from "./database-url.ts"
import { migrate, requireLatest } from "./migrations.ts"
import { openError } from "./open-errors.ts"
import { postgresClient } from "./postgres-client.ts"
import { withTimeouts } from "./postgres-url.ts"
import { sqliteClient } from "./sqlite/sqlite-client.ts"

/** Everything the storage reads from the environment. */
export const databaseConfig = Config.all({ url: databaseUrl })

/**
 * Milliseconds a blocked SQLite write may freeze the event loop before it is retried by `narrowSql` instead: nothing may
 * stall it for more than fifty.
 */
const SQLITE_BUSY_TIMEOUT = 25

/** Connections per process; PostgreSQL's default limit of 100 leaves room for several processes. */
const POSTGRES_CONNECTIONS = 10

/**
 * A power failure must not forget a claim or a settlement: SQLite's default in WAL mode syncs only at checkpoints.
 */
const sqlitePragmas = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("PRAGMA synchronous = FULL")
  yield* sql.unsafe(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT}`)
})

/**
 * What a work in a shared transaction is undone with (see `makeTurns`) stays in memory: in files it takes as many writes
 * as the log itself. Said after the migrations, which may sort millions of rows.
 */
const undoInMemory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    sqlite: () => Effect.asVoid(sql.unsafe("PRAGMA temp_store = MEMORY")),
    orElse: () => Effect.void
  })
})

/** Step by step: Node's own way tries for ever where the system denies that the parent is there (`/proc`). */
const makeDirectory = (path: string): void => {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (cause) {
    // Another worker may have made it meanwhile.
    if (!existsSync(path)) throw cause
  }
}

/** The ledger names payers and the database may hold keys: nobody else on this machine reads it, nor its journal. */
const makePrivateFile = (path: string): void => {
  makeDirectory(dirname(path))
  closeSync(openSync(path, "a", 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600)
}

const sqlite = (path: string) =>
  Layer.effectDiscard(sqlitePragmas).pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(
        Effect.sync(() => {
          if (path !== SQLITE_MEMORY) makePrivateFile(path)
          return sqliteClient(path)
        })
      )
    )
  )

/** How long a connection is waited for, made anew or given back by others. */
const POSTGRES_CONNECT = "10 seconds"

/** A connection is made anew after it: one that leads nowhere any more is not asked again for longer. */
const POSTGRES_LIFE = "30 seconds"

const connect = (url: DatabaseUrl) =>
  url.dialect === "sqlite"
    ? sqlite(url.path)
    : postgresClient({
        url: Redacted.make(withTimeouts(Redacted.value(url.url))),
        maxConnections: POSTGRES_CONNECTIONS,
        connectTimeout: POSTGRES_CONNECT,
        connectionTTL: POSTGRES_LIFE,
        applicationName: "token-risk"
      })

/** Whatever goes wrong is told in the operator's words. */
const opened = <E>(
  url: DatabaseUrl,
  database: Layer.Layer<SqlClient.SqlClient, E>
): Layer.Layer<SqlClient.SqlClient, StartError> =>
  Layer.scopedContext(
    Layer.build(database).pipe(
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.fail(openError(url, cause))
      )
    )
  )

/** A database as it is: nothing is migrated. For backup and restore. */
export const unmigratedDatabaseAt = (url: DatabaseUrl): Layer.Layer<SqlClient.SqlClient, StartError> =>
  opened(url, connect(url))

/** A service's database for others than the service: of this program's schema already, or `StartError`. Never migrated. */
export const currentDatabaseAt = (url: DatabaseUrl): Layer.Layer<SqlClient.SqlClient, StartError> =>
  opened(
    url,
    Layer.effectDiscard(Effect.zipRight(requireLatest, undoInMemory)).pipe(Layer.provideMerge(connect(url)))
  )

/** A migrated database at a given place. Fails with `StartError` where it cannot be opened or migrated. */
export const databaseAt = (url: DatabaseUrl): Layer.Layer<SqlClient.SqlClient, StartError> =>
  opened(
    url,
    Layer.effectDiscard(Effect.zipRight(migrate, undoInMemory)).pipe(Layer.provideMerge(connect(url)))
  )

/** The database of `DATABASE_URL`, migrated. Provides `SqlClient`; column names come back as they are written. */
export const DatabaseLive = Layer.unwrapEffect(Effect.map(databaseConfig, ({ url }) => databaseAt(url)))
