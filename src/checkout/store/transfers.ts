import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { toTransfers } from "../checkout-rows.ts"

/** The transfers of a checkout, each with the block that holds it now: the ledger follows reorganisations. */
export const transfersOn = (sql: SqlClient.SqlClient) => (checkoutId: string) =>
  Effect.flatMap(
    sql`SELECT checkout_transfers.evidence, checkout_id, via, checkout_transfers.transaction_id, checkout_transfers.payer,
        checkout_transfers.amount, at, authorization_key, binding, lost_at, COALESCE(height, block) AS block
      FROM checkout_transfers LEFT JOIN payment_evidence ON claimed_by = claimant
      WHERE checkout_id = ${checkoutId}`,
    toTransfers
  )
