import { Clock, Effect, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import type { Delivery } from "./outbox.ts"
import { WebhookOutbox } from "./outbox.ts"
import { WebhookTransport } from "./transport.ts"

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits between attempts: about three days in all. Source: the schedule Standard Webhooks recommends. */
const BACKOFF = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR
] as const

/** Longer than one delivery can take, so that a dead process's events come back soon. */
const LEASE = MINUTE
const BATCH = 20

/** The receiver says it wants no more of this. Source: Standard Webhooks, 410. */
const GONE = 410

/** Milliseconds to wait after this many attempts; `undefined` when it is time to give up. */
export const backoffAfter = (attempts: number): number | undefined => BACKOFF[attempts - 1]

const signed = ({ id, secret, body }: Delivery, now: number) => ({
  "content-type": "application/json",
  "user-agent": "token-risk-webhooks/1",
  "webhook-id": id,
  "webhook-timestamp": Math.floor(now / SECOND).toString(),
  "webhook-signature": new Webhook(Redacted.value(secret)).sign(id, new Date(now), body)
})

/**
 * Delivers what is due, once. An event counts as delivered when its receiver answered 2xx and this was written down;
 * a crash in between delivers it again with the same id. How many were tried.
 */
export const deliverWebhooks = Effect.gen(function* () {
  const outbox = yield* WebhookOutbox
  const transport = yield* WebhookTransport

  const failed = Effect.fnUntraced(function* (delivery: Delivery, answer: string, final: boolean) {
    const now = yield* Clock.currentTimeMillis
    const wait = final ? undefined : backoffAfter(delivery.attempts)
    if (wait !== undefined) return yield* outbox.retry(delivery.id, now + wait, answer)
    yield* Effect.logWarning("webhook abandoned").pipe(
      Effect.annotateLogs({ checkout: delivery.checkoutId, attempts: delivery.attempts, answer })
    )
    yield* outbox.abandon(delivery.id, now, answer)
  })

  const deliver = Effect.fnUntraced(function* (delivery: Delivery) {
    const now = yield* Clock.currentTimeMillis
    const status = yield* transport.send(delivery.url, signed(delivery, now), delivery.body)
    if (status >= 200 && status < 300)
      return yield* outbox.delivered(delivery.id, yield* Clock.currentTimeMillis)
    yield* failed(delivery, `status ${status}`, status === GONE)
  })

  const now = yield* Clock.currentTimeMillis
  const due = yield* outbox.take(now, now + LEASE, BATCH)
  yield* Effect.forEach(
    due,
    (delivery) =>
      Effect.catchTag(deliver(delivery), "WebhookFailed", ({ kind }) => failed(delivery, kind, false)),
    { discard: true, concurrency: 5 }
  )
  return due.length
}).pipe(Effect.withSpan("Webhooks.deliver"))
