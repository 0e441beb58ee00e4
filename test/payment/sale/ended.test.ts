/** Payments that the chain refused by something that happened in a block: a cancelled nonce, a failed transaction. */
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, type Scope, TestClock } from "effect"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { ReconcilerLive } from "../../../src/payment/sale/reconciler.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { Sale } from "../../../src/payment/sale/sale.ts"
import type { ChainView } from "../../../src/payment/verifier/payment-verifier.ts"
import { FakeChain, settledView, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order = { accepts: [terms], fingerprint: "one ping", resourceUrl: "http://127.0.0.1/ping" }
const IDENTIFIER = "order-of-an-agent"

/** The double's proofs are in block 1. */
const young: ChainView = { ...settledView, head: 3, final: 0 }
const forked: ChainView = { ...settledView, holds: (all) => Effect.succeed(all.map(() => false)) }
const unsure: ChainView = { ...settledView, holds: (all) => Effect.succeed(all.map(() => undefined)) }

const pass = (seconds: number) =>
  Effect.gen(function* () {
    for (let step = 0; step < seconds * 2; step++) {
      yield* TestClock.adjust("500 millis")
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
  })

const watched = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ watched: number; state: string }>`SELECT watched, state FROM payments`
)

/** A payment that its payer cancelled while it was under way, on a chain as it is seen then. */
const cancelled = (view: ChainView) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const chain = new FakeChain()
    chain.view = view
    chain.outcomes.push("refused")
    const services = yield* Layer.build(
      Layer.mergeAll(SaleLive, ReconcilerLive).pipe(
        Layer.provide(chain.layer),
        Layer.provideMerge(LedgerLive)
      )
    )
    const sale = Context.get(services, Sale)
    const extensions = { "payment-identifier": { info: { id: IDENTIFIER } } }
    const payment = yield* sale.parseObject({ ...(yield* signPayment), extensions })
    const selling = yield* Effect.fork(Effect.either(sale.sell(payment, order, Effect.succeed("report"))))
    yield* pass(1)
    expect(yield* Fiber.join(selling)).toMatchObject({ left: { _tag: "PaymentRejected" } })
    const payer = payment.scheme === "eip3009" ? payment.evm.authorization.from : ""
    return { chain, named: Context.get(services, Ledger).named(payer, IDENTIFIER) }
  })

const onNewLedger = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
  test.pipe(Effect.scoped, Effect.provide(memoryDatabase))

describe("a payment whose nonce was used up for nothing", () => {
  it.effect(
    "is over where no reorganisation takes that back: its id is free, and nobody asks about it again",
    () =>
      onNewLedger(
        Effect.gen(function* () {
          const { named } = yield* cancelled(settledView)
          expect(yield* watched).toEqual([{ watched: 0, state: "refused" }])
          expect(yield* named).toMatchObject({ _tag: "None" })
        })
      )
  )

  for (const [seen, view] of Object.entries({ young, forked, unsure })) {
    it.effect(`is watched while the block that says so is ${seen}, and no longer`, () =>
      onNewLedger(
        Effect.gen(function* () {
          const { chain, named } = yield* cancelled(view)
          yield* pass(130)
          expect(yield* watched).toEqual([{ watched: 1, state: "refused" }])
          expect(yield* named).toMatchObject({ _tag: "Some" })
          chain.view = settledView
          yield* pass(130)
          expect(yield* watched).toEqual([{ watched: 0, state: "refused" }])
        })
      )
    )
  }
})
