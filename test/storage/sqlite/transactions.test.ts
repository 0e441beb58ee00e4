import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import fc from "fast-check"
import { join } from "node:path"
import { sqliteClient } from "../../../src/storage/sqlite/sqlite-client.ts"
import { scopedFolder } from "../../support/scoped-folder.ts"

const onFile = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.flatMap(scopedFolder, (folder) =>
    Effect.provide(effect, sqliteClient(join(folder, "test.db")))
  ).pipe(Effect.scoped)

const withTable = Effect.tap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE t (n INTEGER)`)

describe("transactions at the SQLite connection", () => {
  it.live("what is read beside a transaction is never what may still be taken back", () =>
    onFile(
      Effect.gen(function* () {
        const sql = yield* withTable
        const written = yield* Deferred.make<void>()
        const goOn = yield* Deferred.make<void>()
        const undone = yield* Effect.fork(
          sql.withTransaction(
            sql`INSERT INTO t VALUES (1)`.pipe(
              Effect.zipRight(Deferred.succeed(written, undefined)),
              Effect.zipRight(Deferred.await(goOn)),
              Effect.zipRight(Effect.fail("undone"))
            )
          )
        )
        yield* Deferred.await(written)
        const read = yield* Effect.fork(sql`SELECT n FROM t`)
        yield* Effect.yieldNow()
        yield* Deferred.succeed(goOn, undefined)
        expect(yield* Fiber.join(read)).toEqual([])
        expect(Exit.isFailure(yield* Fiber.await(undone))).toBe(true)
      })
    )
  )

  it.live("an interrupted transaction is undone and gives its turn back", () =>
    onFile(
      Effect.gen(function* () {
        const sql = yield* withTable
        const written = yield* Deferred.make<void>()
        const cut = yield* Effect.fork(
          sql.withTransaction(
            sql`INSERT INTO t VALUES (1)`.pipe(
              Effect.zipRight(Deferred.succeed(written, undefined)),
              Effect.zipRight(Effect.never)
            )
          )
        )
        yield* Deferred.await(written)
        yield* Fiber.interrupt(cut)
        yield* sql`INSERT INTO t VALUES (2)`
        expect(yield* sql`SELECT n FROM t`).toEqual([{ n: 2 }])
      })
    )
  )

  it.scopedLive(
    "a connection that is closed keeps what was finished, and nothing of a work that was not",
    () =>
      Effect.gen(function* () {
        const database = sqliteClient(join(yield* scopedFolder, "test.db"))
        const cut = Effect.gen(function* () {
          const sql = yield* withTable
          const written = yield* Deferred.make<void>()
          const finished = yield* Effect.fork(sql.withTransaction(sql`INSERT INTO t VALUES (1)`))
          const unfinished = sql.withTransaction(
            Effect.all([
              sql`INSERT INTO t VALUES (2)`,
              Deferred.succeed(written, undefined),
              Effect.never,
              sql`INSERT INTO t VALUES (3)`
            ])
          )
          yield* Effect.forkDaemon(unfinished)
          yield* Deferred.await(written)
          return finished
        })
        const finished = yield* Effect.provide(cut, database)
        expect(Exit.isSuccess(yield* Fiber.await(finished))).toBe(true)
        const kept = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ n: number }>`SELECT n FROM t`)
        expect(yield* Effect.provide(kept, database)).toEqual([{ n: 1 }])
      })
  )

  /** A transaction of the property: what it inserts, whether it pauses, nests, and how it ends. */
  const works = fc.array(
    fc.record({
      values: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
      pauses: fc.boolean(),
      nestedFails: fc.boolean(),
      succeeds: fc.boolean()
    }),
    { maxLength: 12 }
  )

  it.live("whatever runs at once, what stays is the work of those that succeeded", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(works, (all) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              yield* sql`CREATE TABLE t (work INTEGER, n INTEGER)`
              const one = ({ nestedFails, pauses, succeeds, values }: (typeof all)[number], work: number) =>
                Effect.gen(function* () {
                  for (const n of values) yield* sql`INSERT INTO t ${sql.insert({ work, n })}`
                  const nested = sql`INSERT INTO t VALUES (${work}, 100)`
                  if (nestedFails)
                    yield* Effect.ignore(sql.withTransaction(Effect.zipRight(nested, Effect.fail("no"))))
                  if (pauses) yield* Effect.yieldNow()
                  if (!succeeds) yield* Effect.fail("no")
                }).pipe(sql.withTransaction, Effect.exit)
              const exits = yield* Effect.forEach(all, one, { concurrency: "unbounded" })
              expect(exits.map(Exit.isSuccess)).toEqual(all.map(({ succeeds }) => succeeds))
              const rows = yield* sql`SELECT work, n FROM t ORDER BY work, rowid`
              expect(rows).toEqual(
                all.flatMap(({ succeeds, values }, work) =>
                  succeeds ? values.map((n) => ({ work, n })) : []
                )
              )
            }).pipe(Effect.provide(sqliteClient(":memory:")))
          )
        ),
        { numRuns: 40 }
      )
    )
  )

  it.live("lists of values, raw results and rows by position are what the library gives", () =>
    onFile(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE t (n INTEGER, word TEXT)`
        yield* sql`INSERT INTO t ${sql.insert([
          { n: 1, word: "a" },
          { n: 2, word: "b" }
        ])}`
        expect(yield* sql`SELECT n FROM t WHERE ${sql.in("n", [1, 2, 3])} ORDER BY n`).toEqual([
          { n: 1 },
          { n: 2 }
        ])
        expect(yield* sql`SELECT n, word AS n FROM t WHERE n = ${2}`.values).toEqual([[2, "b"]])
        expect(yield* sql`SELECT word FROM ${sql("t")} WHERE n = ${1}`.withoutTransform).toEqual([
          { word: "a" }
        ])
        expect(yield* sql.unsafe("UPDATE t SET word = ? WHERE n = 1 RETURNING word", ["c"])).toEqual([
          { word: "c" }
        ])
      })
    )
  )
})
