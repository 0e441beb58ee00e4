import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Option, Runtime } from "effect"
import * as fc from "fast-check"
import { join } from "node:path"
import { FreeTierStoreLive } from "../../src/free-tier/free-tier-store-live.ts"
import { FreeTierStore } from "../../src/free-tier/free-tier-store.ts"
import { databaseAt, unmigratedDatabaseAt } from "../../src/storage/database.ts"
import { type DatabaseUrl, SQLITE_MEMORY } from "../../src/storage/database-url.ts"
import { migrateTo } from "../../src/storage/migrations.ts"
import { narrowSql } from "../../src/storage/sql-errors.ts"
import { set } from "../support/clocks.ts"
import { sharedPostgres } from "../support/postgres.ts"
import { newFolder } from "../support/folder.ts"

const WINDOW = 10_000
const LIMITS = { client: 2, ip: 4, all: 7 }
const CONFIG = new Map([
  ["FREE_WINDOW", `${WINDOW} millis`],
  ["FREE_DEEP_CALLS", String(LIMITS.client)],
  ["FREE_CALLS_PER_IP", String(LIMITS.ip)],
  ["FREE_CALLS_GLOBAL", String(LIMITS.all)]
])

const file = () => join(newFolder(), "free.db")

const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("reserve" as const),
      client: fc.nat(4),
      ip: fc.nat(2),
      /** So many at once, in both processes by turns. */
      times: fc.integer({ min: 1, max: 5 })
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("reserveAll" as const),
      callers: fc.array(fc.record({ client: fc.nat(4), ip: fc.nat(2) }), { minLength: 1, maxLength: 8 })
    })
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("release" as const), which: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("wait" as const), millis: fc.integer({ min: 1, max: WINDOW }) })
  }
)
type Step = typeof anyStep extends fc.Arbitrary<infer A> ? A : never

interface Held {
  readonly client: string
  readonly ip: string
  readonly at: number
}

/** A window that is counted row by row, as the limits are worded. */
const makeModel = (now: () => number) => {
  const held: Array<Held> = []
  const counted = (is: (call: Held) => boolean) =>
    held.filter((call) => call.at > now() - WINDOW && is(call)).length
  return {
    reserve: (client: string, ip: string): boolean => {
      const isLeft =
        counted((call) => call.client === client) < LIMITS.client &&
        counted((call) => call.ip === ip) < LIMITS.ip &&
        counted(() => true) < LIMITS.all
      if (isLeft) held.push({ client, ip, at: now() })
      return isLeft
    },
    release: (client: string, ip: string, at: number): void => {
      const index = held.findIndex((call) => call.client === client && call.ip === ip && call.at === at)
      if (index >= 0) held.splice(index, 1)
    }
  }
}

const COUNTS = [
  "SELECT caller, calls FROM free_calls_counts",
  `SELECT client AS caller, COUNT(*) AS calls FROM free_calls GROUP BY client
    UNION ALL SELECT ip, COUNT(*) FROM free_calls GROUP BY ip
    UNION ALL SELECT 'all', calls FROM (SELECT COUNT(*) AS calls FROM free_calls) AS held WHERE calls > 0`
] as const

/** The counts as they are kept, and as they would be made anew. */
const bothCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const read = (statement: string) =>
    Effect.map(sql.unsafe<{ caller: string; calls: unknown }>(statement), (rows) =>
      rows.map(({ caller, calls }) => `${caller} ${String(calls)}`).toSorted()
    )
  return { kept: yield* read(COUNTS[0]), made: yield* read(COUNTS[1]) }
})

