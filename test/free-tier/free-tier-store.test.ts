import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { FreeTierStoreLive } from "../../src/free-tier/free-tier-store-live.ts"
import { FreeTierStore } from "../../src/free-tier/free-tier-store.ts"
import { feeTotalsOn } from "../../src/payment/settler/fee-ledger.ts"
import { databaseAt } from "../../src/storage/database.ts"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"
import { bundleScript } from "../support/bundled-script.ts"
import { sharedPostgres } from "../support/postgres.ts"
import { newFolder } from "../support/folder.ts"

const storeAt = (url: DatabaseUrl, config: Readonly<Record<string, string>> = {}) =>
  Layer.fresh(FreeTierStoreLive).pipe(
    Layer.provideMerge(databaseAt(url)),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(config)))))
  )

const DAY = 86_400_000

const memory: DatabaseUrl = { dialect: "sqlite", path: ":memory:" }

const reserve = (clientId: string, ip = "10.0.0.1") =>
  Effect.flatMap(FreeTierStore, (store) => store.reserve({ clientId, ip }))

const TAKES_AND_DIES = "test/support/free-tier/takes-and-dies.ts"

const diedSaying = (program: string, path: string) =>
  new Promise<{ readonly signal: string | null; readonly said: string }>((resolve) => {
    let said = ""
    const child = spawn(process.execPath, [program, path], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    child.stdout.on("data", (chunk) => (said += String(chunk)))
    child.once("close", (_code, signal) => resolve({ signal, said }))
  })

const countGranted = (reservations: ReadonlyArray<Option.Option<string>>) =>
  reservations.filter(Option.isSome).length

const together = <A, E, R>(times: number, effect: (i: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(
    Array.from({ length: times }, (_, i) => i),
    effect,
    { concurrency: "unbounded" }
  )

describe("the free tier", () => {
  it.effect("grants three calls per caller, and one more for each that was given back", () =>
    Effect.gen(function* () {
      const store = yield* FreeTierStore
      const granted = yield* together(10, () => reserve("agent-1"))
      expect(countGranted(granted)).toBe(3)
      const [first] = granted.flatMap(Option.toArray)
      yield* store.release(first ?? "")
      yield* store.release(first ?? "")
      expect(countGranted(yield* together(5, () => reserve("agent-1")))).toBe(1)
      expect(Option.isSome(yield* reserve("agent-2"))).toBe(true)
    }).pipe(Effect.provide(storeAt(memory)))
  )

  it.effect("counts a caller who names himself like an address as no call of that address", () =>
    Effect.gen(function* () {
      yield* together(3, () => reserve("10.0.0.1", "10.0.0.2"))
      expect(Option.isSome(yield* reserve("agent", "10.0.0.1"))).toBe(true)
    }).pipe(Effect.provide(storeAt(memory, { FREE_CALLS_PER_IP: "3" })))
  )

  it.effect("frees a call though hundreds of others leave the window before it", () =>
    Effect.gen(function* () {
      // No removal beside the calls falls between.
      yield* TestClock.adjust("1 second")
      yield* together(210, (at) => reserve(`other ${at}`, `10.0.1.${at}`))
      yield* TestClock.adjust("1 second")
      yield* together(3, () => reserve("agent"))
      yield* TestClock.adjust("24 hours")
      expect(Option.isSome(yield* reserve("agent"))).toBe(true)
    }).pipe(Effect.provide(storeAt(memory)))
  )

  it.effect("frees a call when the window has rolled past it, not at midnight", () =>
    Effect.gen(function* () {
      yield* reserve("agent")
      yield* TestClock.adjust("12 hours")
      expect(countGranted(yield* together(3, () => reserve("agent")))).toBe(2)
      yield* TestClock.adjust("12 hours")
      expect(countGranted(yield* together(3, () => reserve("agent")))).toBe(1)
    }).pipe(Effect.provide(storeAt(memory)))
  )

  it.effect("holds nobody up longer than a window whose calls a clock counted that ran ahead", () =>
    Effect.gen(function* () {
      const url: DatabaseUrl = { dialect: "sqlite", path: join(newFolder(), "free.db") }
      yield* TestClock.setTime(30 * DAY)
      yield* Effect.provide(
        together(3, () => reserve("agent")),
        storeAt(url)
      )
      yield* TestClock.setTime(DAY)
      yield* Effect.gen(function* () {
        yield* reserve("other")
        yield* TestClock.adjust("23 hours")
        expect(Option.isNone(yield* reserve("agent"))).toBe(true)
        expect(countGranted(yield* together(3, () => reserve("other")))).toBe(2)
        yield* TestClock.adjust("70 minutes")
        expect(countGranted(yield* together(5, () => reserve("agent")))).toBe(3)
      }).pipe(Effect.provide(storeAt(url)))
    })
  )

  it.effect("bounds invented callers by address and overall", () =>
    Effect.gen(function* () {
      expect(countGranted(yield* together(1000, (i) => reserve(`invented-${i}`)))).toBe(30)
      const spread = yield* together(100, (i) => reserve(`spread-${i}`, `10.1.0.${i}`))
      expect(countGranted(spread)).toBe(50 - 30)
    }).pipe(Effect.provide(storeAt(memory, { FREE_CALLS_GLOBAL: "50" })))
  )

  const inNetwork = (site: number, subnet: number) =>
    `2001:db8:${site.toString(16)}:${subnet.toString(16)}::/64`

  it.effect(
    "leaves others theirs when one IPv6 network, with an address for each call, takes all it can",
    () =>
      Effect.gen(function* () {
        const store = yield* FreeTierStore
        const taken = yield* together(100, (i) => reserve(`taker-${i}`, inNetwork(1, i)))
        expect(countGranted(taken)).toBe(20)
        expect(countGranted(yield* together(3, (i) => reserve(`other-${i}`, inNetwork(2, i))))).toBe(3)
        expect(Option.isSome(yield* reserve("on IPv4", "10.0.0.1"))).toBe(true)
        const [first] = taken.flatMap(Option.toArray)
        yield* store.release(first ?? "")
        expect(countGranted(yield* together(5, (i) => reserve(`again-${i}`, inNetwork(1, 200 + i))))).toBe(1)
        const callers = Array.from({ length: 30 }, (_, i) => ({ clientId: `c-${i}`, ip: inNetwork(3, i) }))
        expect(countGranted(yield* store.reserveAll(callers))).toBe(20)
        yield* TestClock.adjust("25 hours")
        expect(countGranted(yield* together(30, (i) => reserve(`later-${i}`, inNetwork(1, i))))).toBe(20)
      }).pipe(Effect.provide(storeAt(memory, { FREE_CALLS_PER_IP: "2", FREE_CALLS_GLOBAL: "100" })))
  )

  it.effect("is off at zero calls", () =>
    Effect.gen(function* () {
      expect(Option.isNone(yield* reserve("agent"))).toBe(true)
    }).pipe(Effect.provide(storeAt(memory, { FREE_DEEP_CALLS: "0" })))
  )

  it.effect("keeps no caller's id or address, and forgets what no window reaches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* reserve("agent-readable", "203.0.113.7")
      expect(JSON.stringify(yield* sql`SELECT * FROM free_calls`)).not.toMatch(/agent-readable|203\.0\.113/)
      yield* TestClock.adjust("25 hours")
      expect(yield* sql`SELECT * FROM free_calls`).toEqual([])
    }).pipe(Effect.provide(storeAt(memory)))
  )

  it.scopedLive("keeps the calls of a process that is killed behind its answer", () =>
    Effect.gen(function* () {
      const path = join(newFolder(), "free.db")
      const { program } = yield* Effect.acquireRelease(
        Effect.promise(() => bundleScript(TAKES_AND_DIES)),
        ({ remove }) => Effect.sync(remove)
      )
      expect(yield* Effect.promise(() => diedSaying(program, path))).toEqual({ signal: "SIGKILL", said: "3" })
      const next = yield* Effect.provide(reserve("agent"), storeAt({ dialect: "sqlite", path }))
      expect(Option.isNone(next)).toBe(true)
    })
  )

  it.scopedLive("counts across processes and restarts on SQLite", () =>
    Effect.gen(function* () {
      const path = join(newFolder(), "free.db")
      yield* expectThreeAcrossProcesses({ dialect: "sqlite", path })
    })
  )

  it.effect("counts nobody of those who came together where it cannot be told who is refused", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* FreeTierStore
      const callers = [1, 2, 3].map(() => ({ clientId: "used-up", ip: "10.0.0.1" }))
      yield* store.reserveAll(callers)
      yield* sql`CREATE TRIGGER stays BEFORE DELETE ON free_calls WHEN OLD.id = 'old'
        BEGIN SELECT RAISE(ABORT, 'stays'); END`
      yield* sql`INSERT INTO free_calls (id, client, ip, at) VALUES ('old', 'someone', 'elsewhere', -999999999)`
      const fresh = { clientId: "fresh", ip: "10.0.0.2" }
      const exit = yield* Effect.exit(store.reserveAll([fresh, ...callers]))
      expect(Exit.isFailure(exit)).toBe(true)
      expect(yield* sql<{ n: number }>`SELECT COUNT(*) AS n FROM free_calls`).toEqual([{ n: 4 }])
    }).pipe(Effect.provide(storeAt(memory)))
  )

  it.scopedLive("keeps nobody waiting who sets aside what a payment may cost", () =>
    Effect.gen(function* () {
      const postgres = yield* sharedPostgres
      const url = yield* postgres.database("free")
      const held = yield* Deferred.make<void>()
      const sell = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* feeTotalsOn(sql).inTurn.pipe(
          Effect.zipRight(Deferred.succeed(held, undefined)),
          Effect.zipRight(Effect.never),
          sql.withTransaction
        )
      })
      const selling = yield* Effect.fork(Effect.provide(sell, databaseAt(url)))
      yield* Deferred.await(held)
      const granted = yield* Effect.provide(reserve("agent"), storeAt(url))
      yield* Fiber.interrupt(selling)
      expect(Option.isSome(granted)).toBe(true)
    })
  )

  it.scopedLive("counts across processes and restarts on PostgreSQL", () =>
    Effect.gen(function* () {
      const postgres = yield* sharedPostgres
      yield* expectThreeAcrossProcesses(yield* postgres.database("free"))
    })
  )
})

