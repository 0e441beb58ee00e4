import { schema } from "../dialect.ts"

/**
 * `claimant` is the name under which the ledger knows a checkout's transfer; `lost_at` is when a reorganisation was found
 * to have taken it away, in Unix milliseconds. Older transfers have no claimant: the ledger counts them as final.
 */
export default schema(({ integer, sql }) => [
  sql`ALTER TABLE checkout_transfers ADD COLUMN claimant TEXT`,
  sql`ALTER TABLE checkout_transfers ADD COLUMN lost_at ${integer}`,
  sql`CREATE INDEX checkout_transfers_by_claimant ON checkout_transfers (claimant)`
])
