import { afterAll, beforeAll } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { databaseAt } from "../../src/storage/database.ts"

/** The path of a migrated database without rows, made before the tests of a file and removed after them. */
export const useEmptyDatabase = (): (() => string) => {
  let directory = ""
  const path = () => join(directory, "empty.db")
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "simulation-"))
    const database = databaseAt({ dialect: "sqlite", path: path() })
    await Effect.runPromise(Effect.scoped(Effect.provide(Effect.void, database)))
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return path
}
