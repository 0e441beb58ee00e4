import { expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, TestClock, TestServices } from "effect"
import { PaymentVerifier } from "../../../src/payment/verifier/payment-verifier.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order: Order = { accepts: [terms], fingerprint: "order", resourceUrl: "http://127.0.0.1/ping" }
const other: Order = { ...order, fingerprint: "another order" }

/** Lets time pass until a fiber has ended. */
const passTime = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function* () {
    while ((yield* Fiber.poll(fiber))._tag === "None") {
      yield* TestClock.adjust("100 millis")
      yield* TestServices.provideLive(Effect.sleep("1 millis"))
    }
    return yield* Fiber.join(fiber)
  })

/**
 * What a process answers that finds nothing in the ledger and, when it looks at the chain, the transfer of another process
 * that was faster and sold for `faster`.
 */
const overtakenBy = (faster: Order) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const chain = new FakeChain()
    const processWith = (verifier: Layer.Layer<PaymentVerifier>) =>
      Effect.map(Layer.build(Layer.fresh(SaleLive).pipe(Layer.provide(verifier))), (built) =>
        Context.get(built, Sale)
      )
    const first = yield* processWith(chain.layer)
    const payment = yield* first.parseObject(yield* signPayment)
    const sellFirst = Effect.orDie(first.sell(payment, faster, Effect.succeed("report")))
    const late = Layer.map(chain.layer, (context) => {
      const node = Context.get(context, PaymentVerifier)
      const verify: typeof node.verify = (checked) =>
        Effect.zipRight(
          sellFirst,
          Effect.suspend(() => node.verify(checked))
        )
      return Context.make(PaymentVerifier, { ...node, verify })
    })
    const second = yield* processWith(late)
    const selling = yield* Effect.fork(Effect.either(second.sell(payment, order, Effect.succeed("again"))))
    const answer = yield* passTime(selling)
    return { answer, transfers: [...chain.transfers.values()] }
  }).pipe(Effect.provide(memoryDatabase), Effect.scoped)

it.effect(
  "a payment that another process took between two looks is answered as it answers, not refused",
  () =>
    Effect.map(overtakenBy(order), ({ answer, transfers }) => {
      expect(answer).toMatchObject({ _tag: "Right", right: { answer: "report", replayed: true } })
      expect(transfers).toEqual([1])
    })
)

it.effect("a payment that another process took for another order is refused", () =>
  Effect.map(overtakenBy(other), ({ answer, transfers }) => {
    expect(answer).toMatchObject({ _tag: "Left", left: { reason: "payment_already_used" } })
    expect(transfers).toEqual([1])
  })
)
