import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * Every key that ever attested a report. `kid` is the RFC 7638 thumbprint, `purpose` is `sign` or `hmac`. `material` is
 * base64url: the secret of a generated key, the published part of a configured one (`origin`). `slot` is set for
 * generated keys only: it is unique, so that of several processes starting at once one wins. `created` is ISO 8601.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE attestation_keys (
      kid TEXT PRIMARY KEY,
      purpose TEXT NOT NULL,
      origin TEXT NOT NULL,
      material TEXT NOT NULL,
      slot TEXT UNIQUE,
      created TEXT NOT NULL,
      CHECK (purpose IN ('sign', 'hmac')),
      CHECK (origin IN ('generated', 'configured'))
    )`
})
