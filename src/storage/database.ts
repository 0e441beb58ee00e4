import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Config, Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { type DatabaseUrl, databaseUrl, SQLITE_MEMORY } from "./database-url.ts"
import { migrate } from "./migrations.ts"

/** Everything the storage reads from the environment. */
export const databaseConfig = Config.all({ url: databaseUrl })

/** Milliseconds a blocked SQLite write may freeze the event loop before it is retried by `retryBusy` instead. */
const SQLITE_BUSY_TIMEOUT = 100

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

const sqlite = (path: string) =>
  Layer.effectDiscard(sqlitePragmas).pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(
        Effect.sync(() => {
          if (path !== SQLITE_MEMORY) mkdirSync(dirname(path), { recursive: true })
          return SqliteClient.layer({ filename: path })
        })
      )
    )
  )

const connect = (url: DatabaseUrl) =>
  url.dialect === "sqlite"
    ? sqlite(url.path)
    : PgClient.layer({ url: url.url, maxConnections: POSTGRES_CONNECTIONS, applicationName: "token-risk" })

/** A migrated database at a given place. Opening fails the start of the process. */
export const databaseAt = (url: DatabaseUrl) =>
  Layer.effectDiscard(migrate).pipe(Layer.provideMerge(connect(url)))

/** The database of `DATABASE_URL`, migrated. Provides `SqlClient`; column names come back as they are written. */
export const DatabaseLive = Layer.unwrapEffect(Effect.map(databaseConfig, ({ url }) => databaseAt(url)))
