import { SqlClient } from "@effect/sql"
import { Effect, Layer, Metric, Schedule } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../domain/chain.ts"

/** How often the ledger is counted. */
const INTERVAL = "15 seconds"

/** Payments whose outcome is not known. A few for seconds are normal; any for minutes want a human. */
const unresolved = Metric.gauge("token_risk_payments_unresolved", {
  description: "Payments in settlement whose outcome is not known yet, by network"
})

const reader = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const read = sql<{ network: string; open: number }>`
    SELECT network, COUNT(*) AS open FROM payments WHERE watched = 1 AND state = 'settling' GROUP BY network`.pipe(
    Effect.flatMap((rows) =>
      Effect.forEach([BASE_NETWORK, SOLANA_NETWORK], (network) =>
        Metric.set(
          Metric.tagged(unresolved, "network", network),
          Number(rows.find((row) => row.network === network)?.open ?? 0)
        )
      )
    ),
    // The gauge keeps its last value while the database is away; readiness says that it is.
    Effect.ignore
  )
  yield* read.pipe(Effect.repeat(Schedule.spaced(INTERVAL)), Effect.forkScoped)
})

/** What only the ledger knows. Requires `SqlClient`. */
export const PaymentGaugesLive = Layer.scopedDiscard(reader)
