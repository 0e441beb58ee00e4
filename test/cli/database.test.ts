import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { join } from "node:path"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"
import { unmigratedDatabaseAt } from "../../src/storage/database.ts"
import { LATEST, migrateTo } from "../../src/storage/migrations.ts"
import { run } from "../support/cli/run.ts"
import { newFolder } from "../support/folder.ts"
import { sharedPostgres } from "../support/postgres.ts"

const nameOf = (url: DatabaseUrl): string =>
  url.dialect === "sqlite" ? `sqlite:${url.path}` : Redacted.value(url.url)

const newest = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ latest: number }>`SELECT MAX(migration_id) AS latest FROM effect_sql_migrations`
  return Number(row?.latest)
})

const COMMANDS = [["payments"], ["reconcile", "--day", "2026-11-26"], ["refund", "chk_x"]]

describe("the database that a service of an older build is using", () => {
  it.scopedLive.each(["sqlite", "postgres"] as const)(
    "is left as it is by commands of this one: nothing undoes a migration (%s)",
    (dialect) =>
      Effect.gen(function* () {
        const url =
          dialect === "sqlite"
            ? ({ dialect, path: join(newFolder(), "older.db") } as const)
            : yield* (yield* sharedPostgres).database("older")
        const place = Layer.fresh(unmigratedDatabaseAt(url))
        yield* Effect.provide(migrateTo(LATEST - 1), place)
        for (const command of COMMANDS) {
          const { code, err } = yield* run(command, { environment: { DATABASE_URL: nameOf(url) } })
          expect([code, err]).toEqual([5, expect.stringContaining("of an older version of token-risk")])
        }
        expect(yield* Effect.provide(newest, place)).toBeLessThan(LATEST)
      })
  )

  it.scopedLive("is none where nothing of a service is in it, and gets no tables", () =>
    Effect.gen(function* () {
      const url = yield* (yield* sharedPostgres).database("nobodys")
      const { code, err } = yield* run(["payments"], { environment: { DATABASE_URL: nameOf(url) } })
      expect([code, err]).toEqual([5, expect.stringContaining("holds nothing of token-risk")])
      const tables = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'`
      )
      expect(yield* Effect.provide(tables, Layer.fresh(unmigratedDatabaseAt(url)))).toEqual([])
    })
  )
})
