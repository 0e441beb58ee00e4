import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, TestClock } from "effect"
import { BASE_NETWORK } from "../../../../src/domain/chain.ts"
import { SettlementJournalLive } from "../../../../src/payment/settler/evm/journal-live.ts"
import { type Inclusion, SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import { HASH, jobOf, KEY, preparation } from "../../../support/payment/jobs.ts"
import { START } from "../../../support/payment/support.ts"
import { bothDatabases } from "../../../support/postgres.ts"
import { emptied } from "../../../support/storage/tables.ts"

type Result = Inclusion["results"][number]["result"]

const landedAt = (height: number): Result => ({
  state: "landed",
  evidence: {
    network: BASE_NETWORK,
    transaction: HASH,
    index: 0,
    height,
    blockHash: HASH,
    payer: KEY,
    payTo: KEY,
    amount: "5000"
  }
})
const failed: Result = { state: "failed", reason: "its transaction did not move the money" }

describe.each(bothDatabases("journal"))("the journal on %s", (_name, database) => {
  layer(SettlementJournalLive.pipe(Layer.provideMerge(database)), { timeout: 120_000 })((it) => {
    it.effect("writes of a transaction that became final what changed, and leaves the rest as it was", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* TestClock.setTime(START)
        const journal = yield* SettlementJournal
        const sql = yield* SqlClient.SqlClient
        const keys = ["landed", "failed", "moved", "large"]
        yield* journal.hold(KEY)
        yield* journal.adoptNonce(KEY, 0)
        yield* journal.prepare({
          ...preparation(KEY, 0, keys),
          windowEnd: START * 2,
          mostFee: 4_000n
        })
        const include = (isFinal: boolean, results: Readonly<Record<string, Result>>) =>
          journal.include({
            address: KEY,
            nonce: 0,
            hash: HASH,
            height: 1,
            blockHash: HASH,
            feeMicros: 3_000n,
            isFinal,
            results: Object.entries(results).map(([authorizationKey, result]) => ({
              authorizationKey,
              result
            }))
          })
        const touched = Effect.map(
          sql<{ key: string; at: number | string }>`SELECT authorization_key AS key, updated_at AS at
            FROM settlement_jobs ORDER BY authorization_key`,
          (rows) => Object.fromEntries(rows.map(({ at, key }) => [key, Number(at) - START]))
        )
        yield* TestClock.adjust("2 seconds")
        yield* include(false, { landed: landedAt(1), failed, moved: landedAt(1) })
        expect(yield* touched).toEqual({ landed: 2_000, failed: 2_000, moved: 2_000, large: 0 })
        yield* TestClock.adjust("1 minutes")
        yield* include(true, { landed: landedAt(1), failed, moved: landedAt(2), large: landedAt(1) })
        expect(yield* touched).toEqual({ landed: 2_000, failed: 2_000, moved: 62_000, large: 62_000 })
        const found = yield* journal.finished(keys)
        expect(new Map(found.map(({ authorizationKey, result }) => [authorizationKey, result]))).toEqual(
          new Map<string, Result>([
            ["landed", landedAt(1)],
            ["failed", failed],
            ["moved", landedAt(2)],
            ["large", landedAt(1)]
          ])
        )
      })
    )

    it.effect("keeps what became of each payment of a transaction, whatever became of the others", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* TestClock.setTime(START)
        const journal = yield* SettlementJournal
        const hash = `0x${"b3".repeat(32)}` as const
        const keys = ["one", "two", "refused", "back", "unseen"]
        yield* journal.hold(KEY)
        yield* journal.adoptNonce(KEY, 1)
        yield* journal.prepare({
          ...preparation(KEY, 1, keys, hash),
          windowEnd: START * 2,
          mostFee: 4_000n
        })
        const include = (results: Inclusion["results"]) =>
          journal.include({
            address: KEY,
            nonce: 1,
            hash,
            height: 1,
            blockHash: hash,
            feeMicros: 1n,
            isFinal: false,
            results
          })
        const resultOf = (key: string) => Effect.map(journal.find(key), Option.getOrThrow)
        yield* include([])
        yield* include([
          { authorizationKey: "one", result: landedAt(1) },
          { authorizationKey: "two", result: landedAt(2) },
          { authorizationKey: "refused", result: failed },
          { authorizationKey: "back", result: { state: "waiting" } }
        ])
        expect(yield* resultOf("one")).toMatchObject({ result: landedAt(1) })
        expect(yield* resultOf("two")).toMatchObject({ result: landedAt(2) })
        expect(yield* resultOf("refused")).toMatchObject({ result: failed })
        const { jobs } = yield* journal.waiting(undefined)
        expect(jobs.map(({ authorizationKey }) => authorizationKey)).toEqual(["back"])
        expect(yield* resultOf("unseen")).toMatchObject({ result: { state: "pending", transaction: hash } })
      })
    )

    it.effect("has what is handed over again go by itself: it failed, maybe through what was beside it", () =>
      Effect.gen(function* () {
        yield* emptied
        const journal = yield* SettlementJournal
        const address = `0x${"c3".repeat(20)}` as const
        yield* journal.hold(address)
        yield* journal.adoptNonce(address, 0)
        const job = jobOf("again")
        const hash = `0x${"d4".repeat(32)}` as const
        yield* journal.prepare({
          ...preparation(address, 0, [], hash),
          entries: [{ job, stored: false }]
        })
        const place = { address, nonce: 0, hash, height: 1, blockHash: HASH, feeMicros: 1n, isFinal: false }
        yield* journal.include({ ...place, results: [{ authorizationKey: "again", result: failed }] })
        yield* journal.offer(job)
        const { jobs } = yield* journal.waiting(undefined)
        expect(jobs).toContainEqual({ ...job, apart: true })
      })
    )
  })
})
