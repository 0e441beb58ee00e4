/** A database that refuses any one statement of a sale, or takes it and says that it did not. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Either, Fiber, Layer, Option, TestClock, TestServices } from "effect"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { Sale } from "../../../src/payment/sale/sale.ts"
import { migratedFile } from "../../support/storage/memory-database.ts"
import { type Fault, failing } from "../../support/storage/failing-database.ts"
import { earned } from "../../support/payment/earned.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"

const sellOver = (fault: Fault, work: "beside" | "under-claim") =>
  Effect.gen(function* () {
    const { database, mend, statements, watch } = failing(yield* migratedFile, fault)
    return yield* Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const chain = new FakeChain()
      const sale = Context.get(yield* Layer.build(Layer.fresh(Layer.provide(SaleLive, chain.layer))), Sale)
      const payment = yield* sale.parseObject(yield* signPayment)
      const order = { accepts: [terms], fingerprint: "a", resourceUrl: "http://127.0.0.1/a", work }
      const sell = Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.either(sale.sell(payment, order, Effect.succeed("report"))))
        while (Option.isNone(yield* Fiber.poll(fiber))) {
          yield* TestClock.adjust("1 second")
          yield* TestServices.provideLive(Effect.sleep("1 millis"))
        }
        return yield* Fiber.join(fiber)
      })
      const before = yield* earned
      watch()
      const first = yield* sell
      mend()
      const answers = [first]
      for (let again = 0; again < 3 && answers.at(-1)?._tag !== "Right"; again++) {
        yield* TestClock.adjust("10 seconds")
        answers.push(yield* sell)
      }
      const moved = chain.transfers.get(payment.authorizationKey)
      return { answers, moved, earned: (yield* earned) - before, statements: statements() }
    }).pipe(Effect.provide(database), Effect.scoped)
  })

describe.each(["beside", "under-claim"] as const)("a sale (%s) whose database fails", (work) => {
  it.effect(
    "at any statement is unpaid for nobody, and ends in one transfer and one answer, earned once",
    () =>
      Effect.gen(function* () {
        const { statements } = yield* sellOver({ from: Infinity, many: 0, isDone: false }, work)
        for (let from = 0; from < statements; from++)
          for (const isDone of [true, false])
            for (const many of [1, 1_000]) {
              const { answers, earned, moved } = yield* sellOver({ from, many, isDone }, work)
              const told = answers.map((one) => (Either.isRight(one) ? one.right.answer : one.left._tag))
              const where = `statement ${from} of ${statements}, ${many} fail, done all the same: ${isDone}`
              const refused = told.filter((one) => one === "PaymentRejected")
              expect({ where, refused, last: told.at(-1), moved, earned }).toEqual({
                where,
                refused: [],
                last: "report",
                moved: 1,
                earned: Number(terms.amount)
              })
            }
      })
  )
})
