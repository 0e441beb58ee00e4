import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Context, Effect, Layer, TestClock } from "effect"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openLog } from "../../../src/storage/sqlite/log-sync.ts"
import { sqliteClientOver } from "../../../src/storage/sqlite/sqlite-client.ts"
import { unsynced } from "../../../src/storage/unsynced.ts"
import { scopedFolder } from "../../support/scoped-folder.ts"

/** A connection to a file of its own, and what is asked of its log. */
const connected = Effect.gen(function* () {
  const path = join(yield* scopedFolder, "test.db")
  const disk = { opened: 0, closed: 0, synced: 0, isGone: false, isStuck: false }
  const sync = Effect.suspend(() => {
    disk.synced += 1
    return disk.isGone ? Effect.fail("the disk is gone") : Effect.void
  })
  const logOf = () =>
    Effect.acquireRelease(
      Effect.sync(() => {
        disk.opened += 1
        return { sync }
      }),
      () =>
        Effect.suspend(() => {
          disk.closed += 1
          return disk.isStuck ? Effect.die("the disk is gone") : Effect.void
        })
    )
  const sql = Context.get(
    yield* Layer.build(sqliteClientOver(() => new Sqlite(path), { logOf })),
    SqlClient.SqlClient
  )
  yield* sql`CREATE TABLE t (n INTEGER)`
  const write = sql`INSERT INTO t VALUES (1)`
  return { disk, write, writeUnsynced: unsynced(sql)(write) }
})

const awhile = TestClock.adjust("20 millis")

describe("what was committed without waiting for the disk", () => {
  it.scoped(
    "is brought there behind it, with all that came meanwhile, and nothing is where nothing was",
    () =>
      Effect.gen(function* () {
        const { disk, writeUnsynced } = yield* connected
        yield* writeUnsynced
        yield* writeUnsynced
        expect(disk.synced).toBe(0)
        yield* awhile
        expect(disk.synced).toBe(1)
        yield* TestClock.adjust("1 hour")
        expect(disk.synced).toBe(1)
        yield* writeUnsynced
        yield* awhile
        expect(disk).toMatchObject({ synced: 2, opened: 1, closed: 0 })
      })
  )

  it.scoped("is brought there by SQLite itself where the commit does wait", () =>
    Effect.gen(function* () {
      const { disk, write } = yield* connected
      yield* write
      yield* TestClock.adjust("1 hour")
      expect(disk).toMatchObject({ synced: 0, opened: 0 })
    })
  )

  it.scoped("costs nothing but the sync where that fails, and the next one opens the log anew", () =>
    Effect.gen(function* () {
      const { disk, writeUnsynced } = yield* connected
      disk.isGone = true
      yield* writeUnsynced
      yield* awhile
      expect(disk).toMatchObject({ synced: 1, opened: 1, closed: 1 })
      disk.isGone = false
      yield* writeUnsynced
      yield* awhile
      expect(disk).toMatchObject({ synced: 2, opened: 2, closed: 1 })
    })
  )

  it.scoped("is brought there by the next sync also where the log could not even be closed", () =>
    Effect.gen(function* () {
      const { disk, writeUnsynced } = yield* connected
      Object.assign(disk, { isGone: true, isStuck: true })
      yield* writeUnsynced
      yield* awhile
      Object.assign(disk, { isGone: false, isStuck: false })
      yield* writeUnsynced
      yield* awhile
      expect(disk).toMatchObject({ synced: 2, opened: 2, closed: 1 })
    })
  )

  it.effect("leaves no open log behind", () =>
    Effect.gen(function* () {
      const { disk } = yield* Effect.scoped(
        Effect.tap(connected, ({ writeUnsynced }) => Effect.zipRight(writeUnsynced, awhile))
      )
      expect(disk).toMatchObject({ opened: 1, closed: 1 })
    })
  )
})

describe("a log on disk", () => {
  it.scoped("is synced, and one that is not there is told", () =>
    Effect.gen(function* () {
      const path = join(yield* scopedFolder, "test.db")
      expect((yield* Effect.exit(openLog(path)))._tag).toBe("Failure")
      writeFileSync(path, "")
      writeFileSync(`${path}-wal`, "frames")
      yield* Effect.flatMap(openLog(path), ({ sync }) => sync)
    })
  )

  it.scoped("is the one that SQLite writes, also behind a link to its file", () =>
    Effect.gen(function* () {
      const folder = yield* scopedFolder
      const link = join(folder, "link.db")
      symlinkSync(join(folder, "test.db"), link)
      const db = yield* Effect.acquireRelease(
        Effect.sync(() => new Sqlite(link)),
        (opened) => Effect.sync(() => opened.close())
      )
      db.pragma("journal_mode = WAL")
      db.exec("CREATE TABLE t (n INTEGER)")
      yield* Effect.flatMap(openLog(link), ({ sync }) => sync)
    })
  )
})