/** Two connections race for one caller's calls; a third, opened later, finds none left. */
const expectThreeAcrossProcesses = (url: DatabaseUrl) =>
  Effect.gen(function* () {
    const granted = yield* together(2, () =>
      Effect.provide(
        together(10, () => reserve("agent")),
        storeAt(url)
      )
    )
    expect(countGranted(granted.flat())).toBe(3)
    expect(Option.isNone(yield* Effect.provide(reserve("agent"), storeAt(url)))).toBe(true)
    // One IPv6 network has ten addresses' calls, whichever process is asked.
    const settings = { FREE_CALLS_PER_IP: "1" }
    const inNetwork = yield* together(2, (process) =>
      Effect.provide(
        together(8, (i) => reserve(`${process} ${i}`, `2001:db8:1:${process}${i}::/64`)),
        storeAt(url, settings)
      )
    )
    const taken = inNetwork.flat()
    expect(countGranted(taken)).toBe(10)
    const [first = ""] = taken.flatMap(Option.toArray)
    const again = Effect.flatMap(FreeTierStore, (store) =>
      Effect.zipRight(
        store.release(first),
        together(3, (i) => reserve(`again ${i}`, `2001:db8:1:9${i}::/64`))
      )
    )
    expect(countGranted(yield* Effect.provide(again, storeAt(url, settings)))).toBe(1)
  })