/** Follows steps in two processes at one database (in one where it is this process's own), and in the model. */
const expectLikeModel = (url: DatabaseUrl, numRuns: number) =>
  Effect.gen(function* () {
    // Behind PostgreSQL's own clock: what is counted ahead of that a process that starts counts as of now.
    const clock = set(1_700_000_000_000)
    const process = Layer.fresh(FreeTierStoreLive).pipe(
      Layer.provideMerge(databaseAt(url)),
      Layer.provide(Layer.mergeAll(Layer.setConfigProvider(ConfigProvider.fromMap(CONFIG)), clock.layer))
    )
    const one = yield* Layer.build(process)
    const isShared = url.dialect === "sqlite" && url.path === SQLITE_MEMORY
    const two = isShared ? one : yield* Layer.build(process)
    const stores = [Context.get(one, FreeTierStore), Context.get(two, FreeTierStore)] as const
    const sql = Context.get(one, SqlClient.SqlClient)

    const follow = Effect.fnUntraced(
      function* (steps: ReadonlyArray<Step>) {
        yield* narrowSql(sql`DELETE FROM free_calls`)
        const model = makeModel(clock.now)
        const granted: Array<Held & { readonly id: string }> = []
        for (const step of steps) {
          if (step.does === "wait") clock.move(step.millis)
          else if (step.does === "release") {
            const [call] = granted.splice(step.which, 1)
            if (call === undefined) continue
            yield* stores[step.which % 2 === 0 ? 0 : 1].release(call.id)
            model.release(call.client, call.ip, call.at)
          } else if (step.does === "reserveAll") {
            const callers = step.callers.map((one) => ({
              client: `client-${one.client}`,
              ip: `10.0.0.${one.ip}`
            }))
            const ids = yield* stores[0].reserveAll(
              callers.map(({ client, ip }) => ({ clientId: client, ip }))
            )
            // They come at the same moment: those who have one come before those who have none.
            const isGranted = ids.map(Option.isSome)
            const [first, last] = [true, false].map((is) => callers.filter((_, at) => isGranted[at] === is))
            expect({ step, granted: first?.map(({ client, ip }) => model.reserve(client, ip)) }).toEqual({
              step,
              granted: first?.map(() => true)
            })
            expect({ step, refused: last?.map(({ client, ip }) => model.reserve(client, ip)) }).toEqual({
              step,
              refused: last?.map(() => false)
            })
            for (const [at, { client, ip }] of callers.entries())
              for (const id of Option.toArray(ids[at] ?? Option.none()))
                granted.push({ id, client, ip, at: clock.now() })
          } else {
            const [client, ip] = [`client-${step.client}`, `10.0.0.${step.ip}`]
            const ids = yield* Effect.forEach(
              Array.from({ length: step.times }, (_, i) => stores[i % 2 === 0 ? 0 : 1]),
              (store) => store.reserve({ clientId: client, ip }),
              { concurrency: "unbounded" }
            )
            const expected = ids.filter(() => model.reserve(client, ip)).length
            const given = ids.flatMap(Option.toArray)
            expect({ step, granted: given.length }).toEqual({ step, granted: expected })
            granted.push(...given.map((id) => ({ id, client, ip, at: clock.now() })))
          }
          const { kept, made } = yield* bothCounts
          expect(kept).toEqual(made)
        }
      },
      Effect.provide(Layer.merge(Layer.succeedContext(one), clock.layer))
    )

    const run = Runtime.runPromise(yield* Effect.runtime<never>())
    const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), (steps) => run(follow(steps)))
    yield* Effect.promise(() => fc.assert(property, { numRuns }))
  })

describe("the free tier's counting", () => {
  it.scopedLive("answers as if every row of the window were counted, on SQLite", () =>
    expectLikeModel({ dialect: "sqlite", path: SQLITE_MEMORY }, 150)
  )

  it.scopedLive("answers so in two processes at one file", () =>
    expectLikeModel({ dialect: "sqlite", path: file() }, 4)
  )

  it.scopedLive("answers as if every row of the window were counted, on PostgreSQL", () =>
    Effect.gen(function* () {
      const postgres = yield* sharedPostgres
      yield* expectLikeModel(yield* postgres.database("free_counting"), 20)
    })
  )

  it.scopedLive("goes on from the calls of a database that did not keep counts", () =>
    Effect.gen(function* () {
      const postgres = yield* sharedPostgres
      for (const url of [
        { dialect: "sqlite", path: file() } as const,
        yield* postgres.database("free_older")
      ]) {
        const older = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* migrateTo(53)
          const rows = [0, 1, 2, 3, 4].map((at) => ({
            id: `id-${at}`,
            client: `c${at % 3}`,
            ip: `i${at % 2}`,
            at
          }))
          yield* sql`INSERT INTO free_calls ${sql.insert(rows)}`
        })
        yield* Effect.provide(older, Layer.fresh(unmigratedDatabaseAt(url)))
        const { kept, made } = yield* Effect.provide(bothCounts, Layer.fresh(databaseAt(url)))
        expect(kept).toEqual(made)
        expect(kept).toEqual(["all 5", "c0 2", "c1 2", "c2 1", "i0 3", "i1 2"])
      }
    })
  )
})
