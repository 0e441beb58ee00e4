import { schema } from "../dialect.ts"

/**
 * What the analysis of runtime code found, by the code's hash and the engine that read it. A cache: any row may go. Times
 * are Unix milliseconds.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE code_findings (
    code_hash TEXT NOT NULL,
    engine TEXT NOT NULL,
    findings TEXT NOT NULL,
    written_at ${integer} NOT NULL,
    PRIMARY KEY (code_hash, engine)
  )`,
  sql`CREATE INDEX code_findings_by_age ON code_findings (written_at)`
])
