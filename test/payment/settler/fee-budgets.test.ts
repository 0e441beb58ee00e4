import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Layer, TestClock } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { SettlementJournalLive } from "../../../src/payment/settler/evm/journal-live.ts"
import { SettlementJournal } from "../../../src/payment/settler/evm/journal.ts"
import { feesOn } from "../../../src/payment/settler/fee-ledger.ts"
import { FeeBudgets, FeeBudgetsLive } from "../../../src/payment/settler/fee-budgets.ts"
import { makeTransfers } from "../../../src/payment/settler/svm/transfers.ts"
import { claimOf } from "../../support/payment/fee-claims.ts"
import { longLease } from "../../support/payment/long-lease.ts"
import { attemptOf, HASH, KEY, preparation } from "../../support/payment/jobs.ts"
import { closed, START, terms } from "../../support/payment/support.ts"
import { bothDatabases } from "../../support/postgres.ts"
import { emptied } from "../../support/storage/tables.ts"

const SECOND = `0x${"a2".repeat(20)}` as const
/** Hours in which nothing else was paid. */
const LATER = START + 7 * 86_400_000
const BURST = LATER + 7 * 86_400_000
const DEARER = BURST + 7 * 86_400_000
const HOUR = 3_600_000
const KEPT = Math.floor(DEARER / HOUR) * HOUR + 7 * 24 * HOUR
const SHOP = ["checkout", "checkout-merchant:mer_1"]

