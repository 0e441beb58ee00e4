/** Payers who were told to come back with the same payment, and come back when its window is long over. */
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, TestClock } from "effect"
import { PaymentUnavailable } from "../../../src/domain/errors.ts"
import { describeOperationFailure } from "../../../src/operations/failures.ts"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { Sale } from "../../../src/payment/sale/sale.ts"
import { FakeChain, type Outcome, signPayment, START, terms } from "../../support/payment/support.ts"
import { memoryDatabase } from "../../support/storage/memory-database.ts"

const order = { accepts: [terms], fingerprint: "one ping", resourceUrl: "http://127.0.0.1/ping" }
const WINDOW = "10 minutes"

/** A sale whose first settlement's outcome nobody heard, and the same payment again as often as it is asked for. */
const toldToComeBack = (outcome: Outcome) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const chain = new FakeChain()
    chain.outcomes.push(outcome)
    const services = yield* Layer.build(
      SaleLive.pipe(Layer.provide(chain.layer), Layer.provideMerge(LedgerLive))
    )
    const signed = yield* signPayment
    let works = 0
    const again = Effect.gen(function* () {
      const sale = yield* Sale
      const work = Effect.sync(() => `report ${(works += 1)}`)
      return yield* sale.sell(yield* sale.parseObject(signed), order, work)
    }).pipe(Effect.provide(services), Effect.either)
    const first = yield* Effect.fork(again)
    yield* TestClock.adjust("1 minute")
    expect(yield* first).toMatchObject({ _tag: "Left", left: { _tag: "PaymentUnresolved" } })
    yield* TestClock.adjust(WINDOW)
    return { chain, again, works: () => works }
  })

const rows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT state, reason, proof FROM payments`)

describe("after 503 and the end of its window, the same payment", () => {
  it.scoped("gets the answer it bought, where the transfer was made", () =>
    Effect.gen(function* () {
      const { again, chain, works } = yield* toldToComeBack("lost after")
      const answers = [yield* again, yield* again]
      for (const answer of answers)
        expect(answer).toMatchObject({ _tag: "Right", right: { answer: "report 1", replayed: true } })
      expect([works(), [...chain.transfers.values()]]).toEqual([1, [1]])
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.scoped("is not said to be uncharged while the ledger cannot be asked", () =>
    Effect.gen(function* () {
      const { again, chain } = yield* toldToComeBack("lost after")
      expect(chain.transfers.size).toBe(1)
      const sql = yield* SqlClient.SqlClient
      yield* sql`ALTER TABLE payments RENAME TO elsewhere`
      const said = yield* again
      const error = Either.isLeft(said) ? said.left : undefined
      expect(error).toBeInstanceOf(PaymentUnavailable)
      if (!(error instanceof PaymentUnavailable)) return
      const { text } = describeOperationFailure(error)
      expect(text).toContain("send the same payment again")
      expect(text).not.toContain("nothing was charged")
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.scoped("is refused for good by proof, where nothing can move any more; its row stays", () =>
    Effect.gen(function* () {
      const { again, chain, works } = yield* toldToComeBack("lost before")
      for (let times = 0; times < 3; times++) {
        expect(yield* again).toMatchObject({
          _tag: "Left",
          left: { _tag: "PaymentRejected", reason: "invalid_exact_evm_payload_authorization_valid_before" }
        })
      }
      expect([works(), chain.transfers.size]).toEqual([1, 0])
      expect(yield* rows).toMatchObject([
        { state: "refused", proof: expect.stringContaining("window-closed") }
      ])
    }).pipe(Effect.provide(memoryDatabase))
  )
})
