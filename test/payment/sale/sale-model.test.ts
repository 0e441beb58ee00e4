import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Ref, Scope, TestClock, TestContext } from "effect"
import fc from "fast-check"
import { ReconcilerLive } from "../../../src/payment/sale/reconciler.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { Sale, type Sold } from "../../../src/payment/sale/sale.ts"
import { FakeChain, type Outcome, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

type Command =
  | { readonly kind: "submit"; readonly payment: number; readonly order: number; readonly copies: number }
  | { readonly kind: "disconnect"; readonly payment: number; readonly afterMillis: number }
  | { readonly kind: "crash" }
  | { readonly kind: "wait"; readonly millis: number }

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("submit" as const),
      payment: fc.nat(1),
      order: fc.nat(1),
      copies: fc.integer({ min: 1, max: 4 })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("disconnect" as const),
      payment: fc.nat(1),
      afterMillis: fc.constantFrom(0, 5, 15, 25, 60)
    })
  },
  { weight: 1, arbitrary: fc.constant({ kind: "crash" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), millis: fc.constantFrom(100, 5_000, 16_000) })
  }
)

const outcome = fc.constantFrom<Outcome>(
  "ok",
  "ok",
  "refused",
  "lost before",
  "lost after",
  "hangs before",
  "hangs after"
)

/** Lets promises and the event loop run, which no test clock moves. */
const settleDown = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const pass = (millis: number) =>
  Effect.gen(function* () {
    for (let step = 0; step < 4; step++) {
      yield* settleDown
      yield* TestClock.adjust(millis / 4)
      yield* settleDown
    }
  })

/** One process: its sale and its reconciler over a database that outlives it. */
const startMachine = (chain: FakeChain) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const sql = yield* SqlClient.SqlClient
    const live = Layer.merge(SaleLive, ReconcilerLive).pipe(
      Layer.fresh,
      Layer.provide(chain.layer),
      Layer.provide(Layer.succeed(SqlClient.SqlClient, sql))
    )
    const context = yield* Layer.buildWithScope(live, scope)
    return { sale: Context.get(context, Sale), scope }
  })

const scenario = (commands: ReadonlyArray<Command>, outcomes: ReadonlyArray<Outcome>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const chain = new FakeChain()
    chain.outcomes.push(...outcomes)
    const payloads = [yield* signPayment, yield* signPayment]
    const reports = yield* Ref.make(0)
    const sold: Array<{ readonly key: string; readonly order: number; readonly sold: Sold }> = []
    const machine = { ...(yield* startMachine(chain)) }

    const submit = (index: number, order: number) =>
      Effect.gen(function* () {
        const payment = yield* machine.sale.parseObject(payloads[index])
        const work = Ref.updateAndGet(reports, (n) => n + 1).pipe(
          Effect.map((n) => `report ${n}`),
          Effect.delay("10 millis")
        )
        const resourceUrl = "http://127.0.0.1/ping"
        const answer = yield* machine.sale.sell(
          payment,
          { accepts: [terms], fingerprint: `order ${order}`, resourceUrl },
          work
        )
        const key = payment.authorizationKey
        expect(chain.isPaid(key), "an answer without a transfer").toBe(true)
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql`SELECT state, answer FROM payments WHERE authorization_key = ${key}`
        expect(row, "an answer that is not recorded").toEqual({ state: "settled", answer: answer.answer })
        sold.push({ key, order, sold: answer })
        return answer
      })

    const crash = Effect.gen(function* () {
      const closing = yield* Effect.fork(Scope.close(machine.scope, Exit.void))
      yield* pass(24_000)
      yield* Fiber.join(closing)
      Object.assign(machine, yield* startMachine(chain))
    })

    for (const next of commands) {
      switch (next.kind) {
        case "submit":
          yield* Effect.forEach(
            Array.from({ length: next.copies }),
            () => Effect.forkDaemon(submit(next.payment, next.order)),
            { discard: true }
          )
          yield* pass(100)
          break
        case "disconnect": {
          const fiber = yield* Effect.forkDaemon(submit(next.payment, 0))
          yield* pass(next.afterMillis)
          yield* Fiber.interruptFork(fiber)
          yield* pass(20)
          break
        }
        case "crash":
          yield* crash
          break
        case "wait":
          yield* pass(next.millis)
      }
    }

    chain.outcomes.length = 0
    yield* crash
    yield* pass(60_000)

    expect(chain.settledTwiceAtOnce, "two settlements of one payment at once").toBe(false)
    for (const [index, payload] of payloads.entries()) {
      const { authorizationKey: key } = yield* machine.sale.parseObject(payload)
      const answers = sold.filter((entry) => entry.key === key)
      expect(chain.transfers.get(key) ?? 0, "two transfers for one authorization").toBeLessThanOrEqual(1)
      expect(
        new Set(answers.map(({ sold }) => sold.answer)).size,
        "two answers for one payment"
      ).toBeLessThanOrEqual(1)
      expect(
        new Set(answers.map(({ order }) => order)).size,
        "two orders for one payment"
      ).toBeLessThanOrEqual(1)
      if (!chain.isPaid(key)) continue
      // Whoever was charged gets the answer, for the order that was paid.
      const attempts = yield* Effect.forEach([0, 1], (order) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(Effect.exit(submit(index, order)))
          yield* pass(1_000)
          return yield* Fiber.join(fiber)
        })
      )
      expect(attempts.filter(Exit.isSuccess), "a charge without an answer").toHaveLength(1)
    }
    yield* Scope.close(machine.scope, Exit.void)
  }).pipe(Effect.provide(memoryDatabase), Effect.provide(TestContext.TestContext), Effect.scoped)

describe("the sale, under any interleaving of requests, disconnects, crashes and settlement outcomes", () => {
  it("never moves money twice, never answers unpaid, never keeps money without an answer", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: 1, maxLength: 7 }),
        fc.array(outcome, { maxLength: 5 }),
        (commands, outcomes) => Effect.runPromise(scenario(commands, outcomes))
      ),
      { numRuns: 30, endOnFailure: false }
    )
  }, 120_000)
})
