/** How the databases find what the checkout asks for: never by reading through a table that grows with what was sold. */
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CheckoutRepo } from "../../../src/checkout/checkout-repo.ts"
import { CheckoutRepoLive } from "../../../src/checkout/checkout-repo-live.ts"
import { RefundRepo, RefundRepoLive } from "../../../src/checkout/refunds/refund-repo.ts"
import { FRESH } from "../../../src/checkout/watch/scan.ts"
import { ReceivingAccounts, ReceivingAccountsLive } from "../../../src/checkout/watch/receiving-accounts.ts"
import { Sightings, SightingsLive } from "../../../src/checkout/watch/sightings.ts"
import {
  UnassignedTransfers,
  UnassignedTransfersLive
} from "../../../src/checkout/watch/unassigned-transfers.ts"
import { lossesAt } from "../../../src/checkout/paid-record.ts"
import { expiredMessage } from "../../../src/checkout/webhooks/events.ts"
import { WebhookOutbox, WebhookOutboxLive } from "../../../src/checkout/webhooks/outbox.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { FeeBudgets, FeeBudgetsLive } from "../../../src/payment/settler/fee-budgets.ts"
import { checkoutAt, LIMITS, NOW } from "../../support/checkout/rows.ts"
import { databaseAt } from "../../../src/storage/database.ts"
import { bothDatabases, sharedPostgres } from "../../support/postgres.ts"

interface Asked {
  readonly text: string
  readonly params: ReadonlyArray<unknown>
}

const isWhole = (text: string): boolean => /^\s*(?:SELECT|INSERT|UPDATE|DELETE)\b/.test(text)

/** The same client, which writes down every whole statement that is made with it. */
const spied = (sql: SqlClient.SqlClient, asked: Array<Asked>): SqlClient.SqlClient =>
  new Proxy(sql, {
    apply: (target, self, args) => {
      const made: unknown = Reflect.apply(target, self, args)
      if (
        typeof made === "object" &&
        made !== null &&
        "compile" in made &&
        typeof made.compile === "function"
      ) {
        const [text, params] = made.compile()
        if (isWhole(text)) asked.push({ text, params })
      }
      return made
    }
  })

const refund = {
  id: "ref_1",
  checkoutId: "a",
  payer: "p",
  amount: 1n,
  lifetime: "",
  validUntil: null,
  state: "open",
  lookedTo: 1,
  preparedAt: NOW
} as const

/** Everything the checkout does again and again, once. */
const everything = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const accounts = yield* ReceivingAccounts
  const ledger = yield* Ledger
  const transfer = {
    evidence: "e",
    checkoutId: "a",
    via: "wallet" as const,
    transaction: "t",
    payer: "p",
    amount: 1n,
    at: NOW,
    claimant: "checkout a t"
  }
  const bound = { key: "k", attempt: "x", binding: "memo", payload: "p", since: NOW } as const
  const listing = { caller: "address:x", status: null, memo: null, before: null, limit: 21 }
  yield* repo.insert(checkoutAt("a", "key"), LIMITS)
  yield* repo.find("a")
  yield* repo.findByKey("key")
  yield* repo.findByReferences(["memo-a"])
  yield* repo.list(listing)
  yield* repo.list({ ...listing, status: "expired", before: { createdAt: NOW, id: "b" } })
  yield* repo.paidInADay("address:x", NOW)
  yield* repo.bind("a", bound)
  yield* repo.unfinished(NOW, null)
  yield* repo.unfinished(NOW, { since: NOW, id: "a" })
  yield* repo.overtaken(NOW, null)
  yield* repo.overtaken(NOW, { since: NOW, checkoutId: "a", payment: "k" })
  yield* repo.isOvertaking("a")
  yield* repo.endOvertaken("a", "k")
  yield* repo.release("a", ["x"])
  yield* repo.record(transfer, NOW, () => ({ paid: null, messages: [] }))
  yield* repo.transfers("a")
  yield* repo.lose(["checkout a t"], NOW, lossesAt(NOW))
  yield* repo.expire(NOW * 2, expiredMessage)
  yield* repo.cancel("a", "address:x", NOW)
  yield* accounts.next(SOLANA_NETWORK, NOW, 99)
  yield* accounts.looked(
    SOLANA_NETWORK,
    { owner: "m", scan: FRESH, balance: 1n, scannedTo: 1, knownFrom: 0 },
    NOW
  )
  yield* accounts.unchanged(SOLANA_NETWORK, ["m"], NOW)
  yield* accounts.again(SOLANA_NETWORK, "m")
  yield* Effect.flatMap(UnassignedTransfers, ({ list }) => list("account", null, 10))
  yield* Effect.flatMap(UnassignedTransfers, ({ forget }) => forget("e"))
  yield* Effect.flatMap(RefundRepo, ({ due, ofOthers, open, reopen }) =>
    Effect.all([open("a"), due(NOW, 5), ofOthers(refund, "e"), reopen("e", NOW)])
  )
  yield* Effect.flatMap(Sightings, ({ forget, recent }) =>
    Effect.all([recent(BASE_NETWORK), forget(["refund e"])])
  )
  yield* Effect.flatMap(FeeBudgets, ({ spent }) => spent(BASE_NETWORK, ["checkout", "checkout-anonymous"]))
  const capacity = { now: NOW, leaseUntil: NOW + 1, limit: 10, perHost: 2, busyHosts: [], back: 500 }
  yield* Effect.flatMap(WebhookOutbox, ({ hasten, take }) => Effect.zipRight(hasten(NOW), take(capacity)))
  yield* ledger.recentClaims(BASE_NETWORK)
  yield* repo.losses(BASE_NETWORK)
})

