/** Two processes of the service on one database: whatever both do at once happens once, and what one forgets the other knows. */
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { join } from "node:path"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import { RefundRepo } from "../../src/checkout/refunds/refund-repo.ts"
import { memoOfTerms } from "../../src/checkout/solana/solana-pay.ts"
import { UnassignedTransfers } from "../../src/checkout/watch/unassigned-transfers.ts"
import { WebhookOutbox } from "../../src/checkout/webhooks/outbox.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { NO_SETTINGS } from "../../src/domain/merchant.ts"
import { databaseAt } from "../../src/storage/database.ts"
import {
  Chain,
  createCheckout,
  from,
  order,
  shopProcess,
  SOLANA_MERCHANT,
  statusOf,
  STRANGER,
  verify
} from "../support/checkout/shop.ts"
import { signEither } from "../support/checkout/solana-buyer.ts"
import { sharedPostgres } from "../support/postgres.ts"
import { scopedFolder } from "../support/scoped-folder.ts"

const onPostgres = Effect.flatMap(sharedPostgres, ({ database }) => database("two"))
const onSqlite = Effect.map(
  scopedFolder,
  (folder) => ({ dialect: "sqlite", path: join(folder, "service.db") }) as const
)

/** What a process leaves behind is the other's soon. */
const SHORT_LEASE = { PAYMENT_LEASE: "2 seconds" }

const makeProcess = (database: Parameters<typeof databaseAt>[0], chain: Context.Tag.Service<typeof Chain>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      ManagedRuntime.make(
        shopProcess(SHORT_LEASE).pipe(
          Layer.provideMerge(databaseAt(database)),
          Layer.provideMerge(Layer.succeed(Chain, chain))
        )
      )
    ),
    (runtime) => runtime.disposeEffect
  )

type Services = ManagedRuntime.ManagedRuntime.Context<Effect.Effect.Success<ReturnType<typeof makeProcess>>>

class Pair extends Context.Tag("test/Pair")<
  Pair,
  {
    readonly chain: Context.Tag.Service<typeof Chain>
    readonly inFirst: <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.Effect<A, E>
    readonly inSecond: <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.Effect<A, E>
    /** The same in both at once. */
    readonly inBoth: <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.Effect<readonly [A, A], E>
  }
>() {
  static readonly at = (where: typeof onPostgres | typeof onSqlite) =>
    Layer.scoped(
      Pair,
      Effect.gen(function* () {
        const place = yield* where
        const chain = yield* Chain
        const runIn = Effect.fnUntraced(function* () {
          const runtime = yield* Effect.flatMap(makeProcess(place, chain), (made) => made.runtimeEffect)
          return <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.provide(effect, runtime)
        })
        const inFirst = yield* runIn()
        const inSecond = yield* runIn()
        return Pair.of({
          chain,
          inFirst,
          inSecond,
          inBoth: (effect) => Effect.all([inFirst(effect), inSecond(effect)], { concurrency: 2 })
        })
      })
    ).pipe(Layer.provide(Chain.layer))
}

const onSolana = { network: SOLANA_NETWORK, merchantPayTo: SOLANA_MERCHANT, amountUsd: "1" } as const

/** The ledger takes no settled payment any more, until it is mended: a disk that is full, a lock that is not given. */
const breakLedger = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    pg: () => sql`ALTER TABLE payments ADD CONSTRAINT broken CHECK (state <> 'settled') NOT VALID`,
    orElse: () => sql`CREATE TRIGGER broken BEFORE UPDATE ON payments WHEN NEW.state = 'settled'
      BEGIN SELECT RAISE(ABORT, 'disk'); END`
  })
)
const mendLedger = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    pg: () => sql`ALTER TABLE payments DROP CONSTRAINT broken`,
    orElse: () => sql`DROP TRIGGER broken`
  })
)

let names = 0
/** A name that nothing has in the database, which keeps what a test that is tried again wrote before. */
const newName = (kind: string): string => `${kind}-${(names += 1)}`

const NETWORKS = [
  ["Base", {}],
  ["Solana", onSolana]
] as const

