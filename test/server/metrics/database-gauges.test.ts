import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, HashMap, Layer, Logger, Metric, MetricState, TestClock } from "effect"
import { DatabaseGaugesLive } from "../../../src/server/metrics/database-gauges.ts"
import { PaymentGaugesLive } from "../../../src/server/metrics/payment-gauges.ts"
import { databaseAt } from "../../../src/storage/database.ts"

/** The values of a gauge, or of a counter, by their label. */
const valuesOf = (name: string, label = "") =>
  Effect.map(Metric.snapshot, (pairs) =>
    Object.fromEntries(
      pairs.flatMap(({ metricKey, metricState }) => {
        if (metricKey.name !== name) return []
        const of = metricKey.tags.find(({ key }) => key === label)?.value ?? ""
        if (MetricState.isGaugeState(metricState)) return [[of, Number(metricState.value)]]
        return MetricState.isCounterState(metricState) ? [[of, Number(metricState.count)]] : []
      })
    )
  )

const inMemory = () => Layer.fresh(databaseAt({ dialect: "sqlite", path: ":memory:" }))
const run = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))

/** Lets seconds of the test's clock pass, and what was begun in them go on. */
const pass = (seconds: number) =>
  Effect.zipRight(
    TestClock.adjust(`${seconds} seconds`),
    Effect.promise(() => new Promise((done) => setImmediate(done)))
  )

describe("whether the database can be written", () => {
  it.scoped("stands in the metrics, and its reason once in the log, while nobody asks for anything", () => {
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>(({ annotations, logLevel, message }) => {
      const detail = HashMap.get(annotations, "detail")
      lines.push(
        `${logLevel.label} ${String(message)}${detail._tag === "Some" ? `: ${String(detail.value)}` : ""}`
      )
    })
    const writable = Effect.map(valuesOf("token_risk_database_writable"), (values) => values[""])
    const failures = Effect.map(
      valuesOf("token_risk_database_failures_total", "kind"),
      (values) => values["transport"] ?? 0
    )
    const work = Effect.gen(function* () {
      yield* Layer.build(DatabaseGaugesLive)
      yield* pass(0)
      expect(yield* writable).toBe(1)
      const before = yield* failures
      yield* run("PRAGMA query_only = ON")
      yield* pass(15)
      expect(yield* writable).toBe(0)
      yield* pass(30)
      expect(yield* failures).toBeGreaterThan(before)
      yield* run("PRAGMA query_only = OFF")
      yield* pass(15)
      expect(yield* writable).toBe(1)
      expect(yield* run("SELECT * FROM leases")).toEqual([])
    })
    return work.pipe(
      Effect.provide(Layer.mergeAll(inMemory(), Logger.replace(Logger.defaultLogger, logger))),
      Effect.tap(() =>
        Effect.sync(() => {
          expect(lines).toHaveLength(2)
          expect(lines[0]).toMatch(/^WARN writing to the database failed: SQLITE_READONLY /)
          expect(lines[1]).toBe("INFO writing to the database works again")
        })
      )
    )
  })
})

describe("payments without an outcome", () => {
  it.scoped(
    "are counted, and the time of the oldest is told: a payment that waits is no crowd that moves on",
    () =>
      Effect.gen(function* () {
        const NOW = 1_800_000_000_000
        yield* TestClock.setTime(NOW)
        const begun = (key: string, network: string, ago: number) =>
          run(`INSERT INTO payments (authorization_key, fingerprint, state, owner, lease_until, watched, network, payer,
          amount, since, payload, requirements, answer, created_at, updated_at) VALUES ('${key}', 'f', 'settling', 'o', 0, 1,
          '${network}', 'p', '5000', 0, '{}', '{}', '{}', ${NOW - ago}, ${NOW})`)
        yield* begun("a", "eip155:8453", 3_000)
        yield* begun("b", "eip155:8453", 400_000)
        yield* Layer.build(PaymentGaugesLive)
        yield* pass(0)
        const oldest = valuesOf("token_risk_payments_unresolved_oldest_seconds", "network")
        const counts = valuesOf("token_risk_payments_unresolved", "network")
        expect(Object.values(yield* oldest).toSorted()).toEqual([0, 400])
        expect((yield* counts)["eip155:8453"]).toBe(2)
        yield* run("DELETE FROM payments WHERE authorization_key = 'b'")
        yield* pass(15)
        expect((yield* oldest)["eip155:8453"]).toBe(18)
        expect((yield* counts)["eip155:8453"]).toBe(1)
      }).pipe(Effect.provide(inMemory()))
  )
})
