import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { statSync } from "node:fs"
import { join } from "node:path"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { encodePayload } from "../../../src/payment/ledger/ledger-row.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { parsePaymentObject } from "../../../src/payment/message/parse-payment.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { Sale } from "../../../src/payment/sale/sale.ts"
import { databaseAt } from "../../../src/storage/database.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"
import { scopedFolder } from "../../support/scoped-folder.ts"

const DAY = 86_400_000
/** Signatures an attacker sends, each of another empty wallet. */
const ATTACK = 200
/** Sales of one period, with answers as long as a deep report's. */
const SALES = 100
const REPORT = "x".repeat(8_000)

/** A file of a ledger, and what it takes on disk with its journal. */
const ledgerFile = Effect.map(scopedFolder, (directory) => {
  const path = join(directory, "ledger.db")
  return {
    database: databaseAt({ dialect: "sqlite", path }),
    size: () => statSync(path).size + statSync(`${path}-wal`).size
  }
})

const sellAll = Effect.gen(function* () {
  const ledger = yield* Ledger
  for (let at = 0; at < SALES; at++) {
    const payment = yield* parsePaymentObject(yield* signPayment)
    if (payment.scheme === "unsupported") return yield* Effect.dieMessage("not a payment")
    const { authorizationKey, network } = payment
    const payload = encodePayload(payment)
    const claim = { authorizationKey, fingerprint: "order", network, payer: "payer", amount: "5000" }
    yield* ledger.begin({ ...claim, payload, requirements: terms, since: 7 }, REPORT)
    const settlement = { success: true, transaction: authorizationKey, network }
    const { amount, payTo } = terms
    const evidence = {
      network,
      transaction: authorizationKey,
      index: 0,
      height: 8,
      payer: "payer",
      payTo,
      amount
    }
    yield* ledger.settled(authorizationKey, settlement, evidence)
  }
})

const pagesOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [pages] = yield* sql<{ page_count: number }>`PRAGMA page_count`
  return pages?.page_count ?? 0
})

describe("the ledger's file", () => {
  it.scoped("is no larger after two hundred signatures of empty wallets", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const { database, size } = yield* ledgerFile
      const chain = new FakeChain()
      chain.verifyFails = "rejected"
      yield* Effect.gen(function* () {
        const sale = yield* Sale
        const order = { accepts: [terms], fingerprint: "ping", resourceUrl: "http://127.0.0.1/ping" }
        const before = size()
        for (let at = 0; at < ATTACK; at++) {
          const payment = yield* sale.parseObject(yield* signPayment)
          yield* Effect.flip(sale.sell(payment, order, Effect.succeed("report")))
        }
        expect(size()).toBe(before)
      }).pipe(Effect.provide(Layer.provide(SaleLive, chain.layer)), Effect.provide(database))
    })
  )

  it.scoped(
    "takes the next period's answers where the last one's were, and grows by keys and evidence alone",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(START)
        const { database } = yield* ledgerFile
        yield* Effect.gen(function* () {
          const ledger = yield* Ledger
          yield* sellAll
          const first = yield* pagesOf
          for (let period = 0; period < 3; period++) {
            yield* TestClock.adjust(91 * DAY)
            expect(yield* ledger.purge(90 * DAY)).toBe(SALES)
            yield* sellAll
          }
          // Three more periods that were kept whole would make it four times as much.
          expect(yield* pagesOf).toBeLessThan(2 * first)
        }).pipe(Effect.provide(LedgerLive), Effect.provide(database))
      })
  )
})