describe.each([
  ["SQLite", onSqlite],
  ["PostgreSQL", onPostgres]
] as const)("two processes on one %s", (_name, where) => {
  layer(Pair.at(where), { excludeTestServices: true, timeout: 120_000 })((it) => {
    it.effect.each(NETWORKS)("settle one payment once, and one of two payments, on %s", ([, change]) =>
      Effect.gen(function* () {
        const { chain, inBoth, inFirst, inSecond } = yield* Pair
        const terms = yield* inFirst(createCheckout(change))
        const payment = yield* signEither(terms)
        const settles = chain.settles
        const many = Effect.all(
          Array.from({ length: 10 }, () => verify(terms.checkoutId, payment)),
          { concurrency: "unbounded" }
        )
        const answers = (yield* inBoth(many)).flat()
        expect(new Set(answers.map(({ receipt }) => receipt)).size).toBe(1)
        expect(chain.settles - settles).toBe(1)
        const next = yield* inFirst(createCheckout(change))
        const [mine, yours] = yield* Effect.all([signEither(next), signEither(next)])
        const outcomes = yield* Effect.all(
          [
            inFirst(Effect.either(verify(next.checkoutId, mine))),
            inSecond(Effect.either(verify(next.checkoutId, yours)))
          ],
          { concurrency: 2 }
        )
        expect(outcomes.map(({ _tag }) => _tag).toSorted()).toEqual(["Left", "Right"])
        expect(chain.settles - settles).toBe(2)
      })
    )

    it.effect("keep a checkout for its payment when the ledger fails in the middle of settling it", () =>
      Effect.gen(function* () {
        const { chain, inFirst, inSecond } = yield* Pair
        const transfers = chain.transfers.size
        const onBoth = <A, B, E>(inputs: ReadonlyArray<A>, each: (input: A) => Effect.Effect<B, E>) =>
          Effect.forEach(inputs, each, { concurrency: 2 })
        const checkouts = yield* onBoth(NETWORKS, ([, change]) => inFirst(createCheckout(change)))
        yield* inFirst(breakLedger)
        const signed = yield* onBoth(checkouts, (terms) =>
          Effect.gen(function* () {
            const [payment, other] = yield* Effect.all([signEither(terms), signEither(terms)])
            expect((yield* inFirst(Effect.either(verify(terms.checkoutId, payment))))._tag).toBe("Left")
            return { id: terms.checkoutId, payment, other }
          })
        )
        yield* inFirst(mendLedger)
        // The money moved and nobody wrote it down: the other process takes no second payment, and knows the first.
        yield* onBoth(signed, ({ id, other, payment }) =>
          Effect.gen(function* () {
            expect((yield* inSecond(statusOf(id))).status).toBe("processing")
            const answers = yield* onBoth([other, payment], (one) => inSecond(Effect.either(verify(id, one))))
            expect(answers.map(({ _tag }) => _tag)).toEqual(["Left", "Right"])
          })
        )
        expect(chain.transfers.size - transfers).toBe(NETWORKS.length)
      })
    )

    it.effect("create one checkout under one Idempotency-Key", () =>
      Effect.gen(function* () {
        const { inBoth } = yield* Pair
        const create = Effect.flatMap(Checkouts, (checkouts) =>
          checkouts.create(order(), from(STRANGER, "once"))
        )
        const [one, other] = yield* inBoth(create)
        expect(one.checkoutId).toBe(other.checkoutId)
      })
    )

    it.effect("look through accounts under one lease, and write a transfer down once, with one event", () =>
      Effect.gen(function* () {
        const { chain, inBoth, inFirst, inSecond } = yield* Pair
        const terms = yield* inFirst(createCheckout({ ...onSolana, webhookUrl: "https://shop.example/hook" }))
        const earlier = chain.wallets.get(SOLANA_MERCHANT) ?? []
        const change = {
          transaction: newName("sig"),
          at: Date.now(),
          change: 1_000_000n,
          counterparty: "buyer",
          references: [memoOfTerms(terms)],
          slot: earlier.length + 1,
          index: 1,
          feePayer: "buyer"
        }
        chain.wallets.set(SOLANA_MERCHANT, [...earlier, change])
        const looks = yield* inBoth(Effect.flatMap(Checkouts, ({ findTransfers }) => findTransfers))
        expect(looks.toSorted()).toEqual([0, 1])
        for (const inOne of [inFirst, inSecond]) {
          const status = yield* inOne(statusOf(terms.checkoutId))
          expect(status).toMatchObject({ status: "paid", payments: [{ kind: "paid" }] })
        }
        const events = yield* inFirst(
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql`SELECT id FROM webhook_deliveries WHERE checkout_id = ${terms.checkoutId}`
          )
        )
        expect(events).toHaveLength(1)
      })
    )

    it.effect("deliver no event both", () =>
      Effect.gen(function* () {
        const { inBoth, inFirst } = yield* Pair
        const now = Date.now() + 1_000
        const message = newName("msg")
        yield* inFirst(
          Effect.flatMap(
            SqlClient.SqlClient,
            (
              sql
            ) => sql`INSERT INTO webhook_deliveries (id, checkout_id, state, url, host, body, attempts, created_at, next_at)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            SELECT ${message} || '-' || i, 'none', 'pending', 'https://h' || i || '.example/', 'h' || i || '.example', '{}', 0, 0, 0
            FROM n`
          )
        )
        const capacity = { now, leaseUntil: now + 60_000, limit: 200, perHost: 2, busyHosts: [], back: 0 }
        const taken = yield* inBoth(Effect.flatMap(WebhookOutbox, (outbox) => outbox.take(capacity)))
        const ids = taken.flat().flatMap(({ id }) => (id.startsWith(`${message}-`) ? [id] : []))
        expect(ids).toHaveLength(100)
        expect(new Set(ids).size).toBe(100)
      })
    )

    it.effect("prepare one refund to a payer, and list one transfer that names no order", () =>
      Effect.gen(function* () {
        const { inBoth, inFirst } = yield* Pair
        const checkoutId = newName("chk")
        const refund = (id: string) => ({
          id,
          checkoutId,
          payer: "buyer",
          amount: 1n,
          lifetime: "7",
          validUntil: null,
          state: "open" as const,
          lookedTo: 1,
          preparedAt: 0
        })
        const prepare = Effect.flatMap(RefundRepo, (repo) =>
          repo.insert(refund(newName("ref")), { open: [], gone: 0 })
        )
        expect((yield* inBoth(prepare)).toSorted()).toEqual([false, true])
        const account = `${SOLANA_NETWORK}:${newName("account")}`
        yield* inFirst(
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql`INSERT INTO merchants (id, account, settings, created_at)
            VALUES (${newName("mer")}, ${account}, ${JSON.stringify(NO_SETTINGS)}, 0)`
          )
        )
        const stray = {
          evidence: newName("stray"),
          account,
          transaction: "t",
          payer: null,
          amount: 1n,
          at: 1,
          reason: "no-order"
        } as const
        yield* inBoth(Effect.flatMap(UnassignedTransfers, ({ note }) => note(stray)))
        const listed = yield* inFirst(
          Effect.flatMap(UnassignedTransfers, ({ list }) => list(account, null, 10))
        )
        expect(listed).toHaveLength(1)
      })
    )
  })
})
