import { Schema } from "effect"
import { CheckoutReceipt, CheckoutTerms } from "../../domain/checkout.ts"
import type { Checkout } from "../checkout.ts"
import type { OutboxMessage } from "../checkout-repo.ts"

const Instant = Schema.String

/** Bodies of the two events, in the shape of the Standard Webhooks specification: type, timestamp, data. */
const CheckoutPaid = Schema.parseJson(
  Schema.Struct({ type: Schema.Literal("checkout.paid"), timestamp: Instant, data: CheckoutReceipt })
)
const CheckoutExpiredEvent = Schema.parseJson(
  Schema.Struct({
    type: Schema.Literal("checkout.expired"),
    timestamp: Instant,
    data: Schema.Struct({
      status: Schema.Literal("expired"),
      checkoutId: Schema.String,
      terms: CheckoutTerms
    })
  })
)
const encodePaid = Schema.encodeSync(CheckoutPaid)
const encodeExpired = Schema.encodeSync(CheckoutExpiredEvent)

/** Message ids name the event, so that a receiver can drop the second delivery of one event. */
export const paidMessage = (receipt: CheckoutReceipt): OutboxMessage => ({
  id: `msg_${receipt.checkoutId}_paid`,
  body: encodePaid({ type: "checkout.paid", timestamp: receipt.paidAt, data: receipt })
})

export const expiredMessage = (checkout: Checkout): OutboxMessage => ({
  id: `msg_${checkout.id}_expired`,
  body: encodeExpired({
    type: "checkout.expired",
    timestamp: checkout.terms.expiresAt,
    data: { status: "expired", checkoutId: checkout.id, terms: checkout.terms }
  })
})
