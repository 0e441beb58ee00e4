import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, TestClock } from "effect"
import { SOLANA_NETWORK } from "../../../../src/domain/chain.ts"
import { LedgerLive } from "../../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../../src/payment/ledger/ledger.ts"
import type { VoidProof } from "../../../../src/payment/outcome.ts"
import { SettlementJournalLive } from "../../../../src/payment/settler/evm/journal-live.ts"
import { type Address, SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import { claimOf } from "../../../support/payment/fee-claims.ts"
import { longLease } from "../../../support/payment/long-lease.ts"
import { HASH, hashOf, KEY, preparation } from "../../../support/payment/jobs.ts"
import { START } from "../../../support/payment/support.ts"
import { bothDatabases } from "../../../support/postgres.ts"
import { emptied } from "../../../support/storage/tables.ts"

const DAY = 86_400_000
const CLOSED: VoidProof = { kind: "window-closed", closed: 9, seen: { node: "test", height: 9 } }
const OTHER: Address = `0x${"c3".repeat(20)}`

/** A transaction in each state there is at one key, and one that is open at another key's first nonce. */
const oneOfEach = Effect.gen(function* () {
  yield* emptied
  yield* TestClock.setTime(START)
  const journal = yield* SettlementJournal
  const send = (address: Address, nonce: number, name: string) =>
    journal.prepare(preparation(address, nonce, [name], hashOf(name)))
  const include = (nonce: number, name: string, feeMicros: bigint, isFinal: boolean) =>
    journal.include({
      address: KEY,
      nonce,
      hash: hashOf(name),
      height: 9,
      blockHash: HASH,
      feeMicros,
      isFinal,
      results: [{ authorizationKey: name, result: { state: "failed", reason: "it did not move the money" } }]
    })
  for (const address of [KEY, OTHER]) {
    yield* journal.hold(address)
    yield* journal.adoptNonce(address, 0)
  }
  yield* send(OTHER, 0, "open elsewhere")
  for (const [nonce, name] of ["final", "included", "given up", "open"].entries())
    yield* send(KEY, nonce, name)
  yield* include(0, "final", 10n, true)
  yield* include(1, "included", 200n, false)
  yield* journal.abandon(KEY, 2)
  return journal
})

/** What is kept of each transaction's payment: its job, and whether its signed bytes are. */
const kept = Effect.gen(function* () {
  const journal = yield* SettlementJournal
  const sql = yield* SqlClient.SqlClient
  const attempts = yield* sql<{ hash: string }>`SELECT hash FROM settlement_attempts`
  const slots = yield* sql<{ address: string; nonce: number | string }>`SELECT * FROM settlement_transactions`
  const names = ["final", "included", "given up", "open", "open elsewhere"]
  const jobs = yield* Effect.filter(names, (name) => Effect.map(journal.find(name), Option.isSome))
  return {
    jobs,
    signed: names.filter((name) => attempts.some(({ hash }) => hash === hashOf(name))),
    slots: slots.map(({ address, nonce }) => `${address === KEY ? "" : "elsewhere "}${nonce}`).toSorted()
  }
})

describe.each(bothDatabases("journal_age"))(
  "what is written down of transactions on %s",
  (_name, database) => {
    const journal = Layer.merge(SettlementJournalLive, LedgerLive).pipe(
      Layer.provideMerge(database),
      Layer.provideMerge(longLease)
    )

    layer(journal, { timeout: 120_000 })((it) => {
      it.effect("counts for what a day's fees come to for 24 hours", () =>
        Effect.gen(function* () {
          const { spentToday } = yield* oneOfEach
          expect(yield* spentToday).toBe(210n)
          yield* TestClock.adjust(DAY - 1)
          expect(yield* spentToday).toBe(210n)
          yield* TestClock.adjust(1)
          expect(yield* spentToday).toBe(0n)
        })
      )

      it.effect(
        "counts with what payments may cost that are begun, and of which nothing is written down yet",
        () =>
          Effect.gen(function* () {
            const { spentToday } = yield* oneOfEach
            const { begin, refused } = yield* Ledger
            const ours = ["included", "given up", "open", "not even handed over"]
            for (const name of ours) yield* begin({ ...claimOf(name, []), feeQuote: 7n }, "answer")
            yield* begin({ ...claimOf("elsewhere", [], SOLANA_NETWORK), feeQuote: 7n }, "answer")
            expect(yield* spentToday).toBe(231n)
            yield* refused("given up", "its window is over", CLOSED, true)
            expect(yield* spentToday).toBe(224n)
          })
      )

      it.effect("is forgotten a while after it ended, and never while it may land or wait to be sent", () =>
        Effect.gen(function* () {
          const { prune } = yield* oneOfEach
          const all = yield* kept
          yield* TestClock.adjust(DAY)
          yield* prune(DAY)
          expect(yield* kept).toEqual(all)
          yield* TestClock.adjust(1)
          yield* prune(DAY)
          expect(yield* kept).toEqual({
            // The one that failed has been told for long; the one that was given up waits for another nonce.
            jobs: ["given up", "open", "open elsewhere"],
            signed: ["included", "open", "open elsewhere"],
            slots: ["1", "3", "elsewhere 0"]
          })
        })
      )
    })
  }
)
