import { SqlClient } from "@effect/sql"
import type { Redacted } from "effect"
import { Context, Effect, Layer, Schema } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import { narrowSql } from "../../storage/sql-errors.ts"

/** One event on its way to a merchant. `attempts` counts this one. */
export interface Delivery {
  readonly id: string
  readonly checkoutId: string
  readonly url: string
  readonly secret: Redacted.Redacted
  readonly body: string
  readonly attempts: number
}

/** Events that wait for delivery, durable. Times are Unix milliseconds. */
export class WebhookOutbox extends Context.Tag("WebhookOutbox")<
  WebhookOutbox,
  {
    /** Takes due events; nobody else takes them before `leaseUntil`, and after it they are due again. */
    readonly take: (
      now: number,
      leaseUntil: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Delivery>, UpstreamError>
    readonly delivered: (id: string, now: number) => Effect.Effect<void, UpstreamError>
    /** `answer` is a short word for operators, never the receiver's text. */
    readonly retry: (id: string, at: number, answer: string) => Effect.Effect<void, UpstreamError>
    readonly abandon: (id: string, now: number, answer: string) => Effect.Effect<void, UpstreamError>
    /** Forgets events that ended before a time. */
    readonly purge: (before: number) => Effect.Effect<void, UpstreamError>
  }
>() {}

const Row = Schema.Struct({
  id: Schema.String,
  checkoutId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("checkout_id")),
  url: Schema.String,
  secret: Schema.Redacted(Schema.String),
  body: Schema.String,
  attempts: Schema.Number
})
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const take = Effect.fn("WebhookOutbox.take")(function* (now: number, leaseUntil: number, limit: number) {
    // The outer condition is checked again on the row as it stands, so two processes cannot take the same event.
    const rows =
      yield* narrowSql(sql`UPDATE webhook_deliveries SET attempts = attempts + 1, next_at = ${leaseUntil}
      WHERE state = 'pending' AND next_at <= ${now} AND id IN (SELECT id FROM webhook_deliveries
        WHERE state = 'pending' AND next_at <= ${now} ORDER BY next_at LIMIT ${limit}) RETURNING *`)
    return yield* Effect.orDie(decodeRows(rows))
  })

  const delivered = Effect.fn("WebhookOutbox.delivered")((id: string, now: number) =>
    narrowSql(sql`UPDATE webhook_deliveries SET state = 'delivered', ended_at = ${now}, last_answer = 'accepted'
      WHERE id = ${id}`).pipe(Effect.asVoid)
  )

  const retry = Effect.fn("WebhookOutbox.retry")((id: string, at: number, answer: string) =>
    narrowSql(sql`UPDATE webhook_deliveries SET next_at = ${at}, last_answer = ${answer}
      WHERE id = ${id} AND state = 'pending'`).pipe(Effect.asVoid)
  )

  const abandon = Effect.fn("WebhookOutbox.abandon")((id: string, now: number, answer: string) =>
    narrowSql(sql`UPDATE webhook_deliveries SET state = 'abandoned', ended_at = ${now}, last_answer = ${answer}
      WHERE id = ${id} AND state = 'pending'`).pipe(Effect.asVoid)
  )

  const purge = Effect.fn("WebhookOutbox.purge")((before: number) =>
    narrowSql(sql`DELETE FROM webhook_deliveries WHERE state <> 'pending' AND ended_at < ${before}`).pipe(
      Effect.asVoid
    )
  )

  return WebhookOutbox.of({ take, delivered, retry, abandon, purge })
})

/** The outbox in the service's database; migration 0005. */
export const WebhookOutboxSql = Layer.effect(WebhookOutbox, make)
