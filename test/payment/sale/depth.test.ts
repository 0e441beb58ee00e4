import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Either, Fiber, Layer, type Scope, TestClock } from "effect"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import type { ChainView } from "../../../src/payment/verifier/payment-verifier.ts"
import { FakeChain, settledView, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order: Order = { accepts: [terms], fingerprint: "order", resourceUrl: "http://127.0.0.1/ping" }
/** Each transfer is at height 2 of the double. */
const young: ChainView = { ...settledView, head: 3, final: 1 }
const forked: ChainView = { ...settledView, holds: (all) => Effect.succeed(all.map(() => false)) }
const blind: ChainView = { ...settledView, holds: (all) => Effect.succeed(all.map(() => undefined)) }

const evidenceRows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT evidence_key FROM payment_evidence`
)

/** Buys over and over, once for each view of the chain, where sums from `finality` USD on wait for a final block. */
const bought = (finality: string, views: ReadonlyArray<ChainView>, isThere: boolean) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const chain = new FakeChain()
    const config = ConfigProvider.fromMap(new Map([["SETTLEMENT_FINALITY_USD", finality]]))
    const services = yield* Layer.build(
      SaleLive.pipe(Layer.provide(chain.layer), Layer.provide(Layer.setConfigProvider(config)))
    )
    const sale = Context.get(services, Sale)
    const payment = yield* sale.parseObject(yield* signPayment)
    if (isThere) chain.transfers.set(payment.authorizationKey, 1)
    const bound: Order = isThere ? { ...order, binding: "authorization" } : order
    const answers = yield* Effect.forEach(views, (view) =>
      Effect.gen(function* () {
        chain.view = view
        const asked = yield* Effect.fork(Effect.either(sale.sell(payment, bound, Effect.succeed("report"))))
        yield* Effect.repeatN(
          Effect.zipRight(
            TestClock.adjust("50 millis"),
            Effect.promise(() => new Promise(setImmediate))
          ),
          20
        )
        const said = yield* Fiber.join(asked)
        return Either.isRight(said) ? said.right.answer : said.left._tag
      })
    )
    return {
      answers,
      rows: (yield* evidenceRows).length,
      transfers: chain.transfers.get(payment.authorizationKey)
    }
  })

const onNewLedger = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
  test.pipe(Effect.scoped, Effect.provide(memoryDatabase))

const PING = "0.005"
const MORE = "0.006"
const waits = "PaymentUnresolved"

describe("a payment from SETTLEMENT_FINALITY_USD on", () => {
  it.effect("is open, and not evidence, until its block is final; it is paid once", () =>
    Effect.gen(function* () {
      expect(yield* onNewLedger(bought(PING, [young, young, settledView], false))).toEqual({
        answers: [waits, waits, "report"],
        rows: 1,
        transfers: 1
      })
    })
  )

  it.effect("is open while the node that says so does not hold it, or does not know", () =>
    Effect.gen(function* () {
      expect(yield* onNewLedger(bought(PING, [forked, blind], false))).toMatchObject({
        answers: [waits, waits],
        rows: 0
      })
    })
  )

  it.effect("waits also when somebody else had submitted it for the order it names", () =>
    Effect.gen(function* () {
      expect(yield* onNewLedger(bought(PING, [young, settledView], true))).toMatchObject({
        answers: [waits, "report"],
        rows: 1
      })
    })
  )

  it.effect("is the only one that waits: a smaller sum counts at inclusion", () =>
    Effect.gen(function* () {
      expect(yield* onNewLedger(bought(MORE, [young], false))).toMatchObject({ answers: ["report"], rows: 1 })
    })
  )
})
