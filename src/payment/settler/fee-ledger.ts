import type { SqlClient, Statement } from "@effect/sql"
import { Clock, Effect } from "effect"
import { min } from "../../domain/bigint.ts"
import { BASE_NETWORK, type Network } from "../../domain/chain.ts"
import { databaseNow } from "../../storage/database-clock.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { lockPostgres } from "../../storage/postgres-lock.ts"

const HOUR = 3_600_000
const HOURS_OF_A_DAY = 24

const hourOf = (unixMs: number): number => Math.floor(unixMs / HOUR)

/** How names are kept beside a payment; null for a sale of our own, whose fee comes out of no budget but the day's. */
export const encodeBudgets = (names: ReadonlyArray<string>): string | null =>
  names.length === 0 ? null : names.join(" ")

/**
 * The budget of what payers' own code has burnt: fees of transactions that it made fail, so that they paid for nothing. On
 * Solana it is the assertions that a payer adds, and what his client offers on top of a transfer's price.
 */
export const BURNT_BY_CODE = "burnt-by-code"

/**
 * The budget of what plain payments have burnt that failed where they landed, because their money had gone: one transfer of
 * their payer's takes it from all that he has under way.
 */
export const BURNT_BY_FAILING = "burnt-by-failing"

/** A settled payment whose transaction was not written down by then was sent by somebody else. Milliseconds. */
const LAST_WORD = 600_000

/** Payments for which something is set aside: those that are under way. What is known of the others is written down. */
const isUnderWay = (sql: SqlClient.SqlClient, at: Statement.Fragment) =>
  sql`(watched = 1 OR (state = 'claimed' AND lease_until >= ${at})
    OR (state = 'settled' AND updated_at > ${at} - ${sql.literal(String(LAST_WORD))}))`

interface Sum {
  readonly budget: string
  readonly micros: number | string
}

/** Sums by budget. A row names all the budgets it counts for, from the widest to the narrowest, in one column. */
const totalsOf = (rows: ReadonlyArray<Sum>): ReadonlyMap<string, bigint> => {
  const totals = new Map<string, bigint>()
  for (const { budget, micros } of rows)
    for (const name of budget.split(" ")) totals.set(name, (totals.get(name) ?? 0n) + BigInt(micros))
  return totals
}

/** What budgets have spent and set aside, millionths of a USD by name. To be asked in a transaction, after `inTurn`. */
export const feeTotalsOn = (sql: SqlClient.SqlClient) => ({
  /** Setting fees aside is done one at a time: SQLite's writers queue by themselves. */
  inTurn: sql.onDialectOrElse({
    pg: () => lockPostgres(sql, "settingFeesAside"),
    orElse: () => Effect.void
  }),
  /** In the last 24 hours, by the full hour. */
  spent: Effect.fnUntraced(function* (network: Network, names: ReadonlyArray<string>) {
    const since = hourOf(yield* Clock.currentTimeMillis) - HOURS_OF_A_DAY
    const rows = yield* sql<Sum>`SELECT purse AS budget, SUM(micros) AS micros FROM settlement_fees
        WHERE ${sql.in("purse", names)} AND network = ${network} AND hour > ${since} GROUP BY purse`
    return totalsOf(rows)
  }),
  setAside: Effect.fnUntraced(function* (network: Network) {
    const at = yield* databaseNow(sql)
    const rows = yield* sql<Sum>`SELECT fee_purses AS budget, SUM(fee_reserved) AS micros FROM payments
        WHERE network = ${network} AND fee_reserved IS NOT NULL AND ${isUnderWay(sql, at)} GROUP BY fee_purses`
    return totalsOf(rows)
  })
})

/** What was burnt in the last 24 hours, by the budget it is counted in; millionths of a USD. */
export const burntOn = (sql: SqlClient.SqlClient, network: Network, budget: string) =>
  Effect.map(narrowSql(feeTotalsOn(sql).spent(network, [budget])), (totals) => totals.get(budget) ?? 0n)

/** A payment whose transaction may cost more than is set aside for it. */
interface Short {
  readonly key: string
  readonly budgets: string
  readonly limits: string | null
  readonly reserved: number | string
}

/** The least that a budget of this payment has left, below zero where it is passed; undefined: no limit is kept. */
const leftFor = ({ budgets, limits }: Short, taken: ReadonlyMap<string, bigint>): bigint | undefined => {
  if (limits === null) return undefined
  const most = limits.split(" ").map(BigInt)
  const left = budgets.split(" ").map((name, at) => (most[at] ?? 0n) - (taken.get(name) ?? 0n))
  return left.reduce(min)
}

