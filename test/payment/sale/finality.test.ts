import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Metric, type Scope, TestClock } from "effect"
import { makeRecords } from "../../../src/payment/audit/records.ts"
import { ReconcilerLive } from "../../../src/payment/sale/reconciler.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { Sale } from "../../../src/payment/sale/sale.ts"
import { settlementEvents } from "../../../src/payment/settler/metrics.ts"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import type { Evidence } from "../../../src/payment/outcome.ts"
import { newClaim, settlement } from "../../support/payment/claims.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order = { accepts: [terms], fingerprint: "one ping", resourceUrl: "http://127.0.0.1/ping" }

const losses = Effect.map(
  Metric.value(Metric.tagged(settlementEvents, "event", "lost")),
  ({ count }) => count
)

const standing = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT standing, COUNT(*) AS rows FROM payment_evidence GROUP BY standing`
)

/** Lets time pass, and what runs beside the test's clock. */
const pass = (seconds: number) =>
  Effect.gen(function* () {
    for (let step = 0; step < seconds * 10; step++) {
      yield* TestClock.adjust("100 millis")
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
  })

/** Lets the process look at its transfers once more. */
const aRound = pass(5)

/** A payment that was answered, in a block that is still young. */
const sold = Effect.gen(function* () {
  const chain = new FakeChain()
  chain.view = { ...chain.view, head: 3, final: 0 }
  const services = yield* Layer.build(
    Layer.mergeAll(SaleLive, ReconcilerLive).pipe(Layer.provide(chain.layer))
  )
  const sell = Effect.gen(function* () {
    const sale = yield* Sale
    const payment = yield* sale.parseObject(yield* signPayment)
    yield* sale.sell(payment, order, Effect.succeed("a report"))
    return payment.authorizationKey
  })
  const selling = yield* Effect.fork(Effect.provide(sell, services))
  yield* pass(1)
  const key = yield* Fiber.join(selling)
  return { chain, key }
})

const onNewLedger = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
  Effect.zipRight(TestClock.setTime(START), test).pipe(Effect.scoped, Effect.provide(memoryDatabase))

describe("a transfer whose answer is sold and that a reorganisation takes away", () => {
  it.effect("is sent again while its window is open, and is final in the end", () =>
    onNewLedger(
      Effect.gen(function* () {
        const { chain, key } = yield* sold
        chain.takeBack(key)
        yield* aRound
        expect(chain.transfers.get(key)).toBe(1)
        expect(yield* standing).toEqual([{ standing: "recent", rows: 1 }])
        chain.view = new FakeChain().view
        yield* aRound
        expect(yield* standing).toEqual([{ standing: "final", rows: 1 }])
      })
    )
  )

  it.effect("is counted and shown to the operator with its proof when its window is over", () =>
    onNewLedger(
      Effect.gen(function* () {
        const { chain, key } = yield* sold
        const before = yield* losses
        yield* TestClock.setTime(START + 120_000)
        chain.takeBack(key)
        yield* aRound
        expect(chain.isPaid(key)).toBe(false)
        expect(yield* standing).toEqual([{ standing: "lost", rows: 1 }])
        expect((yield* losses) - before).toBe(1)
        const records = yield* makeRecords
        const [lost] = yield* records.lost
        expect(lost).toMatchObject({ key, state: "settled", proof: expect.stringContaining("window-closed") })
        expect((yield* records.events(key)).map(({ event }) => event)).toContain("lost")
        expect(yield* records.evidence(0, START * 2)).toEqual([])
      })
    )
  )
})

const transferAt = (height: number, transaction: string): Evidence => ({
  network: terms.network,
  transaction,
  index: 0,
  height,
  payer: "payer",
  payTo: terms.payTo,
  amount: terms.amount
})

/** One transfer, and then more of them in one young block than a look takes. */
const oneBelowMany = (height: number) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const claim = yield* newClaim
    const record = (authorizationKey: string, evidence: Evidence) =>
      Effect.zipRight(
        ledger.begin({ ...claim, authorizationKey }, "a report"),
        ledger.settled(authorizationKey, settlement, evidence)
      )
    yield* record(claim.authorizationKey, transferAt(height, "the old one"))
    for (let at = 0; at < 250; at++) yield* record(`young ${at}`, transferAt(100, `young ${at}`))
    return claim.authorizationKey
  }).pipe(Effect.provide(LedgerLive))

const looksAfter = (chain: FakeChain) => Layer.build(ReconcilerLive.pipe(Layer.provide(chain.layer)))

describe("an older transfer under more young ones than one look takes", () => {
  it.effect("is final when its block is", () =>
    onNewLedger(
      Effect.gen(function* () {
        yield* oneBelowMany(2)
        const chain = new FakeChain()
        chain.view = { ...chain.view, head: 101, final: 10 }
        yield* looksAfter(chain)
        yield* aRound
        expect(yield* standing).toEqual([
          { standing: "final", rows: 1 },
          { standing: "recent", rows: 250 }
        ])
      })
    )
  )

  it.effect("is sent again where a reorganisation took it away", () =>
    onNewLedger(
      Effect.gen(function* () {
        const key = yield* oneBelowMany(95)
        const chain = new FakeChain()
        const holds = (all: ReadonlyArray<Evidence>) =>
          Effect.succeed(all.map(({ transaction }) => transaction !== "the old one"))
        chain.view = { head: 101, final: 10, holds }
        yield* looksAfter(chain)
        yield* aRound
        expect(chain.transfers.get(key)).toBe(1)
      })
    )
  )
})
