/** Merchants' receivers of events, and what stands of each event. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { WebhookSender, WebhookSenderLive } from "../../../src/checkout/webhooks/sender.ts"
import {
  type WebhookAnswer,
  WebhookFailed,
  WebhookTransport
} from "../../../src/checkout/webhooks/transport.ts"
import { shop } from "./shop.ts"

export const START = 1_800_000_000_000
export const HOOK = "https://shop.example/hook"

export interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A status, one with a `Retry-After`, or no answer in time. */
type Told = number | readonly [status: number, retryAfter: string] | "timeout"

/** What a receiver answers with this status. */
export const answered = (status: number, retryAfter?: string): WebhookAnswer => ({ status, retryAfter })

const answerOf = (told: Exclude<Told, "timeout">): WebhookAnswer =>
  typeof told === "number" ? answered(told) : answered(...told)

/** A receiver that answers what it is told to, in order; then 200. */
export const receiver = (answers: Array<Told>) => {
  const sent: Array<Sent> = []
  const layer = Layer.succeed(WebhookTransport, {
    send: (url, headers, body) =>
      Effect.suspend(() => {
        sent.push({ url, headers, body })
        const answer = answers.shift() ?? 200
        return answer === "timeout"
          ? Effect.fail(new WebhookFailed({ kind: "timeout" }))
          : Effect.succeed(answerOf(answer))
      })
  })
  return { sent, layer }
}

export const deliverWebhooks = Effect.flatMap(WebhookSender, ({ deliver }) => deliver)

/** A shop whose events go to this receiver. */
export const shopWith = (layer: Layer.Layer<WebhookTransport>) =>
  WebhookSenderLive.pipe(Layer.provideMerge(shop()), Layer.provide(layer))

export const states = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT id, state, attempts FROM webhook_deliveries`
)
