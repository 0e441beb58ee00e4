import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * For a merchant's list of one status, for the checkouts of an account whose end waits for a look, and for the accounts
 * that are still watched: none of them may cost more because there were many checkouts and merchants before.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX checkouts_by_caller_status ON checkouts (caller, status, created_at)`
  yield* sql`CREATE INDEX checkouts_open ON checkouts (merchant, expires_at) WHERE status = 'open'`
  yield* sql`CREATE INDEX receiving_accounts_by_end ON receiving_accounts (watch_until)`
  yield* sql`CREATE INDEX receiving_accounts_waiting ON receiving_accounts (owner) WHERE scanned_to <= watch_until`
})
