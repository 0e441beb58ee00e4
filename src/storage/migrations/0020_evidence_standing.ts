import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Whether a transfer can still be taken out of the chain. `recent`: it is looked for until its block is final. `final`:
 * it stays. `lost`: a reorganisation took it away and nothing can bring it back, as the payment's proof says. What was
 * recorded by an older version counts as final: it was never looked for again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE payment_evidence ADD COLUMN standing TEXT NOT NULL DEFAULT 'final'
    CHECK (standing IN ('recent', 'final', 'lost'))`
  // Small whatever the size of the table.
  yield* sql`CREATE INDEX payment_evidence_recent ON payment_evidence (network, height) WHERE standing = 'recent'`
  yield* sql`CREATE INDEX payment_evidence_lost ON payment_evidence (created_at) WHERE standing = 'lost'`
})
