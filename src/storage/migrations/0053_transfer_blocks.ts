import { Effect } from "effect"
import { dialect } from "../dialect.ts"

/**
 * The block (slot) in which a refund was seen. Of what paid, the ledger's evidence says it, for as long as a reorganisation
 * may still move it and ever after.
 */
export default Effect.gen(function* () {
  const { integer, sql } = yield* dialect
  yield* sql`ALTER TABLE checkout_transfers ADD COLUMN block ${integer}`
})
