import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { StoredInteger } from "../storage/stored-integer.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Hours a day's payments are counted over. */
const HOURS_OF_A_DAY = 24

/** What is counted for each caller: checkouts open now, checkouts created in a minute, payments in an hour. */
export type Counted = "open" | "created" | "paid"

const periodOf = (counted: Counted, now: number): number => {
  switch (counted) {
    case "open":
      return 0
    case "created":
      return Math.floor(now / MINUTE)
    case "paid":
      return Math.floor(now / HOUR)
  }
}

const Total = Schema.Tuple(Schema.Struct({ total: StoredInteger }))
const decodeTotal = Schema.decodeUnknown(Total)

/**
 * Counters of what callers have going on, moved in the transaction that changes what they count. Reading one costs the
 * same however many checkouts there are.
 */
export const makeCounters = Effect.map(SqlClient.SqlClient, (sql) => {
  /** Adds one unless the limit is reached. False: it is. */
  const take = (caller: string, counted: Counted, now: number, limit: number) =>
    Effect.map(
      sql`INSERT INTO checkout_counters (caller, counted, period, count) VALUES (${caller}, ${counted},
          ${periodOf(counted, now)}, 1)
        ON CONFLICT (caller, counted, period) DO UPDATE SET count = checkout_counters.count + 1
          WHERE checkout_counters.count < ${limit} RETURNING count`,
      (rows) => rows.length > 0
    )

  const add = (caller: string, counted: Counted, now: number, change: number) =>
    sql`INSERT INTO checkout_counters (caller, counted, period, count) VALUES (${caller}, ${counted},
        ${periodOf(counted, now)}, ${change})
      ON CONFLICT (caller, counted, period) DO UPDATE SET count = checkout_counters.count + ${change}`

  const paidInADay = (caller: string, now: number) =>
    sql`SELECT COALESCE(SUM(count), 0) AS total FROM checkout_counters WHERE caller = ${caller}
      AND counted = 'paid' AND period > ${periodOf("paid", now) - HOURS_OF_A_DAY}`.pipe(
      Effect.flatMap((rows) => Effect.orDie(decodeTotal(rows))),
      Effect.map(([row]) => row.total)
    )

  /** Forgets periods that no limit looks at any more. */
  const purge = (now: number) =>
    sql`DELETE FROM checkout_counters WHERE (counted = 'created' AND period < ${periodOf("created", now) - 1})
      OR (counted = 'paid' AND period < ${periodOf("paid", now) - HOURS_OF_A_DAY})
      OR (counted = 'open' AND count <= 0)`

  return { take, add, paidInADay, purge }
})

/** The counters of one database. */
export type Counters = Effect.Effect.Success<typeof makeCounters>
