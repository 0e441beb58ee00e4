import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import type { NewCheckout } from "../../src/checkout/checkout-repo.ts"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { CheckoutRepoSql } from "../../src/checkout/checkout-repo-sql.ts"
import { expiredMessage } from "../../src/checkout/webhooks/events.ts"
import { WebhookOutbox, WebhookOutboxSql } from "../../src/checkout/webhooks/outbox.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../src/domain/chain.ts"
import { databaseAt } from "../../src/storage/database.ts"
import { startPostgres } from "../support/postgres.ts"

const NOW = 1_800_000_000_000
const HOUR = 3_600_000

const checkout = (id: string, idempotencyKey: string | null = null): NewCheckout => ({
  id,
  status: "open" as const,
  merchant: "solana:merchant",
  terms: {
    scheme: "exact" as const,
    network: SOLANA_NETWORK,
    amount: "1",
    asset: SOLANA_USDC,
    payTo: "merchant",
    memo: "",
    checkoutId: id,
    maxTimeoutSeconds: 300,
    expiresAt: new Date(NOW + HOUR).toISOString(),
    extra: { memo: id },
    url: "https://risk.test/x"
  },
  createdAt: NOW,
  expiresAt: NOW + HOUR,
  requestDigest: "digest",
  webhook: { url: "https://shop.example/", secret: Redacted.make("whsec_x") },
  watchedAt: null,
  idempotencyKey
})

const bound = (key: string, attempt: string, since = NOW) =>
  ({ key, attempt, binding: "memo", payload: "payload", since }) as const

const SqliteDatabase = databaseAt({ dialect: "sqlite", path: ":memory:" })
const PostgresDatabase = Layer.unwrapScoped(
  startPostgres.pipe(
    Effect.flatMap(({ database }) => database("checkouts")),
    Effect.map(databaseAt)
  )
)

describe.each([
  ["SQLite", SqliteDatabase],
  ["PostgreSQL", PostgresDatabase]
] as const)("checkouts on %s", (_name, database) => {
  const repos = Layer.provide(Layer.merge(CheckoutRepoSql, WebhookOutboxSql), database)
  layer(repos, { excludeTestServices: true, timeout: 120_000 })((it) => {
    it.effect("are bound by one of many payments, and by nobody once their clock ran out", () =>
      Effect.gen(function* () {
        const repo = yield* CheckoutRepo
        yield* repo.insert(checkout("a"))
        const wins = yield* Effect.forEach(
          Array.from({ length: 10 }, (_, index) => bound(`a-${index}`, `try-${index}`)),
          (payment) => repo.bind("a", payment),
          { concurrency: "unbounded" }
        )
        expect(wins.filter(Boolean)).toHaveLength(1)
        yield* repo.insert(checkout("late"))
        expect(yield* repo.bind("late", bound("late-1", "try", NOW + HOUR))).toBe(false)
      })
    )

    it.effect("are given back only by the attempt that holds them", () =>
      Effect.gen(function* () {
        const repo = yield* CheckoutRepo
        yield* repo.insert(checkout("b"))
        yield* repo.bind("b", bound("b-1", "first"))
        expect(yield* repo.bind("b", bound("b-1", "second"))).toBe(true)
        yield* repo.release("b", ["first"])
        expect(Option.getOrThrow(yield* repo.find("b")).status).toBe("processing")
        yield* repo.release("b", ["second"])
        expect(Option.getOrThrow(yield* repo.find("b")).status).toBe("open")
      })
    )

    it.effect("keep their first receipt and post one event", () =>
      Effect.gen(function* () {
        const repo = yield* CheckoutRepo
        const outbox = yield* WebhookOutbox
        yield* repo.insert(checkout("c"))
        const record = (receipt: string) => ({
          id: "c",
          paymentKey: "c-1",
          receipt,
          settlement: { success: true, transaction: "tx", network: SOLANA_NETWORK },
          at: NOW + 1,
          message: { id: "msg_c_paid", body: receipt }
        })
        yield* repo.markPaid(record("one"))
        const after = yield* repo.markPaid(record("two"))
        expect(after).toMatchObject({ status: "paid", paid: { receipt: "one", at: NOW + 1 } })
        const taken = yield* outbox.take(NOW + 2, NOW + 1000, 100)
        expect(taken.map(({ attempts, body, id }) => [id, body, attempts])).toEqual([
          ["msg_c_paid", "one", 1]
        ])
        expect(yield* outbox.take(NOW + 2, NOW + 1000, 100)).toEqual([])
      })
    )

    it.effect("are one per idempotency key, and counted per merchant", () =>
      Effect.gen(function* () {
        const repo = yield* CheckoutRepo
        expect(Option.isNone(yield* repo.insert(checkout("d", "key")))).toBe(true)
        expect(Option.getOrThrow(yield* repo.insert(checkout("e", "key"))).id).toBe("d")
        const load = yield* repo.load("solana:merchant", { created: NOW - 1, payments: NOW - 1, now: NOW })
        expect(load.createdLately).toBeGreaterThan(3)
        expect(load.paymentsLately).toBeGreaterThan(0)
      })
    )

    it.effect("expire once, and a watched one after its grace", () =>
      Effect.gen(function* () {
        const repo = yield* CheckoutRepo
        yield* repo.insert(checkout("f"))
        yield* repo.watch("f", NOW)
        expect((yield* repo.watched(10)).map(({ id }) => id)).toEqual(["f"])
        yield* repo.expire(NOW + HOUR, expiredMessage)
        expect(Option.getOrThrow(yield* repo.find("f")).status).toBe("open")
        expect(yield* repo.expire(NOW + HOUR + 90_000, expiredMessage)).toBe(1)
        expect(yield* repo.expire(NOW + HOUR + 90_000, expiredMessage)).toBe(0)
        yield* repo.purge(NOW + 2 * HOUR)
        expect(Option.isNone(yield* repo.find("f"))).toBe(true)
      })
    )
  })
})
