import { schema } from "../dialect.ts"

/**
 * Jobs are looked for by their state only while they wait for a nonce, which most never do. An index of all states was
 * written three times a payment.
 */
export default schema(({ sql }) => [
  sql`DROP INDEX settlement_jobs_by_state`,
  sql`CREATE INDEX settlement_jobs_waiting ON settlement_jobs (created_at) WHERE state = 'waiting'`
])
