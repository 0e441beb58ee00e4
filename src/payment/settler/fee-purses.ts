import { SqlClient, type Statement } from "@effect/sql"
import { Clock, Context, Effect, Layer } from "effect"
import { BASE_NETWORK, type Network } from "../../domain/chain.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { databaseNow } from "../../storage/database-clock.ts"
import { narrowSql } from "../../storage/sql-errors.ts"

const HOUR = 3_600_000
const HOURS_OF_A_DAY = 24

const hourOf = (unixMs: number): number => Math.floor(unixMs / HOUR)

/** How names are kept beside a payment; null for a sale of our own, whose fee comes out of no budget but the day's. */
export const encodePurses = (names: ReadonlyArray<string>): string | null =>
  names.length === 0 ? null : names.join(" ")

/** A budget: its name, and the most it may spend in 24 hours, millionths of a USD. */
export interface FeePurse {
  readonly name: string
  readonly most: bigint
}

/** What became of a wish to set fees aside. `held`: not spent yet, but set aside for payments that are under way. */
export type Reserved = "reserved" | "held" | "spent"

/** What was spent for whom, and what is set aside for payments whose fee is not known yet. */
export class FeePurses extends Context.Tag("token-risk/FeePurses")<
  FeePurses,
  {
    /**
     * Sets aside what the fee of a claimed payment may be, where every one of its purses has that much left: all of it or
     * nothing, one payment after the other. It stays set aside, across restarts, until the fee is written down, or the
     * payment is given back or certainly never lands. A payment that costs us nothing needs nothing; for one that is not
     * claimed nothing can be set aside.
     */
    readonly reserve: (
      authorizationKey: string,
      network: Network,
      purses: ReadonlyArray<FeePurse>
    ) => Effect.Effect<Reserved, UpstreamError>
    /** Network fees in the last 24 hours, by the full hour, of each of these purses: millionths of a USD. */
    readonly spent: (
      network: Network,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<bigint>, UpstreamError>
  }
>() {}

/** A settled payment whose transaction was not written down by then was sent by somebody else. Milliseconds. */
const LAST_WORD = 600_000

/** Payments for which something is set aside: those that are under way. What is known of the others is written down. */
const isUnderWay = (sql: SqlClient.SqlClient, at: Statement.Fragment) =>
  sql`(watched = 1 OR (state = 'claimed' AND lease_until >= ${at})
    OR (state = 'settled' AND updated_at > ${at} - ${sql.literal(String(LAST_WORD))}))`

/** Writes fees down. To be run in the transaction that writes down the payment or transaction that cost them. */
export const feesOn = (sql: SqlClient.SqlClient) => {
  const add = (purses: string, network: Network, micros: number, at: number) =>
    Effect.forEach(
      purses.split(" "),
      (purse) => sql`INSERT INTO settlement_fees (purse, network, hour, micros)
        VALUES (${purse}, ${network}, ${hourOf(at)}, ${micros})
        ON CONFLICT (purse, network, hour) DO UPDATE SET micros = settlement_fees.micros + ${micros}`,
      { discard: true }
    )

  /** What one payment costs; below zero to take it back. `at` is the time the cost was first written down. */
  const charge = (authorizationKey: string, network: Network, micros: number, at: number) =>
    Effect.gen(function* () {
      const rows = yield* sql<{ purses: string }>`SELECT fee_purses AS purses FROM payments
        WHERE authorization_key = ${authorizationKey} AND fee_purses IS NOT NULL`
      for (const { purses } of rows) yield* add(purses, network, micros, at)
      yield* sql`UPDATE payments SET fee_reserved = NULL
        WHERE authorization_key = ${authorizationKey} AND fee_reserved IS NOT NULL`
    })

  /** What a transaction costs more than was written down of it before, in equal parts for the payments it carries. */
  const share = (place: { readonly address: string; readonly nonce: number }, micros: number, at: number) =>
    Effect.gen(function* () {
      const rows = yield* sql<{
        purses: string | null
        jobs: number | string
      }>`SELECT fee_purses AS purses, COUNT(*) AS jobs
        FROM settlement_jobs LEFT JOIN payments ON payments.authorization_key = settlement_jobs.authorization_key
        WHERE address = ${place.address} AND nonce = ${place.nonce} GROUP BY fee_purses`
      const all = rows.reduce((total, { jobs }) => total + Number(jobs), 0)
      for (const { jobs, purses } of rows) {
        const part = Math.ceil((micros * Number(jobs)) / all)
        if (purses !== null) yield* add(purses, BASE_NETWORK, part, at)
      }
      yield* sql`UPDATE payments SET fee_reserved = NULL WHERE fee_reserved IS NOT NULL AND authorization_key IN
        (SELECT authorization_key FROM settlement_jobs WHERE address = ${place.address} AND nonce = ${place.nonce})`
    })

  /** Forgets what no budget looks at any more. */
  const prune = (now: number) =>
    Effect.gen(function* () {
      const at = yield* databaseNow(sql)
      yield* sql`DELETE FROM settlement_fees WHERE hour < ${hourOf(now) - HOURS_OF_A_DAY}`
      yield* sql`UPDATE payments SET fee_reserved = NULL
        WHERE fee_reserved IS NOT NULL AND NOT ${isUnderWay(sql, at)}`
    })

  return { charge, share, prune }
}

/** Any constant: processes that set fees aside in the same PostgreSQL database queue on it. */
const POSTGRES_LOCK = 3_402_002

interface Sum {
  readonly purse: string
  readonly micros: number | string
}

/** Names of several purses stand in one column, so that these sums are of the widest to the narrowest together. */
const totalsOf = (rows: ReadonlyArray<Sum>): ReadonlyMap<string, bigint> => {
  const totals = new Map<string, bigint>()
  for (const { micros, purse } of rows)
    for (const name of purse.split(" ")) totals.set(name, (totals.get(name) ?? 0n) + BigInt(micros))
  return totals
}

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const spent = (network: Network, names: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const since = hourOf(yield* Clock.currentTimeMillis) - HOURS_OF_A_DAY
      const rows = yield* sql<Sum>`SELECT purse, SUM(micros) AS micros FROM settlement_fees
        WHERE ${sql.in("purse", names)} AND network = ${network} AND hour > ${since} GROUP BY purse`
      return totalsOf(rows)
    })

  const setAside = (network: Network) =>
    Effect.gen(function* () {
      const at = yield* databaseNow(sql)
      const rows = yield* sql<Sum>`SELECT fee_purses AS purse, SUM(fee_reserved) AS micros FROM payments
        WHERE network = ${network} AND fee_reserved IS NOT NULL AND ${isUnderWay(sql, at)} GROUP BY fee_purses`
      return totalsOf(rows)
    })

  const inTurn = sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`),
    orElse: () => Effect.void
  })

  const reserve = Effect.fn("FeePurses.reserve")(
    function* (authorizationKey: string, network: Network, purses: ReadonlyArray<FeePurse>) {
      yield* inTurn
      const [row] = yield* sql<{ quote: string | number | null }>`UPDATE payments SET fee_reserved = fee_quote
        WHERE authorization_key = ${authorizationKey} RETURNING fee_quote AS quote`
      // A payment that is not recorded is none that anything could be set aside for.
      if (row === undefined) return "held" as const
      if (row.quote === null) return "reserved" as const
      const names = purses.map(({ name }) => name)
      const [paid, held] = [yield* spent(network, names), yield* setAside(network)]
      const paidFor = (name: string) => paid.get(name) ?? 0n
      if (purses.some(({ most, name }) => paidFor(name) >= most)) return yield* Effect.fail("spent" as const)
      const isFull = purses.some(({ most, name }) => paidFor(name) + (held.get(name) ?? 0n) > most)
      return isFull ? yield* Effect.fail("held" as const) : ("reserved" as const)
    },
    sql.withTransaction,
    // What was set aside is taken back with the transaction.
    Effect.catchIf(
      (error): error is Exclude<Reserved, "reserved"> => error === "spent" || error === "held",
      (reason) => Effect.succeed<Reserved>(reason)
    ),
    narrowSql
  )

  return FeePurses.of({
    reserve,
    spent: Effect.fn("FeePurses.spent")((network: Network, names: ReadonlyArray<string>) =>
      Effect.map(narrowSql(spent(network, names)), (totals) => names.map((name) => totals.get(name) ?? 0n))
    )
  })
})

/** What was spent for whom, in the service's database. */
export const FeePursesSql = Layer.effect(FeePurses, make)
