import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * What a receipt that names a transfer says of it: the key of the payment, and what ties it to the order. Null for refunds
 * and for transfers of an older version, whose receipts stay as they are.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE checkout_transfers ADD COLUMN authorization_key TEXT`
  yield* sql`ALTER TABLE checkout_transfers ADD COLUMN binding TEXT`
})
