import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Either, FastCheck as fc, Layer, TestClock, TestContext } from "effect"
import { Sale } from "../../../src/payment/sale/sale.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { makeDayFees } from "../../../src/payment/settler/day-fees.ts"
import type { GiveBack } from "../../../src/payment/verifier/payment-verifier.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const FEE = 3n
/** Three payments, and not a fourth. */
const LIMIT = 11n
const PAYMENTS = 6

const happenings = fc.array(
  fc.record({
    payment: fc.nat({ max: PAYMENTS - 1 }),
    what: fc.constantFrom("come", "write", "end", "later")
  }),
  { maxLength: 60 }
)

/** A day on which payments come, are written down and end, in any order. */
const makeDay = Effect.gen(function* () {
  let spent = 0n
  const fees = yield* makeDayFees(
    Effect.sync(() => spent),
    { dailyFees: LIMIT }
  )
  const underWay = new Map<string, { readonly giveBack: GiveBack; isWritten: boolean }>()
  const come = Effect.fnUntraced(function* (key: string) {
    if (underWay.has(key) || !(yield* fees.allow(FEE))) return
    const giveBack = fees.setAside(key, FEE)
    if (giveBack !== undefined) underWay.set(key, { giveBack, isWritten: false })
  })
  const write = (key: string): void => {
    const payment = underWay.get(key)
    if (payment === undefined || payment.isWritten) return
    payment.isWritten = true
    spent += FEE
    fees.wrote(key, FEE)
  }
  const end = (key: string): void => {
    underWay.get(key)?.giveBack()
    underWay.delete(key)
  }
  return { fees, come, write, end, later: TestClock.adjust("3 seconds"), spent: () => spent }
})

describe("the day's fees", () => {
  it.effect("are never passed, and have all their room again that nothing was written down for", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(happenings, (all) =>
          Effect.gen(function* () {
            const { come, end, fees, later, spent, write } = yield* makeDay
            for (const { payment, what } of all) {
              const key = `payment ${payment}`
              if (what === "come") yield* come(key)
              else if (what === "later") yield* later
              else (what === "write" ? write : end)(key)
              expect(spent() <= LIMIT).toBe(true)
            }
            for (const payment of Array(PAYMENTS).keys()) end(`payment ${payment}`)
            yield* later
            yield* later
            const left = LIMIT - spent()
            expect([yield* fees.allow(left), yield* fees.allow(left + 1n)]).toEqual([true, false])
          }).pipe(Effect.provide(TestContext.TestContext), Effect.runPromise)
        )
      )
    )
  )

  it.effect("have room for others where what was set aside is written down: nothing counts twice", () =>
    Effect.gen(function* () {
      const { come, fees, write } = yield* makeDay
      for (const key of ["a", "b"]) yield* come(key)
      write("a")
      expect([yield* fees.allow(5n), yield* fees.allow(6n)]).toEqual([true, false])
    })
  )
})

describe("payments that come together where the day's fees pay for three", () => {
  /** What is answered to so many payers at once, and how many of their payments moved money. */
  const present = (many: number, work: "beside" | "under-claim", of: Effect.Effect<string, string>) =>
    Effect.gen(function* () {
      const chain = new FakeChain()
      let spent = 0n
      const day = yield* makeDayFees(
        Effect.sync(() => spent),
        { dailyFees: LIMIT }
      )
      yield* day.allow(0n)
      chain.fees = { fee: FEE, of: day }
      const sale = Context.get(yield* Layer.build(Layer.fresh(Layer.provide(SaleLive, chain.layer))), Sale)
      const one = (at: number) =>
        Effect.gen(function* () {
          const payment = yield* sale.parseObject(yield* signPayment)
          const order = { accepts: [terms], fingerprint: `${at}`, resourceUrl: "http://127.0.0.1/a", work }
          return yield* sale.sell(payment, order, of)
        }).pipe(Effect.either)
      const all = yield* Effect.fork(Effect.forEach(Array(many).keys(), one, { concurrency: "unbounded" }))
      yield* TestClock.adjust("5 seconds")
      const answers = yield* all
      const sold = answers.filter(Either.isRight).length
      spent = BigInt(sold) * FEE
      yield* TestClock.adjust("5 seconds")
      return { answers, sold, moved: chain.transfers.size, hasRoom: yield* day.allow(LIMIT - spent) }
    }).pipe(Effect.provide(memoryDatabase), Effect.scoped)

  it.effect.each(["beside", "under-claim"] as const)(
    "three are sent, and the others are told to come again, not that they are over (%s)",
    (work) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(START)
        const { answers, moved, sold } = yield* present(
          8,
          work,
          Effect.delay(Effect.succeed("report"), "1 seconds")
        )
        expect([sold, moved]).toEqual([3, 3])
        for (const answer of answers.filter(Either.isLeft))
          expect(answer).toMatchObject({ left: { _tag: "PaymentUnresolved", retryAfterSeconds: 2 } })
      })
  )

  it.effect.each(["beside", "under-claim"] as const)(
    "what failed gives back what was set aside for it (%s)",
    (work) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(START)
        const failed = yield* present(3, work, Effect.delay(Effect.fail("no such token"), "1 seconds"))
        expect(failed).toMatchObject({ sold: 0, moved: 0, hasRoom: true })
      })
  )
})
