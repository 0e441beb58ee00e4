import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { SOLANA_NETWORK } from "../../domain/chain.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { CheckoutRepo } from "../checkout-repo.ts"
import { toCheckouts } from "../checkout-rows.ts"
import type { Counters } from "../counters.ts"
import { REST_MILLIS } from "../watch/receiving-accounts.ts"
import { makePost } from "./posting.ts"

/** Checkouts one sweep ends; the next sweep takes the rest. */
const BATCH = 100

/** How checkouts end unpaid, and are forgotten. */
export const makeEnding = (
  sql: SqlClient.SqlClient,
  counters: Counters
): Pick<CheckoutRepo["Type"], "expire" | "cancel" | "purge"> => {
  const post = makePost(sql)

  const expire: CheckoutRepo["Type"]["expire"] = Effect.fn("CheckoutRepo.expire")(
    function* (now, message) {
      // A checkout that a transfer on chain may have paid ends only once the merchant's account was looked through,
      // from
      // before the checkout's beginning to past the clock's end.
      const over = sql`status = 'open' AND expires_at <= ${now} AND ((merchant NOT LIKE ${`${SOLANA_NETWORK}:%`}
          AND NOT EXISTS (SELECT 1 FROM checkout_references WHERE checkout_id = checkouts.id))
        OR EXISTS (SELECT 1 FROM receiving_accounts
          WHERE owner = checkouts.merchant AND scanned_to > checkouts.expires_at
            AND known_from <= checkouts.created_at))`
      const rows = yield* sql`UPDATE checkouts SET status = 'expired', expired_at = expires_at
        WHERE ${over} AND id IN (SELECT id FROM checkouts WHERE ${over} ORDER BY expires_at LIMIT ${BATCH})
        RETURNING *`
      const expired = yield* toCheckouts(rows)
      for (const checkout of expired) {
        yield* counters.add(checkout.caller, "open", now, -1)
        yield* post(checkout, now)(message(checkout))
      }
      return expired.length
    },
    sql.withTransaction,
    narrowSql
  )

  const cancel: CheckoutRepo["Type"]["cancel"] = Effect.fn("CheckoutRepo.cancel")(
    function* (id, caller, now) {
      const rows = yield* sql`UPDATE checkouts SET status = 'cancelled', cancelled_at = ${now}
        WHERE id = ${id} AND caller = ${caller} AND status = 'open' RETURNING id`
      if (rows.length > 0) yield* counters.add(caller, "open", now, -1)
      return rows.length > 0
    },
    sql.withTransaction,
    narrowSql
  )

  const purge = Effect.fn("CheckoutRepo.purge")(
    function* (before: number, now: number) {
      // An amount names its order until no late money can be meant for it any more: another order must not get it sooner.
      const isNamed = sql`merchant NOT LIKE ${`${SOLANA_NETWORK}:%`} AND expires_at >= ${now - REST_MILLIS}
        AND EXISTS (SELECT 1 FROM checkout_references WHERE checkout_id = checkouts.id)`
      const forgotten = sql`status IN ('expired', 'cancelled') AND expires_at < ${before} AND NOT (${isNamed})
        AND NOT EXISTS (SELECT 1 FROM checkout_transfers WHERE checkout_id = checkouts.id)`
      yield* sql`DELETE FROM checkout_references WHERE checkout_id IN (SELECT id FROM checkouts WHERE ${forgotten})`
      yield* sql`DELETE FROM checkouts WHERE ${forgotten}`
      // Anybody may name an account. One that comes again begins as one that was never named (see `watchAccount`).
      const waits = sql`EXISTS (SELECT 1 FROM checkouts WHERE merchant = owner AND status = 'open')
        OR EXISTS (SELECT 1 FROM checkouts WHERE merchant = owner AND status = 'processing')`
      yield* sql`DELETE FROM receiving_accounts WHERE watch_until < ${now - REST_MILLIS} AND NOT (${waits})`
      yield* counters.purge(now)
    },
    sql.withTransaction,
    narrowSql
  )

  return { expire, cancel, purge }
}
