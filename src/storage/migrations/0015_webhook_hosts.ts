import { Effect } from "effect"
import { dialect } from "../dialect.ts"

/**
 * Events are signed with the service's published key, so a webhook needs no secret any more; events of older checkouts
 * keep theirs. `host` is the receiver's name, which shares out the attempts. SQLite cannot drop a NOT NULL, so the table
 * is copied; the host of a waiting event is taken from its URL: `https://`, then everything up to the next slash.
 */
export default Effect.gen(function* () {
  const { integer, sql } = yield* dialect
  const host = sql.onDialectOrElse({
    pg: () => sql.literal("split_part(substr(url, 9), '/', 1)"),
    orElse: () => sql.literal("substr(substr(url, 9), 1, instr(substr(url, 9) || '/', '/') - 1)")
  })
  yield* sql`ALTER TABLE webhook_deliveries RENAME TO webhook_deliveries_0005`
  yield* sql`DROP INDEX webhook_deliveries_due`
  yield* sql`CREATE TABLE webhook_deliveries (
    id TEXT PRIMARY KEY NOT NULL,
    checkout_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'abandoned')),
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    secret TEXT,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    last_answer TEXT,
    created_at ${integer} NOT NULL,
    next_at ${integer} NOT NULL,
    ended_at ${integer}
  )`
  yield* sql`INSERT INTO webhook_deliveries (id, checkout_id, state, url, host, secret, body, attempts, last_answer,
      created_at, next_at, ended_at)
    SELECT id, checkout_id, state, url, ${host}, secret, body, attempts, last_answer, created_at, next_at, ended_at
    FROM webhook_deliveries_0005`
  yield* sql`DROP TABLE webhook_deliveries_0005`
  yield* sql`CREATE INDEX webhook_deliveries_due ON webhook_deliveries (state, next_at)`
  yield* sql`CREATE INDEX webhook_deliveries_by_checkout ON webhook_deliveries (checkout_id)`
})
