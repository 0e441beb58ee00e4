/** Payments that a facilitator was handed, that bought nothing, and that it sent all the same. */
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Context, Data, Effect, Fiber, Layer, TestClock } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { PaymentRejected, PaymentUnavailable } from "../../../src/domain/errors.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { FakeChain, signPayment, signPaymentBy, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order: Order = { accepts: [terms], fingerprint: "order", resourceUrl: "http://127.0.0.1/ping" }
const another: Order = { ...order, fingerprint: "another" }
const report = Effect.succeed("report")
class Failed extends Data.TaggedError("Failed") {}

const refusal = new PaymentRejected({ reason: "payer_is_not_served" })
const silence = new PaymentUnavailable({ upstream: "facilitator" })

const stage = Effect.gen(function* () {
  yield* TestClock.setTime(START)
  const chain = new FakeChain()
  const build = Layer.build(Layer.fresh(SaleLive).pipe(Layer.provide(chain.layer)))
  return { chain, start: Effect.map(build, (context) => Context.get(context, Sale)) }
})

const countRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [payments] = yield* sql<{ n: number }>`SELECT COUNT(*) AS n FROM payments`
  const [events] = yield* sql<{ n: number }>`SELECT COUNT(*) AS n FROM payment_events`
  return [payments?.n, events?.n]
})

for (const how of ["beside", "under-claim"] as const)
  for (const why of [refusal, silence])
    it.scoped(
      `a payment that lands after a facilitator said ${why._tag} buys its answer, once (${how})`,
      () =>
        Effect.gen(function* () {
          const { chain, start } = yield* stage
          const sale = yield* start
          const payment = yield* sale.parseObject(yield* signPayment)
          const sell = (seller: typeof sale, what: Order) =>
            Effect.either(seller.sell(payment, { ...what, work: how }, report))
          chain.isHandedOver = true
          chain.declines = why
          expect(yield* sell(sale, order)).toMatchObject({ left: { _tag: why._tag } })
          chain.transfers.set(payment.authorizationKey, 1)
          // What it was presented for is known also after a restart, and nothing else is sold for it.
          const later = yield* start
          expect(yield* sell(later, another)).toMatchObject({ left: { reason: "payment_already_used" } })
          expect(yield* sell(later, order)).toMatchObject({ right: { answer: "report" } })
          expect(yield* sell(later, order)).toMatchObject({ right: { answer: "report", replayed: true } })
          expect(yield* sell(later, another)).toMatchObject({ left: { reason: "payment_already_used" } })
        }).pipe(Effect.provide(memoryDatabase))
    )

it.scoped(
  "a payment that lands after the work for it failed buys its answer, where a facilitator had it in its hands",
  () =>
    Effect.gen(function* () {
      const { chain, start } = yield* stage
      const sale = yield* start
      for (const isHandedOver of [true, false]) {
        chain.isHandedOver = isHandedOver
        const payment = yield* sale.parseObject(yield* signPayment)
        const sell = (work: Effect.Effect<string, Failed>) =>
          Effect.either(sale.sell(payment, { ...order, work: "beside" }, work))
        const before = yield* countRows
        expect(yield* sell(new Failed())).toMatchObject({ left: { _tag: "Failed" } })
        if (!isHandedOver) expect(yield* countRows).toEqual(before)
        chain.transfers.set(payment.authorizationKey, 1)
        expect(yield* sell(report)).toMatchObject(
          isHandedOver ? { right: { answer: "report" } } : { left: { reason: "payment_already_used" } }
        )
      }
    }).pipe(Effect.provide(memoryDatabase))
)

type Sell = (work: Effect.Effect<string, Failed>) => Effect.Effect<unknown>

/** Real time, for what goes on in fibers of the sale and in the database. */
const passed = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))

