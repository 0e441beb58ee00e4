import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { join } from "node:path"
import { describeOperationFailure } from "../../src/operations/failures.ts"
import { SaleLive } from "../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../src/payment/sale/sale.ts"
import { databaseAt } from "../../src/storage/database.ts"
import { FakeChain, signPayment, START, terms } from "../support/payment/support.ts"
import { scopedFolder } from "../support/scoped-folder.ts"

const order: Order = { accepts: [terms], fingerprint: "ping", resourceUrl: "http://127.0.0.1/ping" }
const ANSWER = "report ".repeat(300)

const sql = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (client) => client.unsafe(statement))

/** A file, because one in memory has no other process that could lock it. */
const file = Effect.map(scopedFolder, (directory) => join(directory, "ledger.db"))

/** Timers are real, and it is the time at which these payments are valid. */
const began = Date.now()
const now = () => START + Date.now() - began
const validNow = Layer.setClock(
  Object.assign(Object.create(Clock.make()), {
    currentTimeMillis: Effect.sync(now),
    unsafeCurrentTimeMillis: now
  })
)

const open = (path: string) => Layer.fresh(databaseAt({ dialect: "sqlite", path }))

/** Takes every page that the disk still has, then half-filled ones stay the only room. */
const fillUp = Effect.gen(function* () {
  yield* sql("CREATE TABLE IF NOT EXISTS filler (x BLOB)")
  const [row] = yield* sql("PRAGMA page_count")
  yield* sql(`PRAGMA max_page_count = ${Number(Object.values(row ?? {})[0]) + 8}`)
  yield* Effect.ignore(Effect.forever(sql("INSERT INTO filler VALUES (zeroblob(3000))")))
})
const makeRoom = Effect.zipRight(sql("PRAGMA max_page_count = 100000"), sql("DELETE FROM filler"))

/** A refusal that a caller cannot take for "sign another payment". */
const expectAgain = (error: { readonly _tag: string }) => {
  const isTold = error._tag === "PaymentUnavailable" || error._tag === "PaymentUnresolved"
  expect(isTold ? "told" : error._tag).toBe("told")
}

describe("a paid call", () => {
  it.scopedLive(
    "that meets a full disk at any moment is told to come again, and is charged once at most",
    () =>
      Effect.gen(function* () {
        const chain = new FakeChain()
        yield* Effect.gen(function* () {
          const sale = yield* Sale
          yield* fillUp
          let refused = 0
          for (let attempt = 0; attempt < 40 && refused < 3; attempt++) {
            const payment = yield* sale.parseObject(yield* signPayment)
            const sell = sale.sell(payment, order, Effect.succeed(ANSWER))
            const first = yield* Effect.either(sell)
            if (first._tag === "Right") continue
            refused += 1
            expectAgain(first.left)
            if (first.left._tag === "PaymentUnavailable" || first.left._tag === "PaymentUnresolved")
              expect(describeOperationFailure(first.left)).toMatchObject({
                kind: "unavailable",
                text: expect.stringContaining("send the same payment again")
              })
            yield* makeRoom
            expect(yield* sell).toMatchObject({ answer: ANSWER })
            yield* fillUp
          }
          expect(refused).toBeGreaterThan(0)
          expect([...chain.transfers.values()].every((times) => times === 1)).toBe(true)
        }).pipe(
          Effect.provide(Layer.fresh(Layer.provide(SaleLive, chain.layer))),
          Effect.provide(open(yield* file)),
          Effect.provide(validNow)
        )
      })
  )

  it.scopedLive(
    "that meets a database which another process has locked is told to come again, and then sold",
    () =>
      Effect.gen(function* () {
        const path = yield* file
        const chain = new FakeChain()
        yield* Effect.gen(function* () {
          const sale = yield* Sale
          const other = yield* Layer.build(open(path))
          const payment = yield* sale.parseObject(yield* signPayment)
          const sell = sale.sell(payment, order, Effect.succeed(ANSWER))
          yield* Effect.provide(sql("BEGIN IMMEDIATE"), other)
          expectAgain(yield* Effect.flip(sell))
          expect(chain.transfers.size).toBe(0)
          yield* Effect.provide(sql("ROLLBACK"), other)
          expect(yield* sell).toMatchObject({ answer: ANSWER })
          expect([...chain.transfers.values()]).toEqual([1])
        }).pipe(
          Effect.provide(Layer.fresh(Layer.provide(SaleLive, chain.layer))),
          Effect.provide(open(path)),
          Effect.provide(validNow)
        )
      })
  )
})
