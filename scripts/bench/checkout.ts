/**
 * What checkouts cost with 200 and with 200,000 paid ones in the table: median milliseconds of each step, and their ratio.
 * Both take turns, so that what else the machine does meets both.
 * `npx tsx scripts/bench/checkout.ts [--database sqlite|postgres]`
 */
import { SqlClient } from "@effect/sql"
import { Console, Effect, Layer, ManagedRuntime } from "effect"
import { parseArgs } from "node:util"
import type { NewCheckout } from "../../src/checkout/checkout-repo.ts"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { CheckoutRepoLive } from "../../src/checkout/checkout-repo-live.ts"
import { ReceivingAccounts, ReceivingAccountsLive } from "../../src/checkout/watch/receiving-accounts.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../src/domain/chain.ts"
import { startPostgres } from "../../test/support/postgres.ts"
import { databaseAt } from "../../src/storage/database.ts"

const { values } = parseArgs({ options: { database: { type: "string", default: "sqlite" } } })
const isPostgres = values.database === "postgres"

const NOW = 1_800_000_000_000
const HOUR = 3_600_000
const RUNS = 50
const LIMITS = { createsPerMinute: 1_000_000, maxOpen: 1_000_000 }

const checkout = (id: string): NewCheckout => ({
  id,
  status: "open",
  merchant: `${SOLANA_NETWORK}:merchant`,
  caller: "merchant:m",
  metadata: null,
  terms: {
    scheme: "exact",
    network: SOLANA_NETWORK,
    amount: "1",
    asset: SOLANA_USDC,
    payTo: "merchant",
    memo: `order ${id}`,
    checkoutId: id,
    maxTimeoutSeconds: 300,
    expiresAt: new Date(NOW + HOUR).toISOString(),
    extra: { memo: id },
    url: "https://risk.test/x"
  },
  createdAt: NOW,
  expiresAt: NOW + HOUR,
  requestDigest: "",
  webhook: null,
  idempotencyKey: null,
  references: [`memo-${id}`]
})

/** That many paid checkouts of one merchant, each with its transfer, made by one statement. */
const fill = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const repo = yield* CheckoutRepo
  yield* repo.insert(checkout("seed"), LIMITS)
  yield* sql.withTransaction(paidBefore(count))
  // As the database does by itself after so many rows.
  yield* sql`ANALYZE`
})

const paidBefore = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  if (isPostgres) yield* sql`SET LOCAL statement_timeout = 0`
  yield* sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO checkouts (id, status, merchant, caller, terms, created_at, expires_at, request_digest, payment,
      receipt, settlement, paid_at)
    SELECT 'paid' || i, 'paid', merchant, caller, terms, created_at - i, expires_at, '', 'payment' || i, '{}',
      '{"success":true,"transaction":"t","network":"x"}', created_at FROM n, checkouts WHERE id = 'seed'`
  yield* sql`INSERT INTO checkout_transfers (evidence, checkout_id, via, transaction_id, payer, amount, at, seen_at)
    SELECT 'e' || id, id, 'verify', 't', 'p', '1', created_at, created_at FROM checkouts WHERE status = 'paid'`
  yield* sql`INSERT INTO checkout_counters (caller, counted, period, count)
    VALUES ('merchant:m', 'paid', ${Math.floor(NOW / HOUR)}, ${count})`
})

type Step = readonly [name: string, run: (index: number) => Effect.Effect<unknown, unknown>]

const steps = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const accounts = yield* ReceivingAccounts
  const listing = { caller: "merchant:m", status: null, memo: null, before: null, limit: 21 }
  const paidAt = (index: number) => ({
    evidence: `new ${index}`,
    checkoutId: `new${index}`,
    via: "verify" as const,
    transaction: "t",
    payer: "p",
    amount: 1n,
    at: NOW
  })
  const bound = (index: number) =>
    ({ key: `key${index}`, attempt: "a", binding: "memo", payload: "p", since: NOW }) as const
  const all: ReadonlyArray<Step> = [
    ["create", (index) => repo.insert(checkout(`new${index}`), LIMITS)],
    ["payments lately", () => repo.paidInADay("merchant:m", NOW)],
    ["verify: bind", (index) => repo.bind(`new${index}`, bound(index))],
    ["verify: record", (index) => repo.record(paidAt(index), NOW, () => ({ paid: null, messages: [] }))],
    ["status: transfers", (index) => repo.transfers(`paid${index + 1}`)],
    ["list", () => repo.list(listing)],
    ["list: paid", () => repo.list({ ...listing, status: "paid" })],
    ["list: an order's text", () => repo.list({ ...listing, memo: "order" })],
    ["scan step", () => accounts.next(SOLANA_NETWORK, NOW + 2 * HOUR, 99)],
    ["scan: by memo", (index) => repo.findByReferences([`memo-new${index}`])],
    ["unfinished", () => repo.unfinished(NOW, null)]
  ]
  return all
})

const databaseWith = (count: number) =>
  isPostgres
    ? Layer.unwrapScoped(
        startPostgres.pipe(
          Effect.flatMap(({ database }) => database(`checkouts_${count}`)),
          Effect.map(databaseAt)
        )
      )
    : databaseAt({ dialect: "sqlite", path: ":memory:" })

/** A database with that many paid checkouts, and the steps to be taken in it. */
const openShop = (count: number) =>
  Effect.gen(function* () {
    const database = Layer.merge(CheckoutRepoLive, ReceivingAccountsLive).pipe(
      Layer.provideMerge(databaseWith(count))
    )
    const runtime = yield* Effect.acquireRelease(
      Effect.sync(() => ManagedRuntime.make(database)),
      (made) => made.disposeEffect
    )
    yield* Effect.promise(() => runtime.runPromise(fill(count)))
    const all = yield* Effect.promise(() => runtime.runPromise(steps))
    return all.map(([name, run]) => [name, (index: number) => runtime.runPromise(run(index))] as const)
  })

const millisOf = async (run: (index: number) => Promise<unknown>, index: number) => {
  const started = performance.now()
  await run(index)
  return performance.now() - started
}

// The median: on a busy machine a mean is what the others did.
const median = (times: ReadonlyArray<number>) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

const main = Effect.gen(function* () {
  yield* Console.log(isPostgres ? "PostgreSQL" : "SQLite")
  const [few, many] = yield* Effect.all([openShop(200), openShop(200_000)])
  for (const [at, [name, run]] of few.entries()) {
    const [, runMany = run] = many[at] ?? []
    const [small, large]: [Array<number>, Array<number>] = [[], []]
    for (let index = 0; index < RUNS; index++) {
      small.push(yield* Effect.promise(() => millisOf(run, index)))
      large.push(yield* Effect.promise(() => millisOf(runMany, index)))
    }
    const [cost, then] = [median(small), median(large)]
    const ratio = (then / cost).toFixed(2)
    yield* Console.log(
      `${name.padEnd(24)}${cost.toFixed(3).padStart(9)} ms${then.toFixed(3).padStart(9)} ms  x ${ratio}`
    )
  }
})

await Effect.runPromise(Effect.scoped(main))
