import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer } from "effect"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { databaseAt, DatabaseLive } from "../../src/storage/database.ts"
import { unsynced } from "../../src/storage/unsynced.ts"
import { sharedPostgres } from "../support/postgres.ts"
import { newFolder } from "../support/folder.ts"

const configured = (value: string) =>
  Layer.provide(
    DatabaseLive,
    Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["DATABASE_URL", value]])))
  )

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`
  return rows.map((row) => row.name)
})

describe("the database of DATABASE_URL", () => {
  it.effect("is migrated when it opens, and opening it again changes nothing", () =>
    Effect.gen(function* () {
      const path = join(newFolder(), "deep", "er", "ledger.db")
      const first = yield* tables.pipe(Effect.provide(configured(`sqlite:${path}`)))
      expect(first).toEqual(expect.arrayContaining(["payments", "payment_events", "free_calls"]))
      expect(existsSync(path)).toBe(true)
      const second = yield* tables.pipe(Effect.provide(configured(`sqlite:${path}`)))
      expect(second).toEqual(first)
    })
  )

  it.effect("is the file that is named, and private, also where spaces stand around its name", () =>
    Effect.gen(function* () {
      const directory = newFolder()
      const path = join(directory, "ledger.db")
      yield* tables.pipe(Effect.provide(configured(`sqlite: ${path} `)))
      expect(readdirSync(directory)).toEqual(["ledger.db"])
      expect(statSync(path).mode & 0o777).toBe(0o600)
      const nameless = yield* Effect.exit(tables.pipe(Effect.provide(configured("sqlite: "))))
      expect(Exit.isFailure(nameless) && String(nameless.cause)).toContain("must be sqlite:PATH")
    })
  )

  it.live("is migrated once by processes that start together", () =>
    Effect.gen(function* () {
      const path = join(newFolder(), "ledger.db")
      const opened = yield* Effect.forEach(
        [1, 2, 3, 4],
        () => tables.pipe(Effect.provide(Layer.fresh(databaseAt({ dialect: "sqlite", path })))),
        { concurrency: "unbounded" }
      )
      for (const names of opened) expect(names).toEqual(expect.arrayContaining(["payments", "free_calls"]))
    })
  )

  it.effect("syncs every commit to disk", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`PRAGMA synchronous`).toEqual([{ synchronous: 2 }])
    }).pipe(Effect.provide(configured("sqlite::memory:")))
  )

  it.effect("syncs all but what says that it need not be", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const level = Effect.map(sql<{ synchronous: number }>`PRAGMA synchronous`, ([row]) => row?.synchronous)
      expect(yield* unsynced(sql)(level)).toBe(1)
      expect(yield* level).toBe(2)
      expect(yield* sql.withTransaction(level)).toBe(2)
      yield* Effect.exit(unsynced(sql)(Effect.fail("undone")))
      expect(yield* sql.withTransaction(level)).toBe(2)
    }).pipe(Effect.provide(configured("sqlite::memory:")))
  )

  it.scopedLive("does not wait for PostgreSQL's disk where that is not asked for, and else does", () =>
    Effect.gen(function* () {
      const postgres = yield* sharedPostgres
      const level = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const read = sql<{ synchronous_commit: string }>`SHOW synchronous_commit`
        const inside = yield* unsynced(sql)(read)
        return [...inside, ...(yield* sql.withTransaction(read))].map((row) => row.synchronous_commit)
      })
      expect(yield* Effect.provide(level, databaseAt(yield* postgres.database("unsynced")))).toEqual([
        "off",
        "on"
      ])
    })
  )

  it.effect("keeps in memory what a transaction is undone with", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`PRAGMA temp_store`).toEqual([{ temp_store: 2 }])
    }).pipe(Effect.provide(configured("sqlite::memory:")))
  )

  it.effect("refuses another URL without repeating it", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Effect.provide(tables, configured("mysql://root:hunter2@db/x")))
      expect(Exit.isFailure(exit)).toBe(true)
      const text = JSON.stringify(exit)
      expect(text).toContain("DATABASE_URL")
      expect(text).not.toContain("hunter2")
    })
  )
})
