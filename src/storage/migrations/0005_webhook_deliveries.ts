import { schema } from "../dialect.ts"

/**
 * Outbox of checkout events: written in the transaction that changes the checkout, delivered later. `id` is the
 * Standard Webhooks message id and names the event, so one event has one row. `next_at` is also the lease of the
 * process that is delivering. Times are Unix milliseconds.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE webhook_deliveries (
    id TEXT PRIMARY KEY NOT NULL,
    checkout_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'abandoned')),
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    last_answer TEXT,
    created_at ${integer} NOT NULL,
    next_at ${integer} NOT NULL,
    ended_at ${integer}
  )`,
  sql`CREATE INDEX webhook_deliveries_due ON webhook_deliveries (state, next_at)`
])
