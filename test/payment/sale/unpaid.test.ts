import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { type Context, Effect, Layer, TestClock } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { FakeChain, signPayment, signPaymentBy, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order: Order = { accepts: [terms], fingerprint: "ping", resourceUrl: "http://127.0.0.1/ping" }

/** A sale over a new database, in front of a chain's double that confirms no payment. */
const unconfirmed = <A, E>(
  use: (sale: Context.Tag.Service<Sale>) => Effect.Effect<A, E, Sale | SqlClient.SqlClient>
): Effect.Effect<A, E | unknown> =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const chain = new FakeChain()
    chain.verifyFails = "rejected"
    const live = Layer.fresh(Layer.provide(SaleLive, chain.layer))
    return yield* Effect.provide(Effect.flatMap(Sale, use), live)
  }).pipe(Effect.provide(memoryDatabase), Effect.scoped)

const written = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [payments] = yield* sql<{ n: number }>`SELECT COUNT(*) AS n FROM payments`
  const [events] = yield* sql<{ n: number }>`SELECT COUNT(*) AS n FROM payment_events`
  return (payments?.n ?? 0) + (events?.n ?? 0)
})

/** Everybody can read it on chain, and present it for whatever has the same price. */
describe("a payment that was used elsewhere, presented by anybody", () => {
  it.effect("waits itself when it comes again and again; its payer's own payments do not", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const chain = new FakeChain()
      const live = Layer.fresh(Layer.provide(SaleLive, chain.layer))
      yield* Effect.provide(
        Effect.gen(function* () {
          const sale = yield* Sale
          const account = privateKeyToAccount(generatePrivateKey())
          const [used, own] = [
            yield* sale.parseObject(yield* signPaymentBy(account)),
            yield* sale.parseObject(yield* signPaymentBy(account))
          ]
          chain.transfers.set(used.authorizationKey, 1)
          const present = Effect.flip(sale.sell(used, order, Effect.succeed("report")))
          for (let i = 0; i < 3; i++) expect(yield* present).toMatchObject({ reason: "payment_already_used" })
          expect(yield* present).toMatchObject({ _tag: "PayerMustWait", retryAfterSeconds: 5 })
          chain.outcomes.push("lost before")
          const sent = yield* Effect.flip(sale.sell(own, order, Effect.succeed("report")))
          expect(sent).toMatchObject({ _tag: "PaymentUnresolved" })
        }),
        live
      )
    }).pipe(Effect.provide(memoryDatabase), Effect.scoped)
  )
})

describe("a payment the chain does not confirm", () => {
  it.effect.each(["beside", "under-claim"] as const)("costs no write (%s)", (work) =>
    unconfirmed((sale) =>
      Effect.gen(function* () {
        for (let i = 0; i < 20; i++) {
          const payment = yield* sale.parseObject(yield* signPayment)
          const error = yield* Effect.flip(sale.sell(payment, { ...order, work }, Effect.succeed("report")))
          expect(error).toMatchObject({ _tag: "PaymentRejected" })
        }
        expect(yield* written).toBe(0)
      })
    )
  )

  it.effect("makes its payer wait after a few, with 429 and a time, and for nobody else", () =>
    unconfirmed((sale) =>
      Effect.gen(function* () {
        const payload = yield* signPayment
        const payment = yield* sale.parseObject(payload)
        const sell = Effect.flip(sale.sell(payment, order, Effect.succeed("report")))
        for (let i = 0; i < 3; i++) expect(yield* sell).toMatchObject({ _tag: "PaymentRejected" })
        expect(yield* sell).toMatchObject({ _tag: "PayerMustWait", retryAfterSeconds: 5 })
        const other = yield* sale.parseObject(yield* signPayment)
        const rejected = yield* Effect.flip(sale.sell(other, order, Effect.succeed("report")))
        expect(rejected).toMatchObject({ _tag: "PaymentRejected" })
      })
    )
  )
})
