/** A database that refuses any one statement of a sale, or takes it and says that it did not. */
import { describe, expect, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Context, Effect, Either, Fiber, Layer, Option, TestClock, TestServices } from "effect"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { Sale } from "../../../src/payment/sale/sale.ts"
import { sqliteClientOver } from "../../../src/storage/sqlite/sqlite-client.ts"
import { migratedFile } from "../../support/storage/memory-database.ts"
import { FakeChain, signPayment, START, terms } from "../../support/payment/support.ts"

/** From which statement on so many fail, and whether they were done all the same. */
interface Fault {
  readonly from: number
  readonly many: number
  readonly isDone: boolean
}

type Run = (...given: ReadonlyArray<unknown>) => unknown

/** An object with another function in the place of each of those that `instead` answers. */
const replacing = <A extends object>(of: A, instead: (name: string, own: Run) => Run): A =>
  new Proxy(of, {
    get: (_, name) => {
      const member: unknown = Reflect.get(of, name, of)
      if (typeof member !== "function") return member
      return instead(String(name), (...given) => Reflect.apply(member, of, given))
    }
  })

/** A database whose statements are counted, from `watch` on, and fail as they are told to. */
const failing = (bytes: Buffer, { from, isDone, many }: Fault) => {
  let [count, isWatched] = [0, false]
  const failingAt =
    (run: Run): Run =>
    (...params) => {
      if (!isWatched) return run(...params)
      const at = count++
      if (at < from || at >= from + many) return run(...params)
      if (isDone) run(...params)
      throw new Sqlite.SqliteError("database or disk is full", "SQLITE_FULL")
    }
  const statement = (made: unknown): unknown =>
    typeof made === "object" && made !== null
      ? replacing(made, (name, own) => (name === "all" || name === "run" ? failingAt(own) : own))
      : made
  const open = () =>
    replacing(new Sqlite(bytes), (name, own) =>
      name === "prepare" ? (...given) => statement(own(...given)) : own
    )
  return {
    database: sqliteClientOver(open),
    watch: () => void (isWatched = true),
    mend: () => void (isWatched = false),
    statements: () => count
  }
}

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
      watch()
      const first = yield* sell
      mend()
      const answers = [first]
      for (let again = 0; again < 3 && answers.at(-1)?._tag !== "Right"; again++) {
        yield* TestClock.adjust("10 seconds")
        answers.push(yield* sell)
      }
      return { answers, moved: chain.transfers.get(payment.authorizationKey), statements: statements() }
    }).pipe(Effect.provide(database), Effect.scoped)
  })

describe.each(["beside", "under-claim"] as const)("a sale (%s) whose database fails", (work) => {
  it.effect("at any statement is unpaid for nobody, and ends in one transfer and one answer", () =>
    Effect.gen(function* () {
      const { statements } = yield* sellOver({ from: Infinity, many: 0, isDone: false }, work)
      for (let from = 0; from < statements; from++)
        for (const isDone of [true, false])
          for (const many of [1, 1_000]) {
            const { answers, moved } = yield* sellOver({ from, many, isDone }, work)
            const told = answers.map((one) => (Either.isRight(one) ? one.right.answer : one.left._tag))
            const where = `statement ${from} of ${statements}, ${many} fail, done all the same: ${isDone}`
            const refused = told.filter((one) => one === "PaymentRejected")
            expect({ where, refused, last: told.at(-1), moved }).toEqual({
              where,
              refused: [],
              last: "report",
              moved: 1
            })
          }
    })
  )
})