/** Ways in which a sale ends while the facilitator has not said yet whether it would settle. */
const endings = {
  "the work for it failed": (sell) => Effect.as(sell(new Failed()), Effect.void),
  "its caller hung up": (sell) =>
    Effect.map(
      Effect.flatMap(Effect.fork(sell(Effect.never)), (fiber) =>
        Effect.zipRight(passed, Fiber.interrupt(fiber))
      ),
      () => Effect.void
    ),
  "its process stood still": (sell) =>
    Effect.map(Effect.fork(sell(Effect.never)), (fiber) => Effect.asVoid(Fiber.interrupt(fiber)))
} satisfies Record<string, (sell: Sell) => Effect.Effect<Effect.Effect<void>>>

for (const [ending, endBy] of Object.entries(endings))
  it.scoped(`a payment that lands after ${ending} before its facilitator had answered buys its answer`, () =>
    Effect.gen(function* () {
      const { chain, start } = yield* stage
      const sale = yield* start
      chain.isHandedOver = true
      chain.isSilent = true
      const payment = yield* sale.parseObject(yield* signPayment)
      const sell = (seller: typeof sale) => (work: Effect.Effect<string, Failed>) =>
        Effect.either(seller.sell(payment, { ...order, work: "beside" }, work))
      const cleanUp = yield* endBy(sell(sale))
      yield* passed
      chain.isSilent = false
      chain.transfers.set(payment.authorizationKey, 1)
      expect(yield* sell(yield* start)(report)).toMatchObject({ right: { answer: "report" } })
      yield* cleanUp
    }).pipe(Effect.provide(memoryDatabase))
  )

it.scoped("the same payment again, or ever more of one payer's, are no more rows", () =>
  Effect.gen(function* () {
    const { chain, start } = yield* stage
    const sale = yield* start
    chain.isHandedOver = true
    chain.declines = silence
    const sell = (payload: unknown) =>
      Effect.flatMap(sale.parseObject(payload), (payment) => Effect.either(sale.sell(payment, order, report)))
    const first = yield* signPayment
    for (let i = 0; i < 5; i++) yield* sell(first)
    expect(yield* countRows).toEqual([1, 1])
    const { authorization } = first.payload
    for (let i = 1; i < 20; i++)
      yield* sell({
        ...first,
        payload: {
          ...first.payload,
          authorization: { ...authorization, nonce: `0x${"0".repeat(62)}${10 + i}` }
        }
      })
    expect(yield* countRows).toEqual([3, 3])
  }).pipe(Effect.provide(memoryDatabase))
)

it.scoped(
  "a payer of whom nothing more is written down has nothing handed over, and is told when to come again",
  () =>
    Effect.gen(function* () {
      const { chain, start } = yield* stage
      const sale = yield* start
      chain.isHandedOver = true
      chain.declines = silence
      const first = yield* signPayment
      const { authorization } = first.payload
      const sell = (n: number) =>
        Effect.flatMap(
          sale.parseObject({
            ...first,
            payload: {
              ...first.payload,
              authorization: { ...authorization, nonce: `0x${"0".repeat(62)}${n}` }
            }
          }),
          (payment) => Effect.either(sale.sell(payment, order, report))
        )
      for (const n of [10, 11, 12]) expect(yield* sell(n)).toMatchObject({ left: { _tag: silence._tag } })
      expect(yield* sell(13)).toMatchObject({ left: { _tag: "PayerMustWait", retryAfterSeconds: 5 } })
      // What is known is handed over as often as it comes.
      expect(yield* sell(12)).toMatchObject({ left: { _tag: silence._tag } })
      yield* TestClock.adjust("5 seconds")
      expect(yield* sell(13)).toMatchObject({ left: { _tag: silence._tag } })
      expect(yield* countRows).toEqual([4, 4])
    }).pipe(Effect.provide(memoryDatabase))
)

