import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { backup, restore } from "../../src/storage/backup.ts"
import { databaseAt, unmigratedDatabaseAt } from "../../src/storage/database.ts"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"
import { sharedPostgres } from "../support/postgres.ts"
import { everything, fillEveryTable } from "../support/storage/tables.ts"
import { newFolder } from "../support/folder.ts"

const sqlite = (name: string): DatabaseUrl => ({ dialect: "sqlite", path: join(newFolder(), name) })

const asItIs = <A, E>(url: DatabaseUrl, work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(work, Layer.fresh(unmigratedDatabaseAt(url)))
const inService = <A, E>(url: DatabaseUrl, work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(work, Layer.fresh(databaseAt(url)))

/** 64-bit, quotes, line ends, other scripts. */
const DETAIL = `{"a":"it's \\"quoted\\""}\n日本語`
const EVENTS = 1_203

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = Array.from({ length: EVENTS }, (_, at) => ({
    authorization_key: `key-${at}`,
    event: "claimed",
    detail: DETAIL,
    at: 1_800_000_000_000 + at
  }))
  yield* sql`INSERT INTO payment_events ${sql.insert(rows)}`
})

const addOne = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO payment_events ${sql.insert({ authorization_key: "new", event: "claimed", detail: "", at: 1 })}`
})

/** Backs a running service up, restores elsewhere, starts a service there and goes on. */
const drill = (from: DatabaseUrl, to: DatabaseUrl) =>
  Effect.gen(function* () {
    const file = join(newFolder(), "backup.jsonl")
    const before = yield* inService(
      from,
      Effect.gen(function* () {
        yield* fillEveryTable
        yield* fill
        expect(yield* asItIs(from, backup(file))).toBeGreaterThanOrEqual(EVENTS)
        return yield* everything
      })
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
    yield* asItIs(to, restore(file))
    expect(yield* inService(to, everything)).toEqual(before)
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([])
    yield* inService(to, addOne)
    expect((yield* inService(to, everything))["payment_events"]).toHaveLength(
      1 + (before["payment_events"]?.length ?? 0)
    )
    expect(String(yield* Effect.flip(asItIs(to, restore(file))))).toContain("not empty")
    return file
  })

describe("a backup", () => {
  it.scopedLive("of a running service restores whole, on SQLite, PostgreSQL, and from one to the other", () =>
    Effect.gen(function* () {
      const { database } = yield* sharedPostgres
      yield* drill(sqlite("a.db"), sqlite("b.db"))
      yield* drill(yield* database("one"), yield* database("two"))
      yield* drill(sqlite("c.db"), yield* database("three"))
      yield* drill(yield* database("four"), sqlite("d.db"))
    })
  )

  it.live("that is cut, changed or something else is refused, and nothing is restored", () =>
    Effect.gen(function* () {
      const file = yield* drill(sqlite("a.db"), sqlite("b.db"))
      const whole = readFileSync(file, "utf8")
      const lines = whole.trimEnd().split("\n")
      const refused = (content: string) =>
        Effect.gen(function* () {
          const damaged = join(newFolder(), "damaged.jsonl")
          writeFileSync(damaged, content)
          const target = sqlite("target.db")
          const error = yield* Effect.flip(asItIs(target, restore(damaged)))
          yield* asItIs(target, restore(file))
          return String(error)
        })
      expect(yield* refused(lines.slice(0, -1).join("\n"))).toContain("its end is missing")
      expect(yield* refused(whole.replace("key-7", "key-8"))).toContain("it was changed")
      expect(yield* refused("hello\nworld\n")).toContain("no token-risk backup")
      expect(yield* refused("")).toContain("its end is missing")
    })
  )

  it.live("never writes over a file, and leaves none behind that is not whole", () =>
    Effect.gen(function* () {
      const file = join(newFolder(), "backup.jsonl")
      appendFileSync(`${file}.part`, "somebody else's")
      const url = sqlite("a.db")
      yield* inService(url, fill)
      expect((yield* Effect.flip(asItIs(url, backup(file)))).message).toContain("is there already")
    })
  )
})