const Rooms = Layer.mergeAll(
  CheckoutRepoLive,
  ReceivingAccountsLive,
  UnassignedTransfersLive,
  RefundRepoLive,
  SightingsLive,
  FeeBudgetsLive,
  WebhookOutboxLive,
  LedgerLive
)

/** How SQLite says that it reads a table through, and by an index that holds no more than what waits or is lost. */
const TABLE = /^SCAN (?:checkout|receiving_|unassigned_|webhook_|payment|settlement_)/
const SMALL = /INDEX (?:payment_evidence_lost|receiving_accounts_waiting)$/

/** What a plan reads through from end to end, on either database. */
const readThrough = ({ params, text }: Asked) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.onDialectOrElse({
      pg: () =>
        sql.withTransaction(
          Effect.gen(function* () {
            // Tables as small as these are otherwise read through because that is cheaper.
            yield* sql`SET LOCAL enable_seqscan = off`
            const rows = yield* sql.unsafe<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, params)
            return rows.map((row) => row["QUERY PLAN"]).filter((line) => line.includes("Seq Scan"))
          })
        ),
      orElse: () =>
        Effect.map(sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params), (rows) =>
          rows.map(({ detail }) => detail).filter((line) => TABLE.test(line) && !SMALL.test(line))
        )
    })
  })

/** How many rows each step of a plan has given. */
const given = (plan: unknown): ReadonlyArray<number> => {
  if (typeof plan !== "object" || plan === null) return []
  const below = Object.values(plan).flatMap(given)
  return "Actual Rows" in plan ? [Number(plan["Actual Rows"]), ...below] : below
}

describe("events that are due", () => {
  layer(
    Layer.unwrapScoped(
      Effect.map(sharedPostgres, (it) => Layer.unwrapEffect(Effect.map(it.database("due"), databaseAt)))
    ),
    {
      timeout: 60_000
    }
  )((it) => {
    it.effect("are not all read in each look, however many wait for a receiver that takes none", () =>
      Effect.gen(function* () {
        const asked: Array<Asked> = []
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO webhook_deliveries (id, checkout_id, state, url, host, secret, body, attempts, created_at, next_at)
          SELECT n::TEXT, 'chk', 'pending', 'https://x/', 'dead.example', NULL, '{}', 0, n, n
          FROM generate_series(1, 40000) AS numbers (n)`
        yield* sql`ANALYZE webhook_deliveries`
        const spy = Layer.succeed(SqlClient.SqlClient, spied(sql, asked))
        const capacity = { now: NOW, leaseUntil: NOW + 1, limit: 128, perHost: 2, busyHosts: [], back: 500 }
        yield* Effect.flatMap(WebhookOutbox, ({ take }) => take(capacity)).pipe(
          Effect.provide(Layer.provide(WebhookOutboxLive, spy))
        )
        const take = asked.find(({ text }) => text.trimStart().startsWith("UPDATE"))
        const explain = sql.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) ${take?.text ?? ""}`, take?.params)
        // As small a table is otherwise read through because that is cheaper.
        const plan = yield* sql.withTransaction(Effect.zipRight(sql`SET LOCAL enable_seqscan = off`, explain))
        expect(given(plan).length).toBeGreaterThan(5)
        expect(Math.max(...given(plan))).toBeLessThan(2_000)
      })
    )
  })
})

describe.each(bothDatabases("plans"))("the checkout on %s", (_name, database) => {
  layer(database, { timeout: 60_000 })((it) => {
    it.effect("reads no table through, whatever it does again and again", () =>
      Effect.gen(function* () {
        const asked: Array<Asked> = []
        const sql = yield* SqlClient.SqlClient
        const spy = Layer.succeed(SqlClient.SqlClient, spied(sql, asked))
        yield* Effect.provide(everything, Layer.provide(Rooms, spy))
        expect(asked.length).toBeGreaterThan(30)
        const found = yield* Effect.forEach(asked, (one) =>
          Effect.map(readThrough(one), (lines) => lines.map((line) => `${line.trim()}: ${one.text}`))
        )
        expect(found.flat()).toEqual([])
      })
    )
  })
})
