/** Terms of ours change: prices and addresses at a restart, a facilitator's fee payer at any moment. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, TestClock } from "effect"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { FakeChain, type Outcome, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order: Order = {
  accepts: [terms],
  fingerprint: "one ping",
  resourceUrl: "http://127.0.0.1/ping",
  work: "beside"
}

/** The same order as it is sold after a change. */
const changes: ReadonlyArray<readonly [string, Partial<Order>]> = [
  ["another price", { accepts: [{ ...terms, amount: "6000" }] }],
  ["another receiving address", { accepts: [{ ...terms, payTo: `0x${"8".repeat(40)}` }] }],
  ["another fee payer", { accepts: [{ ...terms, extra: { ...terms.extra, feePayer: "another" } }] }],
  ["a network that is not sold on any more", { accepts: [] }],
  ["another public address", { resourceUrl: "https://risk.example/ping" }]
]

const makeShop = Effect.gen(function* () {
  yield* TestClock.setTime(START)
  const chain = new FakeChain()
  const sale = Context.get(yield* Layer.build(SaleLive.pipe(Layer.provide(chain.layer))), Sale)
  const signed = { ...(yield* signPayment), resource: { url: order.resourceUrl } }
  let works = 0
  const present = (at: Order) =>
    Effect.gen(function* () {
      const work = Effect.sync(() => `report ${(works += 1)}`)
      const selling = yield* Effect.fork(Effect.either(sale.sell(yield* sale.parseObject(signed), at, work)))
      yield* TestClock.adjust("1 minute")
      return yield* selling
    })
  return { chain, present }
})

const firstThen = (outcome: Outcome, later: Order) =>
  Effect.gen(function* () {
    const { chain, present } = yield* makeShop
    chain.outcomes.push(outcome)
    const first = yield* present(order)
    return { first, again: yield* present(later), transfers: [...chain.transfers.values()] }
  })

describe.each(changes)("after a change to %s", (_, change) => {
  const later = { ...order, ...change }
  const sold = { _tag: "Right", right: { answer: "report 1", replayed: true } }

  it.scoped("a payment that has bought its answer still gets it", () =>
    Effect.gen(function* () {
      const { again, first, transfers } = yield* firstThen("ok", later)
      expect(first).toMatchObject({ _tag: "Right", right: { answer: "report 1" } })
      expect([again, transfers]).toMatchObject([sold, [1]])
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.scoped("a payment whose outcome nobody heard gets the answer it bought", () =>
    Effect.gen(function* () {
      const { again, first, transfers } = yield* firstThen("lost after", later)
      expect(first).toMatchObject({ _tag: "Left", left: { _tag: "PaymentUnresolved" } })
      expect([again, transfers]).toMatchObject([sold, [1]])
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.scoped("a payment that has bought nothing yet is refused as before, and moves nothing", () =>
    Effect.gen(function* () {
      const { chain, present } = yield* makeShop
      const answer = yield* present(later)
      expect(answer).toMatchObject({
        _tag: "Left",
        left: { reason: expect.stringMatching(/invalid_(payment_requirements|network)|resource_mismatch/) }
      })
      expect(chain.transfers.size).toBe(0)
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.scoped("a payment that bought something else is told so, whatever the terms of this", () =>
    Effect.gen(function* () {
      const { again } = yield* firstThen("ok", { ...later, fingerprint: "another order" })
      expect(again).toMatchObject({ _tag: "Left", left: { reason: "payment_already_used" } })
    }).pipe(Effect.provide(memoryDatabase))
  )
})
