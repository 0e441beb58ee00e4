import { schema } from "../dialect.ts"

/**
 * Events that are due are passed over by their host without a look at the rows: tens of thousands may wait for a receiver
 * that takes none.
 */
export default schema(({ sql }) => [
  sql`DROP INDEX webhook_deliveries_due`,
  sql`CREATE INDEX webhook_deliveries_due ON webhook_deliveries (state, next_at, host, id)`
])
