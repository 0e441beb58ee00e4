/** A SQLite database in memory with every table, for tests that need one each. */
import type { SqlClient } from "@effect/sql"
import Sqlite from "better-sqlite3"
import { Effect, Layer } from "effect"
import { migrate } from "../../../src/storage/migrations.ts"
import { sqliteClientOver } from "../../../src/storage/sqlite/sqlite-client.ts"

let template: Buffer | undefined

/** The bytes of an empty database with every table. */
export const migratedFile = Effect.suspend(() => {
  if (template !== undefined) return Effect.succeed(template)
  const first = new Sqlite(":memory:")
  return migrate.pipe(
    Effect.andThen(() => (template = first.serialize())),
    Effect.provide(sqliteClientOver(() => first)),
    Effect.orDie
  )
})

/** What the service's migrations make of an empty database. They run once a worker; each test gets a copy of its own. */
export const memoryDatabase: Layer.Layer<SqlClient.SqlClient> = Layer.unwrapEffect(
  Effect.map(migratedFile, (bytes) => sqliteClientOver(() => new Sqlite(bytes)))
)