describe.each(bothDatabases("fees"))("fees on %s", (_name, database) => {
  const rooms = Layer.mergeAll(LedgerLive, SettlementJournalLive, FeeBudgetsLive).pipe(
    Layer.provideMerge(database),
    Layer.provide(longLease)
  )

  layer(rooms, { timeout: 120_000 })((it) => {
    it.effect("of a transaction on Base count once, in equal parts, for those its payments were for", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* TestClock.setTime(START)
        const ledger = yield* Ledger
        const journal = yield* SettlementJournal
        const { spent } = yield* FeeBudgets
        const keys = ["sale", "order-1", "order-2"]
        for (const key of keys) yield* ledger.claim(claimOf(key, key === "sale" ? [] : SHOP))
        yield* journal.hold(KEY)
        yield* journal.adoptNonce(KEY, 0)
        yield* journal.prepare({
          ...preparation(KEY, 0, keys),
          windowEnd: START * 2,
          mostFee: 3_000n
        })
        expect(yield* spent(BASE_NETWORK, SHOP)).toEqual([0n, 0n])
        const found = { address: KEY, nonce: 0, hash: HASH, height: 1, blockHash: HASH, results: [] }
        yield* journal.include({ ...found, feeMicros: 3_000n, isFinal: false })
        expect(yield* spent(BASE_NETWORK, SHOP)).toEqual([2_000n, 2_000n])
        // Included anew after a reorganisation, at another price, and then final.
        yield* journal.reopen(KEY, 0)
        yield* journal.include({ ...found, feeMicros: 3_300n, isFinal: false })
        yield* journal.include({ ...found, feeMicros: 3_300n, isFinal: true })
        expect(yield* spent(BASE_NETWORK, SHOP)).toEqual([2_200n, 2_200n])
        expect(yield* spent(SOLANA_NETWORK, SHOP)).toEqual([0n, 0n])
        yield* TestClock.adjust("25 hours")
        expect(yield* spent(BASE_NETWORK, SHOP)).toEqual([0n, 0n])
      })
    )

    it.effect("of a transfer on Solana count once it may land, and not when it never did", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* TestClock.setTime(START)
        const ledger = yield* Ledger
        const transfers = yield* makeTransfers
        const { spent } = yield* FeeBudgets
        for (const key of ["landed", "dead"]) {
          yield* ledger.claim(claimOf(key, SHOP, SOLANA_NETWORK))
          yield* transfers.prepare(key, { id: key, wire: "" }, 900n)
          yield* transfers.prepare(key, { id: key, wire: "" }, 900n)
        }
        expect(yield* spent(SOLANA_NETWORK, SHOP)).toEqual([1_800n, 1_800n])
        yield* transfers.setState(["landed"], "final")
        yield* transfers.close("landed")
        yield* transfers.close("dead")
        yield* transfers.close("dead")
        expect(yield* spent(SOLANA_NETWORK, SHOP)).toEqual([900n, 900n])
      })
    )

    it.effect("may be no more than a budget has left, however many payments are claimed at once", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* TestClock.setTime(BURST)
        const ledger = yield* Ledger
        const { reserve } = yield* FeeBudgets
        const names = ["burst", "burst-own"]
        const budgets = names.map((name) => ({ name, most: 5_000n }))
        const keys = Array.from({ length: 20 }, (_, n) => `burst-${n}`)
        const claimed = (key: string) => ({ ...claimOf(key, names, SOLANA_NETWORK), feeQuote: 1_000n })
        yield* Effect.forEach(keys, (key) => ledger.claim(claimed(key)))
        const burst = yield* Effect.forEach(keys, (key) => reserve(key, SOLANA_NETWORK, budgets), {
          concurrency: "unbounded"
        })
        expect(burst.toSorted()).toEqual([...Array(15).fill("held"), ...Array(5).fill("reserved")])
        const again = (key: string) => reserve(key, SOLANA_NETWORK, budgets)
        const [first = "", second = "", third = ""] = keys.filter((_, at) => burst[at] === "reserved")
        const [waiting = "", next = "", last = ""] = keys.filter((_, at) => burst[at] === "held")
        expect(yield* again("never claimed")).toBe("held")
        // One is given back, one certainly never lands, one costs less than it might have.
        yield* ledger.release(first, "no usable result")
        expect(yield* again(waiting)).toBe("reserved")
        expect(yield* again(next)).toBe("held")
        yield* ledger.settling(second, "answer")
        expect(yield* again(next)).toBe("held")
        yield* ledger.refused(second, "expired", closed, true)
        expect(yield* again(next)).toBe("reserved")
        yield* ledger.settling(third, "answer")
        yield* (yield* makeTransfers).prepare(third, { id: third, wire: "" }, 900n)
        expect(yield* again(last)).toBe("held")
        const sql = yield* SqlClient.SqlClient
        yield* feesOn(sql).charge(third, SOLANA_NETWORK, -900, BURST)
        expect(yield* again(last)).toBe("reserved")
        // Spent is spent: nothing is waited for.
        yield* feesOn(sql).charge(third, SOLANA_NETWORK, 5_000, BURST)
        yield* ledger.release(last, "no usable result")
        yield* ledger.claim(claimed(last))
        expect(yield* again(last)).toBe("spent")
      })
    )

    it.effect("have room where every budget of a payment has it, and not where one of them has", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* TestClock.setTime(BURST)
        const ledger = yield* Ledger
        const { reserve } = yield* FeeBudgets
        const { charge } = feesOn(yield* SqlClient.SqlClient)
        const budgets = [
          { name: "wide", most: 5_000n },
          { name: "narrow", most: 1_500n }
        ]
        const names = budgets.map(({ name }) => name)
        for (const key of ["first", "second"])
          yield* ledger.claim({ ...claimOf(key, names, SOLANA_NETWORK), feeQuote: 1_000n })
        expect(yield* reserve("first", SOLANA_NETWORK, budgets)).toBe("reserved")
        expect(yield* reserve("second", SOLANA_NETWORK, budgets)).toBe("held")
        yield* charge("first", SOLANA_NETWORK, 1_500, BURST)
        expect(yield* reserve("second", SOLANA_NETWORK, budgets)).toBe("spent")
      })
    )

    it.effect(
      "stay set aside for ten minutes where a payment settled and nobody wrote down who sent it",
      () =>
        Effect.gen(function* () {
          yield* emptied
          yield* TestClock.setTime(BURST)
          const ledger = yield* Ledger
          const { reserve } = yield* FeeBudgets
          const sql = yield* SqlClient.SqlClient
          const budgets = [{ name: "somebody's", most: 1_000n }]
          for (const key of ["settled", "next"])
            yield* ledger.claim({ ...claimOf(key, ["somebody's"]), feeQuote: 1_000n })
          expect(yield* reserve("settled", BASE_NETWORK, budgets)).toBe("reserved")
          yield* ledger.settling("settled", "answer")
          const evidence = { ...terms, transaction: "tx", index: 0, height: 1, payer: "payer" }
          yield* ledger.settled(
            "settled",
            { success: true, transaction: "tx", network: BASE_NETWORK },
            evidence
          )
          const since = (age: number) =>
            sql`UPDATE payments SET updated_at = updated_at - ${age} WHERE authorization_key = 'settled'`
          yield* since(9 * 60_000)
          expect(yield* reserve("next", BASE_NETWORK, budgets)).toBe("held")
          yield* since(2 * 60_000)
          expect(yield* reserve("next", BASE_NETWORK, budgets)).toBe("reserved")
        })
    )

    it.effect(
      "of a transaction that may cost more than was set aside stay within the budgets, or it is not signed",
      () =>
        Effect.gen(function* () {
          yield* emptied
          yield* TestClock.setTime(DEARER)
          const ledger = yield* Ledger
          const journal = yield* SettlementJournal
          const { reserve, spent } = yield* FeeBudgets
          const names = ["dearer", "dearer-own"]
          const budgets = [
            { name: "dearer", most: 5_000n },
            { name: "dearer-own", most: 3_000n }
          ]
          for (const key of ["order-a", "order-b"]) {
            yield* ledger.claim({ ...claimOf(key, names), feeQuote: 1_000n })
            expect(yield* reserve(key, BASE_NETWORK, budgets)).toBe("reserved")
            yield* ledger.settling(key, "answer")
          }
          yield* ledger.claim(claimOf("own sale", []))
          yield* journal.hold(SECOND)
          yield* journal.adoptNonce(SECOND, 0)
          const hash = (byte: string) => `0x${byte.repeat(32)}` as const
          const prepare = (keys: ReadonlyArray<string>, nonce: number, mostFee: bigint) =>
            journal.prepare({
              ...preparation(SECOND, nonce, keys, hash(`c${nonce}`)),
              windowEnd: DEARER * 2,
              mostFee
            })
          const replace = (byte: string, mostFee: bigint, kind?: "cancel") =>
            journal.replace({ address: SECOND, nonce: 0, attempt: attemptOf(hash(byte), kind), mostFee })

          // The market rose before it was sent: 2,001 and what is set aside for the other pass 3,000.
          expect(yield* prepare(["order-a"], 0, 2_001n)).toEqual({ state: "beyond", keys: ["order-a"] })
          expect([yield* journal.slots(SECOND, 0), (yield* journal.waiting(undefined)).jobs]).toEqual([
            [],
            []
          ])
          // One transaction with a sale of our own and both orders: each costs a third of it, and one has no room.
          const both = yield* prepare(["own sale", "order-a", "order-b"], 0, 6_000n)
          expect(both).toEqual({ state: "beyond", keys: ["order-b"] })
          expect(yield* prepare(["own sale", "order-a"], 0, 4_000n)).toEqual({ state: "stored" })

          // Raised, within what is left and beyond it; to give the nonce up is never refused.
          expect(yield* replace("d1", 4_002n)).toEqual({ state: "beyond", keys: ["order-a"] })
          expect(yield* replace("d2", 4_000n)).toEqual({ state: "stored" })
          const [slot] = yield* journal.slots(SECOND, 0)
          expect(slot?.attempts).toHaveLength(2)
          expect(yield* reserve("order-b", BASE_NETWORK, budgets)).toBe("reserved")
          expect(yield* replace("d3", 8_000n, "cancel")).toEqual({ state: "stored" })
          expect(yield* reserve("order-b", BASE_NETWORK, budgets)).toBe("held")

          // What it did cost takes the place of all that was set aside for it.
          const found = { address: SECOND, nonce: 0, hash: slot?.attempts[0]?.hash ?? HASH, results: [] }
          yield* journal.include({ ...found, height: 1, blockHash: HASH, feeMicros: 1_000n, isFinal: false })
          expect(yield* spent(BASE_NETWORK, names)).toEqual([500n, 500n])
          expect(yield* reserve("order-b", BASE_NETWORK, budgets)).toBe("reserved")
          expect(yield* prepare(["order-b"], 1, 2_500n)).toEqual({ state: "stored" })
        })
    )

    it.effect(
      "that a budget looks at, and what is set aside for payments under way, are forgotten no sooner",
      () =>
        Effect.gen(function* () {
          yield* emptied
          yield* TestClock.setTime(KEPT)
          const ledger = yield* Ledger
          const { reserve, spent } = yield* FeeBudgets
          const { prune, charge } = feesOn(yield* SqlClient.SqlClient)
          const pruned = Effect.flatMap(Clock.currentTimeMillis, prune)
          const budgets = [{ name: "kept", most: 1_000n }]
          const names = ["kept"]
          for (const key of ["first", "settling", "second"])
            yield* ledger.claim({ ...claimOf(key, names, SOLANA_NETWORK), feeQuote: 1_000n })
          expect(yield* reserve("settling", SOLANA_NETWORK, budgets)).toBe("reserved")
          yield* ledger.settling("settling", "answer")
          yield* pruned
          expect(yield* reserve("first", SOLANA_NETWORK, budgets)).toBe("held")
          // It ended: what was set aside for it is free, and forgotten.
          yield* ledger.refused("settling", "expired", closed, true)
          yield* pruned
          expect(yield* reserve("first", SOLANA_NETWORK, budgets)).toBe("reserved")

          yield* charge("first", SOLANA_NETWORK, 400, KEPT)
          yield* TestClock.setTime(KEPT + 23 * HOUR)
          yield* pruned
          expect(yield* spent(SOLANA_NETWORK, names)).toEqual([400n])
          yield* TestClock.setTime(KEPT + 24 * HOUR)
          yield* pruned
          expect(yield* spent(SOLANA_NETWORK, names)).toEqual([0n])
        })
    )

    it.effect("of our own sales come out of nobody's budget", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* TestClock.setTime(LATER)
        const ledger = yield* Ledger
        const sql = yield* SqlClient.SqlClient
        const transfers = yield* makeTransfers
        yield* ledger.claim(claimOf("ping", [], SOLANA_NETWORK))
        yield* transfers.prepare("ping", { id: "ping", wire: "" }, 900n)
        const hour = Math.floor(LATER / 3_600_000)
        expect(yield* sql`SELECT purse FROM settlement_fees WHERE hour = ${hour}`).toEqual([])
      })
    )
  })
})
