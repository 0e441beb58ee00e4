import { OpenApiJsonSchema } from "@effect/platform"
import type { Schema } from "effect"
import { CheckoutEvents } from "../domain/checkout-events.ts"

const HEADERS = {
  "webhook-id": "Names the event: the same on every delivery.",
  "webhook-timestamp": "Unix seconds of this delivery.",
  "webhook-signature":
    "Standard Webhooks: `v1a,` and base64 of Ed25519 over `id.timestamp.body`, by the key of /.well-known/jwks.json."
}

const parameters = Object.entries(HEADERS).map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
}))

const responses = {
  "2XX": { description: "Taken: the event is not sent again." },
  "410": { description: "Not wanted: this event is not sent again." },
  default: {
    description:
      "Not taken: sent again with the same id, up to 11 times in three days; later where Retry-After says so."
  }
}

/** What merchants' servers are sent, for the description's `webhooks`, and the named schemas of it. */
export const describeWebhooks = () => {
  const defs: Record<string, OpenApiJsonSchema.JsonSchema> = {}
  const told = <A, I>(operationId: string, summary: string, event: Schema.Schema<A, I>) => ({
    post: {
      operationId,
      tags: ["Merchants"],
      summary,
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: { "application/json": { schema: OpenApiJsonSchema.makeWithDefs(event, { defs }) } }
      },
      responses
    }
  })
  const { expired, paid, transfer } = CheckoutEvents
  const webhooks = {
    "checkout.paid": told("on_checkout_paid", "A checkout is paid", paid),
    "checkout.expired": told("on_checkout_expired", "A checkout expired unpaid", expired),
    "checkout.transfer": told(
      "on_checkout_transfer",
      "Money came short, late or extra, went back, or was taken away by a reorganisation",
      transfer
    )
  }
  return { webhooks, schemas: defs }
}
