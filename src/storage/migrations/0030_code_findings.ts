import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * What the analysis of runtime code found, by the code's hash and the engine that read it. A cache: any row may go. Times
 * are Unix milliseconds.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const time = sql.onDialectOrElse({ pg: () => sql.literal("BIGINT"), orElse: () => sql.literal("INTEGER") })
  yield* sql`CREATE TABLE code_findings (
    code_hash TEXT NOT NULL,
    engine TEXT NOT NULL,
    findings TEXT NOT NULL,
    written_at ${time} NOT NULL,
    PRIMARY KEY (code_hash, engine)
  )`
  yield* sql`CREATE INDEX code_findings_by_age ON code_findings (written_at)`
})
