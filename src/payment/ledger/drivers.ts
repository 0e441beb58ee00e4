import type { Statement } from "@effect/sql"
import { Effect } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { Moves } from "./moves.ts"

/** Rows one pass of the reconciler looks at. */
const BATCH = 100

/** Milliseconds for which a row is looked at whenever there is a look, and the longest time between two looks. */
const YOUNG = 120_000
const SELDOM = 60_000
/** Between two looks lies this part of a row's age beyond that. */
const PART = 16

/**
 * Whether a row is to be looked at again. One that stays open for long, as its payer may have wanted, costs ever less: each
 * look asks a chain for much, and all others wait for it. One that a clock that ran ahead has written is looked at.
 */
const isDue = (sql: Moves["sql"], at: Statement.Fragment) => {
  const number = (value: number) => sql.literal(String(value))
  return sql`((${at} - updated_at) * ${number(PART)} >= ${at} - created_at - ${number(YOUNG)}
    OR ${at} - updated_at >= ${number(SELDOM)} OR updated_at > ${at})`
}

/** Which process drives a row, by its lease. See `Ledger`. */
export const makeDrivers = ({ isFree, lease, leaseMillis, move, now, owner, sql }: Moves) => ({
  lease,
  renew: Effect.fn("Ledger.renew")(function* (key: string) {
    const at = yield* now
    yield* narrowSql(sql`UPDATE payments SET lease_until = ${at} + ${leaseMillis}
      WHERE authorization_key = ${key} AND state <> 'settled' AND owner = ${owner}`)
  }),
  takeOver: Effect.fn("Ledger.takeOver")((key: string) =>
    move(
      key,
      "taken-over",
      owner,
      (at) => sql`UPDATE payments
        SET owner = ${owner}, lease_until = ${at} + ${leaseMillis}, updated_at = ${at}
        WHERE authorization_key = ${key} AND watched = 1 AND ${isFree(at)}
        RETURNING authorization_key`
    )
  ),
  abandoned: Effect.gen(function* () {
    const at = yield* now
    const rows = yield* sql<{ authorization_key: string }>`SELECT authorization_key FROM payments
      WHERE watched = 1 AND ${isFree(at)} AND ${isDue(sql, at)} ORDER BY lease_until LIMIT ${BATCH}`
    return rows.map((row) => row.authorization_key)
  }).pipe(narrowSql, Effect.withSpan("Ledger.abandoned"))
})