/** Sets more aside than was at the claim, because what is about to be signed may cost more. */
const makeCover = (sql: SqlClient.SqlClient) => {
  const { inTurn, setAside, spent } = feeTotalsOn(sql)

  const takenOn = Effect.fnUntraced(function* (network: Network, names: ReadonlyArray<string>) {
    const [paid, held] = [yield* spent(network, names), yield* setAside(network)]
    return new Map(names.map((name) => [name, (paid.get(name) ?? 0n) + (held.get(name) ?? 0n)]))
  })

  /**
   * Sets aside `micros` for each of these payments from now on. Answers the payments whose budgets have no room for it;
   * with `isUrgent` it is set aside for them all the same.
   */
  return Effect.fnUntraced(function* (
    network: Network,
    keys: ReadonlyArray<string>,
    micros: bigint,
    isUrgent: boolean
  ) {
    const short =
      yield* sql<Short>`SELECT authorization_key AS key, fee_purses AS budgets, fee_limits AS limits,
          COALESCE(fee_reserved, 0) AS reserved FROM payments
        WHERE ${sql.in("authorization_key", keys)} AND fee_purses IS NOT NULL
          AND COALESCE(fee_reserved, 0) < ${Number(micros)} ORDER BY created_at`
    if (short.length === 0) return []
    yield* inTurn
    const names = [...new Set(short.flatMap(({ budgets }) => budgets.split(" ")))]
    const taken = yield* takenOn(network, names)
    const without: Array<string> = []
    for (const one of short) {
      const more = micros - BigInt(one.reserved)
      const left = leftFor(one, taken)
      if (!isUrgent && left !== undefined && left < more) {
        without.push(one.key)
        continue
      }
      for (const name of one.budgets.split(" ")) taken.set(name, (taken.get(name) ?? 0n) + more)
      yield* sql`UPDATE payments SET fee_reserved = ${Number(micros)} WHERE authorization_key = ${one.key}`
    }
    return without
  })
}

/** Writes fees down. To be run in the transaction that writes down the payment or transaction that cost them. */
export const feesOn = (sql: SqlClient.SqlClient) => {
  const add = (budgets: string, network: Network, micros: number, at: number) =>
    Effect.forEach(
      budgets.split(" "),
      (budget) => sql`INSERT INTO settlement_fees (purse, network, hour, micros)
        VALUES (${budget}, ${network}, ${hourOf(at)}, ${micros})
        ON CONFLICT (purse, network, hour) DO UPDATE SET micros = settlement_fees.micros + ${micros}`,
      { discard: true }
    )

  /** What one payment costs; below zero to take it back. `at` is the time the cost was first written down. */
  const charge = Effect.fnUntraced(function* (
    authorizationKey: string,
    network: Network,
    micros: number,
    at: number
  ) {
    const rows = yield* sql<{ budgets: string }>`SELECT fee_purses AS budgets FROM payments
        WHERE authorization_key = ${authorizationKey} AND fee_purses IS NOT NULL`
    // Nothing is set aside for a sale of our own.
    for (const { budgets } of rows) {
      yield* add(budgets, network, micros, at)
      yield* sql`UPDATE payments SET fee_reserved = NULL
          WHERE authorization_key = ${authorizationKey} AND fee_reserved IS NOT NULL`
    }
  })

  /** What a transaction costs more than was written down of it before, in equal parts for the payments it carries. */
  const share = Effect.fnUntraced(function* (
    place: { readonly address: string; readonly nonce: number },
    micros: number,
    at: number
  ) {
    const rows = yield* sql<{
      budgets: string | null
      jobs: number | string
    }>`SELECT fee_purses AS budgets, COUNT(*) AS jobs
        FROM settlement_jobs LEFT JOIN payments ON payments.authorization_key = settlement_jobs.authorization_key
        WHERE address = ${place.address} AND nonce = ${place.nonce} GROUP BY fee_purses`
    const all = rows.reduce((total, { jobs }) => total + Number(jobs), 0)
    for (const { budgets, jobs } of rows) {
      const part = Math.ceil((micros * Number(jobs)) / all)
      if (budgets !== null) yield* add(budgets, BASE_NETWORK, part, at)
    }
    yield* sql`UPDATE payments SET fee_reserved = NULL WHERE fee_reserved IS NOT NULL AND authorization_key IN
        (SELECT authorization_key FROM settlement_jobs WHERE address = ${place.address} AND nonce = ${place.nonce})`
  })

  /** Forgets what no budget looks at any more. */
  const prune = Effect.fnUntraced(function* (now: number) {
    const at = yield* databaseNow(sql)
    yield* sql`DELETE FROM settlement_fees WHERE hour < ${hourOf(now) - HOURS_OF_A_DAY}`
    yield* sql`UPDATE payments SET fee_reserved = NULL
        WHERE fee_reserved IS NOT NULL AND NOT ${isUnderWay(sql, at)}`
  })

  return { add, charge, share, prune, cover: makeCover(sql) }
}
