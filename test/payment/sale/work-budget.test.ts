/** How long work may take that nobody has paid for yet. */
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Context, type Duration, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { PaymentRejected } from "../../../src/domain/errors.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { build, standard, world } from "../../support/payment/svm-transfers.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const onBase = Effect.map(signPayment, (payment) => ({ accepts: terms, payment }))
const onSolana = Effect.gen(function* () {
  const w = yield* world
  const transaction = yield* build(w, standard(w))
  const payment = { x402Version: 2, accepted: w.requirements, payload: { transaction } }
  return { accepts: w.requirements, payment }
})

/** What became of work that takes so long. */
const after = (
  pays: typeof onBase | typeof onSolana,
  took: Duration.DurationInput,
  work: NonNullable<Order["work"]>
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const live = Layer.fresh(Layer.provide(SaleLive, new FakeChain().layer))
    const { accepts, payment } = yield* pays
    const order: Order = {
      accepts: [accepts],
      fingerprint: "ping",
      resourceUrl: "http://127.0.0.1/ping",
      work
    }
    const selling = Effect.flatMap(Sale, (sale) =>
      Effect.flatMap(sale.parseObject(payment), (parsed) =>
        sale.sell(parsed, order, Effect.delay(Effect.succeed("report"), took))
      )
    )
    const fiber = yield* Effect.fork(Effect.either(Effect.provide(selling, live)))
    for (let tick = 0; tick < 300; tick++) {
      yield* TestClock.adjust("100 millis")
      if (Option.isSome(yield* Fiber.poll(fiber))) break
    }
    return yield* Fiber.join(fiber)
  }).pipe(Effect.provide(memoryDatabase), Effect.scoped)

it.effect.each(["beside", "under-claim"] as const)(
  "leaves a payment on Solana half the life of its blockhash to land in, and one on Base what its window has (%s)",
  (work) =>
    Effect.gen(function* () {
      const given = { right: { answer: "report" } }
      const late = { left: { _tag: "PaymentUnavailable" } }
      expect(yield* after(onSolana, "14 seconds", work)).toMatchObject(given)
      expect(yield* after(onSolana, "16 seconds", work)).toMatchObject(late)
      expect(yield* after(onBase, "24 seconds", work)).toMatchObject(given)
      expect(yield* after(onBase, "26 seconds", work)).toMatchObject(late)
    })
)

it.effect.each(["beside", "under-claim"] as const)(
  "begins nothing with a payment that can land no more when the work is done, and gives nothing for it (%s)",
  (work) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const chain = new FakeChain()
      chain.gone = new PaymentRejected({ reason: "invalid_exact_svm_blockhash_expired" })
      const sale = Context.get(yield* Layer.build(Layer.fresh(Layer.provide(SaleLive, chain.layer))), Sale)
      const { accepts, payment } = yield* onSolana
      const parsed = yield* sale.parseObject(payment)
      const order: Order = { accepts: [accepts], fingerprint: "a", resourceUrl: "http://127.0.0.1/a", work }
      expect(yield* Effect.either(sale.sell(parsed, order, Effect.succeed("report")))).toMatchObject({
        left: { reason: "invalid_exact_svm_blockhash_expired" }
      })
      const sql = yield* SqlClient.SqlClient
      expect(yield* sql`SELECT state FROM payments WHERE state <> 'claimed'`).toEqual([])
      expect(chain.isPaid(parsed.authorizationKey)).toBe(false)
    }).pipe(Effect.provide(memoryDatabase), Effect.scoped)
)
