import type { SqlClient } from "@effect/sql"
import { Effect, Redacted } from "effect"
import type { Checkout } from "../checkout.ts"
import type { OutboxMessage } from "../checkout-repo.ts"
import { hostOf } from "../webhooks/url.ts"

/** Puts an event into the outbox, once, in the transaction that changes what it tells of. */
export const makePost =
  (sql: SqlClient.SqlClient) => (checkout: Checkout, now: number) => (message: OutboxMessage) =>
    checkout.webhook === null
      ? Effect.void
      : sql`INSERT INTO webhook_deliveries ${sql.insert({
          id: message.id,
          checkout_id: checkout.id,
          state: "pending",
          url: checkout.webhook.url,
          host: hostOf(new URL(checkout.webhook.url)),
          secret: checkout.webhook.secret === null ? null : Redacted.value(checkout.webhook.secret),
          body: message.body,
          attempts: 0,
          created_at: now,
          next_at: now
        })} ON CONFLICT (id) DO NOTHING`.pipe(Effect.asVoid)
