import { expect, it } from "@effect/vitest"
import { Context, Data, Effect, Fiber, Layer, TestClock, TestServices } from "effect"
import { PaymentRejected } from "../../../src/domain/errors.ts"
import { PaymentVerifier } from "../../../src/payment/verifier/payment-verifier.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order: Order = {
  accepts: [terms],
  fingerprint: "order",
  resourceUrl: "http://127.0.0.1/ping",
  work: "beside"
}
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

/** What a caller would take for a proof that nothing was charged. */
class NoPools extends Data.TaggedError("NoPools") {}

type Node = PaymentVerifier["Type"]
/** What the late process's node says of the payment. */
type Verify = (node: Node) => Node["verify"]

const asItIs: Verify = (node) => node.verify
/** A node that does not show the transfer yet, but a payer whose money is gone. */
const withoutMoney: Verify = () => () =>
  Effect.fail(new PaymentRejected({ reason: "invalid_exact_evm_insufficient_balance" }))

/** A node that does not show the transfer yet. */
const asUnused: Verify = () => () => Effect.succeed({ height: 1 })

interface Late {
  readonly verify?: Verify
  readonly work?: Effect.Effect<string, NoPools>
  /** Milliseconds after the payment was signed. */
  readonly at?: number
}

/**
 * What a process answers that finds nothing in the ledger and, when it looks at the chain, the transfer of another process
 * that was faster and sold for `faster`.
 */
const overtakenBy = (
  faster: Order,
  { at = 0, verify: verifyBy = asItIs, work = Effect.succeed("again") }: Late = {}
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START + at)
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
      const verify: typeof node.verify = (verified, before) =>
        Effect.zipRight(
          sellFirst,
          Effect.suspend(() => verifyBy(node)(verified, before))
        )
      return Context.make(PaymentVerifier, { ...node, verify })
    })
    const second = yield* processWith(late)
    const selling = yield* Effect.fork(Effect.either(second.sell(payment, order, work)))
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

it.effect(
  "a payer without money because another process has just sold for it is answered as it answers",
  () =>
    Effect.map(overtakenBy(order, { verify: withoutMoney }), ({ answer, transfers }) => {
      expect(answer).toMatchObject({ _tag: "Right", right: { answer: "report", replayed: true } })
      expect(transfers).toEqual([1])
    })
)

it.effect("a window that closed while another process sold for the payment is answered as it answers", () => {
  const slow = Effect.as(Effect.sleep("20 seconds"), "again")
  return Effect.map(
    overtakenBy(order, { verify: asUnused, work: slow, at: 40_000 }),
    ({ answer, transfers }) => {
      expect(answer).toMatchObject({ _tag: "Right", right: { answer: "report", replayed: true } })
      expect(transfers).toEqual([1])
    }
  )
})

const unknown = Effect.zipRight(Effect.sleep("5 seconds"), new NoPools())

it.effect("work that fails while another process sold for the payment is answered as that one answers", () =>
  Effect.map(overtakenBy(order, { verify: asUnused, work: unknown }), ({ answer, transfers }) => {
    expect(answer).toMatchObject({ _tag: "Right", right: { answer: "report", replayed: true } })
    expect(transfers).toEqual([1])
  })
)

it.effect("work that fails while another process sold something else for the payment sells nothing", () =>
  Effect.map(overtakenBy(other, { verify: asUnused, work: unknown }), ({ answer, transfers }) => {
    expect(answer).toMatchObject({ _tag: "Left", left: { reason: "payment_already_used" } })
    expect(transfers).toEqual([1])
  })
)
