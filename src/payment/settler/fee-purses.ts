import { SqlClient } from "@effect/sql"
import { Clock, Context, Effect, Layer } from "effect"
import { BASE_NETWORK, type Network } from "../../domain/chain.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { narrowSql } from "../../storage/sql-errors.ts"

const HOUR = 3_600_000
const HOURS_OF_A_DAY = 24

const hourOf = (unixMs: number): number => Math.floor(unixMs / HOUR)

/** How names are kept beside a payment; null for a sale of our own, whose fee comes out of no budget but the day's. */
export const encodePurses = (names: ReadonlyArray<string>): string | null =>
  names.length === 0 ? null : names.join(" ")

/** What was spent for whom. */
export class FeePurses extends Context.Tag("token-risk/FeePurses")<
  FeePurses,
  {
    /** Network fees in the last 24 hours, by the full hour, of each of these purses: millionths of a USD. */
    readonly spent: (
      network: Network,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<bigint>, UpstreamError>
  }
>() {}

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
    })

  /** Forgets what no budget looks at any more. */
  const prune = (now: number) => sql`DELETE FROM settlement_fees WHERE hour < ${hourOf(now) - HOURS_OF_A_DAY}`

  return { charge, share, prune }
}

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const spent = Effect.fn("FeePurses.spent")(function* (network: Network, names: ReadonlyArray<string>) {
    const since = hourOf(yield* Clock.currentTimeMillis) - HOURS_OF_A_DAY
    const rows = yield* narrowSql(sql<{
      purse: string
      micros: number | string
    }>`SELECT purse, SUM(micros) AS micros FROM settlement_fees
      WHERE ${sql.in("purse", names)} AND network = ${network} AND hour > ${since} GROUP BY purse`)
    const of = new Map(rows.map(({ micros, purse }) => [purse, BigInt(micros)]))
    return names.map((name) => of.get(name) ?? 0n)
  })
  return FeePurses.of({ spent })
})

/** What was spent for whom, in the service's database. */
export const FeePursesSql = Layer.effect(FeePurses, make)
