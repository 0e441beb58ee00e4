/**
 * What a sale costs the ledger when it is empty and when it holds many payments: claim and settle, on SQLite (durable; a
 * part of `npm run bench`) and on PostgreSQL (the tests' server, which does not wait for the disk, so that nothing hides
 * the rows' price). Both by themselves: `npx tsx scripts/bench/ledger.ts [ROWS]`
 */
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, type Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BASE_NETWORK, type Network } from "../../src/domain/chain.ts"
import { LedgerLive } from "../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../src/payment/ledger/ledger.ts"
import { databaseAt } from "../../src/storage/database.ts"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"
import { startPostgres } from "../../test/support/postgres.ts"
import { termsFor } from "../../test/support/payment/terms.ts"
import { quantile } from "./load.ts"

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
    // A million rows take longer than the service gives any statement.
    yield* sql.onDialectOrElse({
      pg: () => Effect.asVoid(sql`SET LOCAL statement_timeout = 0`),
      orElse: () => Effect.void
    })
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

export interface LedgerFigures {
  readonly database: "SQLite" | "PostgreSQL"
  readonly rows: number
  /** Claim and settle of one sale, the median of the rounds. */
  readonly millis: number
  /** The same over what it takes with an empty ledger. */
  readonly ratio: number
}

type Place = (name: string) => Effect.Effect<DatabaseUrl, never, Scope.Scope>

const compare = (database: LedgerFigures["database"], place: Place, sizes: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const ledgers = yield* Effect.forEach([0, ...sizes], (rows) =>
      Effect.gen(function* () {
        const { ledger, sql } = yield* ledgerAt(yield* place(`ledger_${rows}`))
        if (rows > 0) yield* fill(sql, rows)
        const millis: Array<number> = []
        return { rows, ledger, millis }
      })
    )
    for (let at = 0; at < ROUNDS; at++)
      for (const { ledger, millis } of ledgers) millis.push(yield* round(ledger))
    const empty = quantile(ledgers[0]?.millis ?? [], 0.5)
    return ledgers.map(({ millis, rows }): LedgerFigures => {
      const median = quantile(millis, 0.5)
      return { database, rows, millis: median, ratio: median / empty }
    })
  })

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "ledger-bench-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const onSqlite = (sizes: ReadonlyArray<number>) =>
  Effect.flatMap(temporaryDirectory, (directory) =>
    compare("SQLite", (name) => Effect.succeed({ dialect: "sqlite", path: join(directory, name) }), sizes)
  )

const onPostgres = (sizes: ReadonlyArray<number>) =>
  Effect.flatMap(startPostgres, ({ database }) => compare("PostgreSQL", database, sizes))

const linesOf = (figures: ReadonlyArray<LedgerFigures>): ReadonlyArray<string> =>
  figures.map(
    ({ database, millis, ratio, rows }) =>
      `${database}, claim and settle with ${rows} rows: ${millis.toFixed(2)} ms (${ratio.toFixed(2)} times the empty ledger)`
  )

/** A thousand rows, a hundred thousand and a million, on SQLite. */
export const ledgerGrowth = Effect.scoped(onSqlite([1e3, 1e5, 1e6])).pipe(
  Effect.orDie,
  Effect.map((figures) => ({ figures, lines: linesOf(figures) }))
)

const alone = Effect.forEach([onSqlite, onPostgres], (on) =>
  Effect.map(Effect.scoped(on([ROWS])), (figures) => console.log(linesOf(figures).join("\n")))
)

if (process.argv[1] === import.meta.filename) await Effect.runPromise(Effect.orDie(alone))
