/**
 * What a sale costs the ledger when it is empty and when it holds a million payments: claim and settle, on SQLite
 * (durable) and on PostgreSQL (the tests' server, which does not wait for the disk, so that nothing hides the rows' price).
 * `npx tsx scripts/bench/ledger.ts [ROWS]`
 */
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BASE_NETWORK, type Network } from "../../src/domain/chain.ts"
import { LedgerLive } from "../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../src/payment/ledger/ledger.ts"
import { databaseAt } from "../../src/storage/database.ts"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"
import { termsFor } from "../../test/support/payment/base-settling.ts"
import { startPostgres } from "../../test/support/postgres.ts"

const ROWS = Number(process.argv[2] ?? 1_000_000)
/** Sales of one round; rounds alternate between the two ledgers, so that the machine's moods hit both. */
const SALES = 100
const ROUNDS = 10
const network: Network = BASE_NETWORK
const PAY_TO = "0x7777777777777777777777777777777777777777"

const ledgerAt = (database: DatabaseUrl) =>
  Effect.map(
    Layer.build(Layer.fresh(LedgerLive).pipe(Layer.provideMerge(Layer.fresh(databaseAt(database))))),
    (services) => ({
      ledger: Context.get(services, Ledger),
      sql: Context.get(services, SqlClient.SqlClient)
    })
  )

/** Settled payments with answers and evidence, as a busy year leaves them. */
const fill = (sql: SqlClient.SqlClient, rows: number) =>
  Effect.gen(function* () {
    const numbers = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`
    const random = sql.onDialectOrElse({
      pg: () => sql`md5(random()::text) || md5(random()::text)`,
      orElse: () => sql`hex(randomblob(32))`
    })
    yield* sql`INSERT INTO payments (authorization_key, fingerprint, state, owner, lease_until, watched, network, payer,
        amount, since, payload, requirements, answer, settlement, transaction_id, created_at, updated_at)
      ${numbers} SELECT 'old:' || ${random}, ${random}, 'settled', 'bench', 0, 0, ${BASE_NETWORK},
        ${random}, '5000', i, '{}', '{}', ${random} || ${random} || ${random}, '{}', ${random}, i, i FROM n`
    yield* sql`INSERT INTO payment_evidence (evidence_key, claimed_by, network, transaction_id, position, height, payer,
        pay_to, amount, standing, created_at)
      SELECT 'evidence:' || transaction_id, authorization_key, network, transaction_id, 0, since, payer, ${PAY_TO}, amount,
        'final', created_at FROM payments`
    yield* sql`INSERT INTO payment_events (authorization_key, event, detail, at)
      SELECT authorization_key, 'settled', '{}', created_at FROM payments`
  }).pipe(sql.withTransaction)

let sold = 0

const sale = (ledger: Ledger["Type"]) =>
  Effect.gen(function* () {
    const at = (sold += 1)
    const [key, payer, transaction] = [`new:${at}`, `payer ${at % 50}`, `0x${at.toString(16)}`]
    const requirements = termsFor(PAY_TO, 5_000n)
    const claim = {
      authorizationKey: key,
      fingerprint: `order ${at}`,
      network,
      payer,
      amount: "5000",
      payload: "{}",
      requirements,
      since: at
    }
    yield* ledger.begin(claim, "report")
    const settlement = { success: true, transaction, network, payer }
    const place = { network, transaction, index: 0, height: at }
    yield* ledger.settled(key, settlement, { ...place, payer, payTo: PAY_TO, amount: "5000" })
  })

const round = (ledger: Ledger["Type"]) =>
  Effect.gen(function* () {
    const from = process.hrtime.bigint()
    for (let at = 0; at < SALES; at++) yield* sale(ledger)
    return Number(process.hrtime.bigint() - from) / 1e6 / SALES
  })

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const compare = Effect.fn(function* (name: string, databases: { empty: DatabaseUrl; full: DatabaseUrl }) {
  const empty = yield* ledgerAt(databases.empty)
  const full = yield* ledgerAt(databases.full)
  yield* fill(full.sql, ROWS)
  const figures: { empty: Array<number>; full: Array<number> } = { empty: [], full: [] }
  for (let at = 0; at < ROUNDS; at++) {
    figures.empty.push(yield* round(empty.ledger))
    figures.full.push(yield* round(full.ledger))
  }
  const [few, many] = [median(figures.empty), median(figures.full)]
  console.log(
    `${name}, claim and settle: ${few.toFixed(2)} ms on an empty ledger, ${many.toFixed(2)} ms with ${ROWS} rows` +
      ` (${(many / few).toFixed(2)} times)`
  )
})

const onSqlite = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "ledger-bench-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const at = (name: string): DatabaseUrl => ({ dialect: "sqlite", path: join(directory, name) })
  yield* compare("SQLite", { empty: at("empty.db"), full: at("full.db") })
})

const onPostgres = Effect.gen(function* () {
  const { database } = yield* startPostgres
  yield* compare("PostgreSQL", { empty: yield* database("empty"), full: yield* database("full") })
})

await Effect.runPromise(Effect.scoped(onSqlite).pipe(Effect.orDie))
await Effect.runPromise(Effect.scoped(onPostgres).pipe(Effect.orDie))
