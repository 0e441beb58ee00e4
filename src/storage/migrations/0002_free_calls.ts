import { schema } from "../dialect.ts"

/**
 * One row per free call that counts: a reservation is a row, a release deletes it. `client` and `ip` are digests, so
 * that the table holds no personal data. `at` is Unix milliseconds.
 */
export default schema(({ integer, sql }) => [
  sql`CREATE TABLE free_calls (
    id TEXT PRIMARY KEY NOT NULL,
    client TEXT NOT NULL,
    ip TEXT NOT NULL,
    at ${integer} NOT NULL
  )`,
  sql`CREATE INDEX free_calls_by_client ON free_calls (client, at)`,
  sql`CREATE INDEX free_calls_by_ip ON free_calls (ip, at)`,
  sql`CREATE INDEX free_calls_by_time ON free_calls (at)`
])
