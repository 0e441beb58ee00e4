import { SqlClient } from "@effect/sql"
import { Effect, Layer, Metric, Schedule } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../domain/chain.ts"
import { databaseNow } from "../../storage/database-clock.ts"

/** How often the ledger is counted. */
const INTERVAL = "15 seconds"

/** Payments whose outcome is not known. A few for seconds are normal; any that stays for minutes needs an operator. */
const unresolved = Metric.gauge("token_risk_payments_unresolved", {
  description: "Payments in settlement whose outcome is not known yet, by network"
})

/**
 * What an operator is called for: where much is sold, some payment is always under way, and the number never falls to zero.
 */
const oldest = Metric.gauge("token_risk_payments_unresolved_oldest_seconds", {
  description:
    "Time since the oldest payment whose outcome is not known was claimed, 0 without any, by network"
})

/** Refused payments that are watched, because their window is open or their block is young. */
const refused = Metric.gauge("token_risk_payments_refused", {
  description: "Refused payments that may still land and are watched, by network"
})

interface Row {
  readonly network: string
  readonly state: string
  readonly open: number
  /** Milliseconds since the oldest was claimed. */
  readonly age: number
}

const reader = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const show = (rows: ReadonlyArray<Row>) =>
    Effect.forEach(
      [BASE_NETWORK, SOLANA_NETWORK],
      (network) => {
        const of = (state: string) => rows.find((row) => row.network === network && row.state === state)
        const set = (gauge: typeof unresolved, value: number) =>
          Metric.set(Metric.tagged(gauge, "network", network), value)
        const settling = of("settling")
        return Effect.all([
          set(unresolved, Number(settling?.open ?? 0)),
          set(oldest, Math.max(0, Number(settling?.age ?? 0)) / 1_000),
          set(refused, Number(of("refused")?.open ?? 0))
        ])
      },
      { discard: true }
    )
  const read = databaseNow(sql).pipe(
    Effect.flatMap(
      (now) => sql<Row>`SELECT network, state, COUNT(*) AS open, ${now} - MIN(created_at) AS age FROM payments
        WHERE watched = 1 GROUP BY network, state`
    ),
    Effect.flatMap(show),
    // The gauges keep their last values while the database is away; `token_risk_database_writable` says that it is.
    Effect.ignoreLogged
  )
  yield* read.pipe(Effect.repeat(Schedule.spaced(INTERVAL)), Effect.forkScoped)
})

/** What only the ledger knows. Requires `SqlClient`. */
export const PaymentGaugesLive = Layer.scopedDiscard(reader)
