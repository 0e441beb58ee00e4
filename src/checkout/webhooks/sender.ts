import { Clock, Context, Effect, FiberSet, Layer, Random, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { Attestor } from "../../attestation/attestor.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { countDelivery, gaugeDeliveries } from "./metrics.ts"
import type { Delivery } from "./outbox.ts"
import { WebhookOutbox } from "./outbox.ts"
import { leftAloneFor } from "./retry-after.ts"
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
/** Deliveries one process has under way. A dead receiver holds its place for seconds, so there are many. */
const MAX_RUNNING = 128
const PER_HOST = 2

/** The receiver says it wants no more of this. Source: Standard Webhooks, 410. */
const GONE = 410

/** Milliseconds to wait after this many attempts; `undefined` when it is time to give up. */
export const backoffAfter = (attempts: number): number | undefined => BACKOFF[attempts - 1]

type Sign = Attestor["Type"]["sign"]

/** `v1a` is Ed25519 over `id.timestamp.body`. Source: Standard Webhooks specification, asymmetric signatures. */
const asymmetric = (sign: Sign, id: string, timestamp: string, body: string): string =>
  `v1a,${Buffer.from(sign(Buffer.from(`${id}.${timestamp}.${body}`, "utf8"))).toString("base64")}`

const signed = (sign: Sign, { id, secret, body }: Delivery, now: number) => {
  const timestamp = Math.floor(now / SECOND).toString()
  const signatures = [
    asymmetric(sign, id, timestamp, body),
    ...(secret === null ? [] : [new Webhook(Redacted.value(secret)).sign(id, new Date(now), body)])
  ]
  return {
    "content-type": "application/json",
    "user-agent": "token-risk-webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" ")
  }
}

/**
 * Delivers events. An event counts as delivered when its receiver answered 2xx and this was written down; a crash in
 * between delivers it again with the same id.
 */
export class WebhookSender extends Context.Tag("token-risk/WebhookSender")<
  WebhookSender,
  {
    /** Starts what is due and there is room for. How many were started. */
    readonly start: Effect.Effect<number, UpstreamError>
    /** The same, and waits until nothing is under way. */
    readonly deliver: Effect.Effect<number, UpstreamError>
  }
>() {}

const make = Effect.gen(function* () {
  const outbox = yield* WebhookOutbox
  const transport = yield* WebhookTransport
  const { sign } = yield* Attestor
  const running = yield* FiberSet.make<void, UpstreamError>()
  const underWay = new Map<string, number>()

  /** @param retryAfter a receiver that asks for a longer wait than ours gets it; one that asks for less does not */
  const failed = Effect.fnUntraced(function* (
    delivery: Delivery,
    answer: string,
    { isFinal, retryAfter }: { readonly isFinal: boolean; readonly retryAfter?: string | undefined }
  ) {
    const now = yield* Clock.currentTimeMillis
    const wait = isFinal ? undefined : backoffAfter(delivery.attempts)
    if (wait === undefined && (yield* outbox.abandon(delivery, now, answer))) {
      yield* countDelivery("abandoned")
      return yield* Effect.logWarning("webhook abandoned").pipe(
        Effect.annotateLogs({ checkout: delivery.checkoutId, attempts: delivery.attempts, answer })
      )
    }
    yield* countDelivery("failed")
    if (wait !== undefined)
      yield* outbox.retry(delivery, now + Math.max(wait, leftAloneFor(retryAfter, now)), answer)
  })

  const deliver = Effect.fn("WebhookSender.deliver")(
    function* (delivery: Delivery) {
      const now = yield* Clock.currentTimeMillis
      const { retryAfter, status } = yield* transport.send(
        delivery.url,
        signed(sign, delivery, now),
        delivery.body
      )
      if (status < 200 || status >= 300)
        return yield* failed(delivery, `status ${status}`, { isFinal: status === GONE, retryAfter })
      yield* outbox.delivered(delivery, yield* Clock.currentTimeMillis)
      yield* countDelivery("delivered")
    },
    (effect, delivery) =>
      Effect.catchTag(effect, "WebhookFailed", ({ kind }) => failed(delivery, kind, { isFinal: false }))
  )

  /** When it was last looked at what is due; a process that has not looked yet knows of no clock before its own. */
  let lookedAt = Number.POSITIVE_INFINITY
  const hastenWhenSetBack = (now: number) => (now < lookedAt ? outbox.hasten(now) : Effect.void)

  let all = 0
  const count = (host: string, change: number) => {
    all += change
    gaugeDeliveries(all)
    const now = (underWay.get(host) ?? 0) + change
    if (now > 0) underWay.set(host, now)
    else underWay.delete(host)
  }

  const launch = (delivery: Delivery) => {
    count(delivery.host, 1)
    const end = Effect.sync(() => count(delivery.host, -1))
    // A failed write leaves the event with its lease: it is due again when the lease is over.
    return FiberSet.run(running, deliver(delivery).pipe(Effect.ignoreLogged, Effect.ensuring(end)))
  }

  const start = Effect.gen(function* () {
    const limit = MAX_RUNNING - (yield* FiberSet.size(running))
    if (limit <= 0) return 0
    const now = yield* Clock.currentTimeMillis
    yield* hastenWhenSetBack(now)
    lookedAt = now
    const busyHosts = [...underWay].filter(([, number]) => number >= PER_HOST).map(([host]) => host)
    const back = yield* Random.nextIntBetween(0, 1_001)
    const leaseUntil = now + LEASE
    const due = yield* outbox.take({ now, leaseUntil, limit, perHost: PER_HOST, busyHosts, back })
    yield* Effect.forEach(due, launch, { discard: true })
    return due.length
  }).pipe(Effect.withSpan("WebhookSender.start"))

  return WebhookSender.of({ start, deliver: Effect.zipLeft(start, FiberSet.awaitEmpty(running)) })
})

/** Deliveries under way are cut when the process stops; their lease ends and the next process delivers them. */
export const WebhookSenderLive = Layer.scoped(WebhookSender, make)
