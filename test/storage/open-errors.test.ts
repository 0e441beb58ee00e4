import { describe, expect, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Redacted } from "effect"
import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { databaseAt, unmigratedDatabaseAt } from "../../src/storage/database.ts"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"
import { LATEST } from "../../src/storage/migrations.ts"
import { sharedPostgres } from "../support/postgres.ts"
import { newFolder } from "../support/folder.ts"

const opening = (url: DatabaseUrl) => Effect.scoped(Layer.build(Layer.fresh(databaseAt(url))))
const sqlite = (path: string): DatabaseUrl => ({ dialect: "sqlite", path })
const postgres = (url: string): DatabaseUrl => ({ dialect: "postgres", url: Redacted.make(url) })

const refusal = (url: DatabaseUrl) =>
  Effect.map(
    Effect.flip(opening(url)),
    ({ problem, remedy, variable }) => `${variable}: ${problem}; ${remedy}`
  )

describe("a database that cannot be opened", () => {
  it.live("because its file is damaged is named, with what helps", () =>
    Effect.gen(function* () {
      const path = join(newFolder(), "damaged.db")
      writeFileSync(path, "no database, though long enough to look like one".repeat(50))
      const line = yield* refusal(sqlite(path))
      expect(line).toContain(`DATABASE_URL: ${path} is no SQLite database`)
      expect(line).toContain("restore a backup")
    })
  )

  it.live("because its place is a directory, or below a file, is named", () =>
    Effect.gen(function* () {
      const place = newFolder()
      mkdirSync(join(place, "directory.db"))
      writeFileSync(join(place, "file"), "")
      for (const path of [join(place, "directory.db"), join(place, "file", "x.db")])
        expect(yield* refusal(sqlite(path))).toContain("cannot be opened")
    })
  )

  it.live("because no directory can be made at its place is named, and not tried for ever", () =>
    Effect.map(refusal(sqlite("/proc/nowhere/x.db")), (line) => expect(line).toContain("cannot be opened"))
  )

  it.live.each(["sqlite", "postgres"] as const)(
    "because a newer version has migrated it (%s) is named, and stays as it is",
    (dialect) =>
      Effect.gen(function* () {
        const url =
          dialect === "sqlite"
            ? sqlite(join(newFolder(), "newer.db"))
            : yield* (yield* sharedPostgres).database("newer")
        const migrations = (change: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
          Effect.scoped(
            Effect.flatMap(Layer.build(Layer.fresh(unmigratedDatabaseAt(url))), (context) =>
              change(Context.get(context, SqlClient.SqlClient))
            )
          )
        yield* opening(url)
        const future = { migration_id: LATEST + 1, name: "of_tomorrow" }
        yield* migrations((sql) => sql`INSERT INTO effect_sql_migrations ${sql.insert(future)}`)
        expect(yield* refusal(url)).toMatch(
          /^DATABASE_URL: .* was migrated by a newer version of token-risk; start that one, or restore the backup that was made before the upgrade$/
        )
        yield* migrations((sql) => sql`DELETE FROM effect_sql_migrations WHERE name = 'of_tomorrow'`)
        yield* opening(url)
      }).pipe(Effect.scoped)
  )

  it.live("because PostgreSQL is down is named without the password", () =>
    Effect.gen(function* () {
      const line = yield* refusal(postgres("postgres://user:hunter2@127.0.0.1:1/risk"))
      expect(line).toBe(
        "DATABASE_URL: PostgreSQL at 127.0.0.1:1/risk cannot be reached; start it, or correct host and port"
      )
    })
  )

  it.scopedLive("because PostgreSQL refuses the password or lacks the database is named", () =>
    Effect.gen(function* () {
      const known = yield* (yield* sharedPostgres).database("known")
      if (known.dialect !== "postgres") return yield* Effect.dieMessage("not PostgreSQL")
      const url = Redacted.value(known.url)
      expect(yield* refusal(postgres(url.replace("/known", "/absent")))).toContain("has no such database")
      expect(yield* refusal(postgres(url.replace(":test@", ":hunter2@")))).toContain("the password")
    })
  )
})

it.live("the database file, its journal and a new folder are for their owner only", () =>
  Effect.gen(function* () {
    const parent = join(newFolder(), "data")
    const path = join(parent, "ledger.db")
    const modes = yield* Effect.scoped(
      Effect.map(Layer.build(Layer.fresh(databaseAt(sqlite(path)))), () =>
        [parent, path, `${path}-wal`, `${path}-shm`].map((file) => statSync(file).mode & 0o777)
      )
    )
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600])
  })
)
