import { Effect } from "effect"
import { dialect } from "../dialect.ts"

/**
 * One row per free call that counts: a reservation is a row, a release deletes it. `client` and `ip` are digests, so
 * that the table holds no personal data. `at` is Unix milliseconds.
 */
export default Effect.gen(function* () {
  const { integer, sql } = yield* dialect
  yield* sql`CREATE TABLE free_calls (
    id TEXT PRIMARY KEY NOT NULL,
    client TEXT NOT NULL,
    ip TEXT NOT NULL,
    at ${integer} NOT NULL
  )`
  yield* sql`CREATE INDEX free_calls_by_client ON free_calls (client, at)`
  yield* sql`CREATE INDEX free_calls_by_ip ON free_calls (ip, at)`
  yield* sql`CREATE INDEX free_calls_by_time ON free_calls (at)`
})
