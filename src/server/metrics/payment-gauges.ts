import { SqlClient } from "@effect/sql"
import { Effect, Layer, Metric, Schedule } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../domain/chain.ts"

/** How often the ledger is counted. */
const INTERVAL = "15 seconds"

/** Payments whose outcome is not known. A few for seconds are normal; any that stays for minutes needs an operator. */
const unresolved = Metric.gauge("token_risk_payments_unresolved", {
  description: "Payments in settlement whose outcome is not known yet, by network"
})

/** Refused payments that are watched, because their window is open or their block is young. */
const refused = Metric.gauge("token_risk_payments_refused", {
  description: "Refused payments that may still land and are watched, by network"
})

interface Row {
  readonly network: string
  readonly state: string
  readonly open: number
}

const reader = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const show = (gauge: typeof unresolved, rows: ReadonlyArray<Row>) =>
    Effect.forEach([BASE_NETWORK, SOLANA_NETWORK], (network) =>
      Metric.set(
        Metric.tagged(gauge, "network", network),
        Number(rows.find((row) => row.network === network)?.open ?? 0)
      )
    )
  const read = sql<Row>`SELECT network, state, COUNT(*) AS open FROM payments WHERE watched = 1
    GROUP BY network, state`.pipe(
    Effect.tap((rows) =>
      show(
        unresolved,
        rows.filter(({ state }) => state === "settling")
      )
    ),
    Effect.tap((rows) =>
      show(
        refused,
        rows.filter(({ state }) => state === "refused")
      )
    ),
    // The gauges keep their last values while the database is away; readiness says that it is.
    Effect.ignoreLogged
  )
  yield* read.pipe(Effect.repeat(Schedule.spaced(INTERVAL)), Effect.forkScoped)
})

/** What only the ledger knows. Requires `SqlClient`. */
export const PaymentGaugesLive = Layer.scopedDiscard(reader)
