import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** An operator asks for a payment by the transaction an explorer shows. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX payment_evidence_by_transaction ON payment_evidence (transaction_id)`
})
