import { describe, expect, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect, Metric, TestClock } from "effect"
import { SOLANA_NETWORK } from "../../../../src/domain/chain.ts"
import { feesPaid } from "../../../../src/payment/settler/metrics.ts"
import { makeTransfers } from "../../../../src/payment/settler/svm/transfers.ts"
import { memoryDatabase } from "../../../support/storage/memory-database.ts"
import { NOW } from "../../../support/now.ts"

const AGE = 2_000
const DAY = 86_400_000

/** The state of each stored transfer, by its payment. */
const states = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    key: string
    state: string
  }>`SELECT authorization_key AS key, state FROM settlement_transfers`
  return Object.fromEntries(rows.map(({ key, state }) => [key, state]))
})

/** What the metrics say was paid for fees on Solana, millionths of a USD. */
const feesTold = Effect.map(
  Metric.value(Metric.tagged(feesPaid, "network", SOLANA_NETWORK)),
  ({ count }) => count
)

/** Stored transfers in each state there is, whose fees are told apart. */
const oneOfEach = Effect.gen(function* () {
  const transfers = yield* makeTransfers
  const names = ["prepared", "broadcast", "included", "final", "failed", "closed"]
  for (const [at, name] of names.entries())
    yield* transfers.prepare(name, { id: name, wire: "" }, 10n ** BigInt(at))
  yield* TestClock.adjust(AGE)
  yield* transfers.takeTurn("broadcast", AGE)
  yield* transfers.setState(["included"], "included")
  yield* transfers.setState(["final"], "final")
  yield* transfers.fail(["failed"])
  yield* transfers.close("closed")
  return transfers
})

describe("a stored transfer", () => {
  it.effect("is sent by who stored it first, and then by one at a time, also when a clock ran ahead", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { prepare, takeTurn } = yield* makeTransfers
      const stored = yield* prepare("key", { id: "first", wire: "bytes" }, 1n)
      expect(stored).toEqual({ id: "first", wire: "bytes", isFirst: true })
      expect(yield* prepare("key", { id: "second", wire: "others" }, 1n)).toEqual({
        ...stored,
        isFirst: false
      })
      // Whoever stored it sends it now.
      expect(yield* takeTurn("key", AGE)).toBe(false)
      yield* TestClock.setTime(NOW + AGE)
      expect(yield* takeTurn("key", AGE)).toBe(true)
      yield* TestClock.setTime(NOW - 60_000)
      expect(yield* takeTurn("key", AGE)).toBe(true)
      expect(yield* takeTurn("key", AGE)).toBe(false)
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.effect("ends by itself: what becomes of one is nothing to another", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { find } = yield* oneOfEach
      expect(yield* states).toEqual({
        prepared: "prepared",
        broadcast: "broadcast",
        included: "included",
        final: "final",
        failed: "final",
        closed: "closed"
      })
      expect(yield* find("included")).toEqual({ id: "included", wire: "" })
      expect(yield* find("nobody's")).toBeUndefined()
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.effect("counts for what a day's fees come to as soon as it may land, for 24 hours", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { spentToday } = yield* oneOfEach
      expect(yield* spentToday).toBe(11_111n)
      yield* TestClock.adjust(DAY - AGE - 1)
      expect(yield* spentToday).toBe(11_111n)
      yield* TestClock.adjust(AGE)
      // What was stored and never seen has counted for a day.
      expect(yield* spentToday).toBe(11_100n)
      yield* TestClock.adjust(1)
      expect(yield* spentToday).toBe(0n)
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.effect(
    "is told once in what was paid for fees, whoever saw that it landed, and also where it failed",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOW)
        const before = yield* feesTold
        const { fail, setState } = yield* oneOfEach
        expect((yield* feesTold) - before).toBe(11_100)
        yield* setState(["included", "final"], "final")
        yield* setState(["included", "closed"], "included")
        yield* fail(["failed", "included"])
        expect((yield* feesTold) - before).toBe(11_100)
      }).pipe(Effect.provide(memoryDatabase))
  )

  it.effect("is forgotten a while after it ended, and never while it may land", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { prune } = yield* oneOfEach
      const all = yield* states
      yield* TestClock.adjust(DAY)
      yield* prune(DAY)
      expect(yield* states).toEqual(all)
      yield* TestClock.adjust(1)
      yield* prune(DAY)
      expect(Object.keys(yield* states).toSorted()).toEqual(["broadcast", "included", "prepared"])
    }).pipe(Effect.provide(memoryDatabase))
  )
})
