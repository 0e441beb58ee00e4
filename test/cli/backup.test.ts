import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { databaseAt } from "../../src/storage/database.ts"
import { run } from "../support/cli/run.ts"
import { newFolder } from "../support/folder.ts"

/** The command, run where the service runs. */
const operator = (path: string, args: ReadonlyArray<string>) =>
  run(args, { environment: { DATABASE_URL: path } })

const aDatabase = Effect.gen(function* () {
  const path = join(newFolder(), "ledger.db")
  yield* Effect.provide(Effect.void, Layer.fresh(databaseAt({ dialect: "sqlite", path })))
  return path
})

describe("a backup", () => {
  it.live("is written, restored elsewhere, and told of in one line each", () =>
    Effect.gen(function* () {
      const file = join(newFolder(), "today.jsonl")
      const out = yield* operator(`sqlite:${yield* aDatabase}`, ["backup", file])
      expect([out.code, out.out]).toEqual([0, expect.stringMatching(/today\.jsonl: \d+ rows? backed up$/)])
      const back = yield* operator(`sqlite:${join(newFolder(), "new.db")}`, ["restore", file])
      expect([back.code, back.out]).toEqual([
        0,
        expect.stringMatching(/^\d+ rows? restored from .*today\.jsonl/)
      ])
    })
  )

  it.live("takes the place of no file that is there", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const file = join(folder, "monday.jsonl")
      writeFileSync(file, "last month's")
      const { code, err } = yield* operator(`sqlite:${yield* aDatabase}`, ["backup", file])
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/monday\.jsonl is there already; .*another name/)
      ])
      expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["last month's", ["monday.jsonl"]])
    })
  )

  it.live("says what is in its way: another backup, or no folder", () =>
    Effect.gen(function* () {
      const url = `sqlite:${yield* aDatabase}`
      const file = join(newFolder(), "tuesday.jsonl")
      writeFileSync(`${file}.part`, "")
      expect((yield* operator(url, ["backup", file])).err).toMatch(
        /tuesday\.jsonl\.part is there already: another backup writes it, or one was killed and it can be deleted/
      )
      expect((yield* operator(url, ["backup", "/nowhere/at/all.jsonl"])).err).toMatch(
        /\/nowhere\/at\/all\.jsonl\.part cannot be written \(ENOENT\)/
      )
    })
  )

  it.live("is of a database that is there, and makes none", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const { code, err } = yield* operator(`sqlite:${join(folder, "data", "none.db")}`, [
        "backup",
        join(folder, "b.jsonl")
      ])
      expect([code, err]).toEqual([2, expect.stringContaining("There is no database at DATABASE_URL")])
      expect(readdirSync(folder)).toEqual([])
    })
  )

  it.live("needs a DATABASE_URL of a form that is known, and says which", () =>
    Effect.gen(function* () {
      for (const args of [
        ["backup", "x.jsonl"],
        ["restore", "x.jsonl"]
      ]) {
        const { code, err } = yield* operator("mysql://user:hunter2@host/db", args)
        expect([code, err]).toEqual([2, expect.stringContaining("DATABASE_URL must be sqlite:PATH")])
        expect(err).not.toContain("hunter2")
      }
      expect(existsSync("x.jsonl")).toBe(false)
    })
  )
})

describe("what reads the service's database", () => {
  it.live.each(["payments", "reconcile --day 2026-11-27"])("says why it cannot: %s", (command) =>
    Effect.gen(function* () {
      const damaged = join(newFolder(), "damaged.db")
      writeFileSync(damaged, "no database, though long enough to look like one".repeat(50))
      const read = yield* operator(`sqlite:${damaged}`, command.split(" "))
      expect([read.code, read.err]).toEqual([5, expect.stringContaining("is no SQLite database")])
      const wrong = yield* operator("postgres://a:hunter2@host/db?query_timeout=abc", command.split(" "))
      expect([wrong.code, wrong.err]).toEqual([
        2,
        expect.stringContaining("DATABASE_URL query_timeout must be milliseconds")
      ])
    })
  )
})
