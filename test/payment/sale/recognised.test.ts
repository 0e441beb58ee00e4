/** Transfers that somebody else had made when their payment came, and a process that did not get to sell for them. */
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Context, Data, Effect, Either, Fiber, Layer, TestClock, TestServices } from "effect"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { PaymentVerifier, type Settle } from "../../../src/payment/verifier/payment-verifier.ts"
import { closed, evidenceOf, FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order: Order = { accepts: [terms], fingerprint: "order", resourceUrl: "http://127.0.0.1/ping" }
const bound: Order = { ...order, binding: "authorization" }

/** Where the double's transfers are. */
const LANDED = 2

/** As the chains' own searches do it: they go back to where the payment was seen unused, and no further. */
const search: Settle = (verified, { since, transaction }) =>
  Effect.succeed(
    since <= LANDED || transaction !== null
      ? { state: "settled", evidence: evidenceOf(verified, LANDED) }
      : { state: "void", reason: "invalid_exact_svm_blockhash_expired", proof: closed }
  )

/** A chain that is searched, one payment, and sales for it. */
const stage = Effect.gen(function* () {
  yield* TestClock.setTime(START)
  const chain = new FakeChain()
  const searched = Layer.map(chain.layer, (context) =>
    Context.make(PaymentVerifier, { ...Context.get(context, PaymentVerifier), lookup: search })
  )
  const sale = Context.get(yield* Layer.build(Layer.fresh(SaleLive).pipe(Layer.provide(searched))), Sale)
  const payment = yield* sale.parseObject(yield* signPayment)
  const sell = <E>(how: Order, work: Effect.Effect<string, E>) =>
    Effect.gen(function* () {
      const selling = yield* Effect.fork(Effect.either(sale.sell(payment, how, work)))
      while ((yield* Fiber.poll(selling))._tag === "None") {
        yield* TestClock.adjust("100 millis")
        yield* TestServices.provideLive(Effect.sleep("1 millis"))
      }
      return yield* Fiber.join(selling)
    })
  return { land: () => void chain.transfers.set(payment.authorizationKey, 1), sell }
})

class Failed extends Data.TaggedError("Failed") {}
const report = Effect.succeed("report")

it.scoped("one that was recognised for an order and not sold is recognised for it again", () =>
  Effect.gen(function* () {
    const { land, sell } = yield* stage
    expect(yield* sell(order, new Failed())).toMatchObject({ left: { _tag: "Failed" } })
    land()
    expect(yield* sell(order, new Failed())).toMatchObject({ left: { _tag: "Failed" } })
    expect(yield* sell(order, report)).toMatchObject({ right: { answer: "report" } })
  }).pipe(Effect.provide(memoryDatabase))
)

it.scoped("one whose record was lost is looked for where it is, and sold", () =>
  Effect.gen(function* () {
    const { land, sell } = yield* stage
    const sql = yield* SqlClient.SqlClient
    land()
    yield* sql`ALTER TABLE payment_evidence RENAME TO elsewhere`
    const first = yield* sell(bound, report)
    expect(Either.isLeft(first) && first.left._tag).toBe("PaymentUnresolved")
    yield* sql`ALTER TABLE elsewhere RENAME TO payment_evidence`
    yield* TestClock.adjust("1 minute")
    expect(yield* sell(bound, report)).toMatchObject({ right: { answer: "report" } })
  }).pipe(Effect.provide(memoryDatabase))
)