/** Payments of one payer that are presented one after another, and work that fails while the facilitator is asked. */
const inTurn = Effect.gen(function* () {
  const { chain, start } = yield* stage
  chain.isHandedOver = true
  const payer = privateKeyToAccount(generatePrivateKey())
  const payments = yield* Effect.forEach(Array.from({ length: 20 }), () => signPaymentBy(payer))
  const sell = (seller: Sale["Type"], n: number, work: Effect.Effect<string, Failed>, what = order) =>
    Effect.flatMap(seller.parseObject(payments[n]), (payment) =>
      Effect.either(seller.sell(payment, { ...what, work: "beside" }, work))
    )
  /** Real time, until something is so. */
  const until = (isSo: () => boolean) =>
    Effect.repeat(
      Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1))),
      { until: isSo }
    )
  /** The same, until one payment more has come into the facilitator's hands. */
  const asked = Effect.suspend(() => {
    const before = chain.handedOver
    return until(() => chain.handedOver > before)
  })
  /** Presents a payment for work that fails after that. */
  const failed = (seller: Sale["Type"], n: number, after: Effect.Effect<unknown>) =>
    sell(seller, n, Effect.zipRight(after, new Failed()))
  /** Presents a payment that buys its answer. */
  const bought = (seller: Sale["Type"], n: number) =>
    Effect.gen(function* () {
      const before = chain.transfers.size
      const selling = yield* Effect.fork(sell(seller, n, report))
      yield* until(() => chain.transfers.size > before)
      yield* TestClock.adjust("20 millis")
      return yield* Fiber.join(selling)
    })
  return { asked, bought, chain, failed, payments, sell, start }
})

it.scoped(
  "a payer whose payments buy nothing never waits for that: nobody gets the next before its work is done",
  () =>
    Effect.gen(function* () {
      const { asked, bought, chain, failed, start } = yield* inTurn
      const sale = yield* start
      for (let n = 0; n < 10; n++)
        expect(yield* failed(sale, n, n < 3 ? asked : passed)).toMatchObject({ left: { _tag: "Failed" } })
      expect(chain.handedOver).toBe(3)
      expect(yield* countRows).toEqual([3, 3])
      expect(yield* bought(sale, 10)).toMatchObject({ right: { answer: "report" } })
      expect(chain.handedOver).toBe(4)
      // Of who has bought something the facilitator is asked beside the work again.
      expect(yield* failed(sale, 11, asked)).toMatchObject({ left: { _tag: "Failed" } })
      expect(chain.handedOver).toBe(5)
    }).pipe(Effect.provide(memoryDatabase))
)

it.scoped(
  "a payer whose payments buy nothing though his work was done has few rows more, and then waits",
  () =>
    Effect.gen(function* () {
      const { chain, sell, start } = yield* inTurn
      const sale = yield* start
      chain.declines = silence
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), (_, n) =>
        Effect.flip(Effect.flatten(sell(sale, n, report)))
      )
      expect(answers.map(({ _tag }) => _tag)).toEqual([
        ...Array.from({ length: 6 }, () => silence._tag),
        ...Array.from({ length: 14 }, () => "PayerMustWait")
      ])
      expect(chain.handedOver).toBe(6)
      expect(yield* countRows).toEqual([6, 6])
    }).pipe(Effect.provide(memoryDatabase))
)

it.scoped(
  "a payment that a facilitator got after its work was done buys its answer where it is sent all the same",
  () =>
    Effect.gen(function* () {
      const { asked, chain, failed, payments, sell, start } = yield* inTurn
      const sale = yield* start
      for (let n = 0; n < 3; n++) yield* failed(sale, n, asked)
      chain.isSilent = true
      const selling = yield* Effect.fork(sell(sale, 3, report))
      yield* passed
      yield* Fiber.interrupt(selling)
      expect(chain.handedOver).toBe(4)
      chain.isSilent = false
      const { authorizationKey } = yield* sale.parseObject(payments[3])
      chain.transfers.set(authorizationKey, 1)
      const later = yield* start
      expect(yield* sell(later, 3, report, another)).toMatchObject({
        left: { reason: "payment_already_used" }
      })
      expect(yield* sell(later, 3, report)).toMatchObject({ right: { answer: "report" } })
    }).pipe(Effect.provide(memoryDatabase))
)
