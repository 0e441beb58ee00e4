import { Effect } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { Moves } from "./moves.ts"

/** Rows one pass of the reconciler looks at. */
const BATCH = 100

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
      WHERE watched = 1 AND ${isFree(at)} ORDER BY lease_until LIMIT ${BATCH}`
    return rows.map((row) => row.authorization_key)
  }).pipe(narrowSql, Effect.withSpan("Ledger.abandoned"))
})
