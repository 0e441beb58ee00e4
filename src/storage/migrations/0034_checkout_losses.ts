import { Effect } from "effect"
import { dialect } from "../dialect.ts"

/**
 * `claimant` is the name under which the ledger knows a checkout's transfer; `lost_at` is when a reorganisation was found
 * to have taken it away, in Unix milliseconds. Older transfers have no claimant: the ledger counts them as final.
 */
export default Effect.gen(function* () {
  const { integer, sql } = yield* dialect
  yield* sql`ALTER TABLE checkout_transfers ADD COLUMN claimant TEXT`
  yield* sql`ALTER TABLE checkout_transfers ADD COLUMN lost_at ${integer}`
  yield* sql`CREATE INDEX checkout_transfers_by_claimant ON checkout_transfers (claimant)`
})
