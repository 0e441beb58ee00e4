import { SqlClient, type Statement } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { databaseNow } from "../../storage/database-clock.ts"
import { isOver } from "../../storage/lease.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { leaseConfig } from "../config.ts"

/** What a payment's history names. */
export type LedgerEvent =
  | "claimed"
  | "handed-over"
  | "settling"
  | "settled"
  | "unresolved"
  | "released"
  | "refused"
  | "taken-over"
  | "conflict"
  | "reorganised"
  | "lost"

/**
 * What happens again and again while a payment is open, every few seconds and at each of its presentations: as long as it
 * says nothing new it is written down once, or the file would grow for as long as no node answers.
 */
const REPEATED: ReadonlySet<LedgerEvent> = new Set(["taken-over", "unresolved"])

/** Milliseconds between two looks at a refused payment that might still land: till then its lease lasts. */
export const TOMBSTONE_INTERVAL = 60_000

type Rows = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** What every file of the ledger moves rows with, in the name of one process. */
export const makeMoves = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const lease = yield* leaseConfig
  const owner = yield* Effect.sync(() => randomUUID())
  const now = databaseNow(sql)

  const write = (key: string, event: LedgerEvent, detail: string) =>
    Effect.flatMap(now, (at) =>
      REPEATED.has(event)
        ? sql`INSERT INTO payment_events (authorization_key, event, detail, at)
            SELECT ${key}, ${event}, ${detail}, ${at} WHERE NOT EXISTS (SELECT 1 FROM payment_events
              WHERE authorization_key = ${key} AND event = ${event} AND detail = ${detail})`
        : sql`INSERT INTO payment_events (authorization_key, event, detail, at)
            VALUES (${key}, ${event}, ${detail}, ${at})`
    )

  /** One compare-and-set and its event, or neither. The write comes first, so SQLite never upgrades a read lock. */
  const move = Effect.fnUntraced(
    function* (key: string, event: LedgerEvent, detail: string, statement: (at: Statement.Fragment) => Rows) {
      const rows = yield* statement(yield* now)
      if (rows.length === 0) return false
      yield* write(key, event, detail)
      return true
    },
    sql.withTransaction,
    narrowSql
  )

  const leaseMillis = Duration.toMillis(lease)
  /** Whether nobody drives a row of `payments` any more. */
  const isFree = (at: Statement.Fragment) =>
    isOver(sql, "payments.lease_until", at, Math.max(leaseMillis, TOMBSTONE_INTERVAL))

  return { sql, owner, lease, leaseMillis, now, isFree, write, move }
})

export type Moves = Effect.Effect.Success<typeof makeMoves>
