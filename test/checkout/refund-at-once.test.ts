/** Refunds to several payers of one order, asked for in the same moment. */
import { describe, expect, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Deferred, Effect, Either, Fiber, Layer } from "effect"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { CheckoutRepoLive } from "../../src/checkout/checkout-repo-live.ts"
import type { Refund } from "../../src/checkout/refunds/refund.ts"
import { RefundRepo, RefundRepoLive } from "../../src/checkout/refunds/refund-repo.ts"
import { Refunds } from "../../src/checkout/refunds/refunds.ts"
import { checkoutAt, LIMITS } from "../support/checkout/rows.ts"
import { inSandboxShop } from "../support/checkout/in-shop.ts"
import { createCheckout } from "../support/checkout/shop.ts"
import { bothDatabases } from "../support/postgres.ts"
import { LocalSandbox } from "../support/sandbox.ts"

const payerOf = (at: number): string => `0x${String(at).padStart(40, "0")}`

layer(LocalSandbox.layer, { excludeTestServices: true, timeout: 120_000 })(
  "refunds asked for at once",
  (it) => {
    /** An order to which three wallets have paid two USDC each, and of which one got five back. */
    const order = Effect.gen(function* () {
      const { base } = yield* LocalSandbox
      const repo = yield* CheckoutRepo
      const { merchant } = base.accounts
      yield* base.mintUsdc(merchant.address, 20_000_000n)
      const { checkoutId } = yield* createCheckout({ merchantPayTo: merchant.address, amountUsd: "2" })
      const record = (at: number, via: "wallet" | "refund", amount: bigint) =>
        repo.record(
          {
            evidence: `${via} ${at}`,
            checkoutId,
            via,
            transaction: "t",
            payer: payerOf(at),
            amount,
            at: Date.now()
          },
          Date.now(),
          () => ({ paid: null, messages: [] })
        )
      for (const at of [1, 2, 3]) yield* record(at, "wallet", 2_000_000n)
      yield* record(1, "refund", 5_000_000n)
      return checkoutId
    })

    it.effect(
      "give back no more together than the order has left, and the others are told to ask again",
      () =>
        Effect.gen(function* () {
          const refunds = yield* Refunds
          const id = yield* order
          const prepare = (at: number) => Effect.either(refunds.prepare(id, { payer: payerOf(at) }))
          const both = yield* Effect.all([prepare(2), prepare(3)], { concurrency: "unbounded" })
          const [first, ...others] = both.filter(Either.isRight).map(({ right }) => right.amount)
          expect([first, others]).toEqual(["1000000", []])
          expect(both.find(Either.isLeft)?.left).toMatchObject({
            _tag: "CheckoutConflict",
            message: expect.stringContaining("ask again")
          })
          const later = yield* Effect.all([prepare(2), prepare(3)])
          expect(later.filter(Either.isRight).map(({ right }) => right.amount)).toEqual(["1000000"])
        }).pipe(inSandboxShop)
    )
  }
)

describe.each(bothDatabases("refunds"))("open refunds on %s", (_name, database) => {
  const refundTo = (checkoutId: string, at: number): Refund => ({
    id: `ref_${checkoutId}_${at}`,
    checkoutId,
    payer: payerOf(at),
    amount: 1n,
    lifetime: "7",
    validUntil: null,
    state: "open",
    lookedTo: 1,
    preparedAt: at
  })

  const repos = Layer.merge(RefundRepoLive, CheckoutRepoLive)
  layer(Layer.provideMerge(repos, database), { timeout: 120_000 })((it) => {
    let attempts = 0
    it.effect("are written down one after another, each by whoever knows of those before it", () =>
      Effect.gen(function* () {
        const repo = yield* RefundRepo
        // The database keeps what an earlier attempt wrote.
        const id = `checkout-${(attempts += 1)}`
        yield* (yield* CheckoutRepo).insert(checkoutAt(id), LIMITS)
        const many = [1, 2, 3, 4, 5].map((at) => refundTo(id, at))
        const written = yield* Effect.forEach(many, (refund) => repo.insert(refund, { open: [], gone: 0 }), {
          concurrency: "unbounded"
        })
        expect(written.filter((isWritten) => isWritten)).toHaveLength(1)
        const open = yield* repo.open(id)
        expect(open).toHaveLength(1)
        expect(yield* repo.insert(refundTo(id, 6), { open: [], gone: 0 })).toBe(false)
        expect(yield* repo.insert(refundTo(id, 7), { open, gone: 0 })).toBe(true)
      })
    )

    it.effect("wait for one that another process is writing down in the same moment, and know of it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const repo = yield* RefundRepo
        const id = `checkout-${(attempts += 1)}`
        yield* (yield* CheckoutRepo).insert(checkoutAt(id), LIMITS)
        const [first, second] = [refundTo(id, 1), refundTo(id, 2)]
        const isWritten = yield* Deferred.make<void>()
        const late = yield* Effect.fork(
          Effect.zipRight(Deferred.await(isWritten), repo.insert(second, { open: [], gone: 0 }))
        )
        // SQLite takes one transaction at a time; PostgreSQL shows who waits for a lock.
        const waits = sql.onDialectOrElse({
          pg: () => Effect.map(sql`SELECT 1 FROM pg_locks WHERE NOT granted`, (rows) => rows.length > 0),
          orElse: () => Effect.succeed(true)
        })
        const isOverOrWaits = Effect.map(waits, (isWaiting) => isWaiting || late.unsafePoll() !== null)
        yield* Effect.gen(function* () {
          yield* repo.insert(first, { open: [], gone: 0 })
          yield* Deferred.succeed(isWritten, undefined)
          yield* Effect.repeat(isOverOrWaits, { until: (isSo) => isSo })
        }).pipe(sql.withTransaction)
        expect(yield* Fiber.join(late)).toBe(false)
        expect((yield* repo.open(id)).map((refund) => refund.id)).toEqual([first.id])
      })
    )

    it.effect("are due in their turn, and end once: no look that was under way opens them again", () =>
      Effect.gen(function* () {
        const repo = yield* RefundRepo
        const id = `checkout-${(attempts += 1)}`
        yield* (yield* CheckoutRepo).insert(checkoutAt(id), LIMITS)
        const [first, second] = [refundTo(id, 1), { ...refundTo(id, 1), id: `ref_${id}_again` }]
        const due = (now: number) =>
          Effect.map(repo.due(now, 100), (all) =>
            all.filter(({ checkoutId }) => checkoutId === id).map((refund) => refund.id)
          )
        expect(yield* repo.insert(first, { open: [], gone: 0 })).toBe(true)
        expect([yield* due(0), yield* due(1)]).toEqual([[], [first.id]])
        yield* repo.looked(first, { lookedTo: 2, state: "seen", evidence: `went ${id}` }, 3)
        yield* repo.looked(first, { lookedTo: 1, state: "open" }, 0)
        yield* repo.lookedLate(first, { lookedTo: 1 })
        expect([yield* due(9), yield* repo.ended(id)]).toEqual([[], []])
        expect(yield* repo.insert(second, { open: [], gone: 0 })).toBe(true)
        // One payer has one open refund, whatever a reorganisation takes back.
        yield* repo.reopen(`went ${id}`, 4)
        expect(yield* due(9)).toEqual([second.id])
      })
    )
  })
})
