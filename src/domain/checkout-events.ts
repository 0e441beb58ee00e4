import { Schema } from "effect"
import { CheckoutReceipt, CheckoutTerms, CheckoutTransfer, Instant, TransferKind } from "./checkout.ts"

const PaidEvent = Schema.Struct({
  type: Schema.Literal("checkout.paid"),
  timestamp: Instant,
  data: CheckoutReceipt
}).annotations({ identifier: "CheckoutPaidEvent" })

const ExpiredEvent = Schema.Struct({
  type: Schema.Literal("checkout.expired"),
  timestamp: Instant,
  data: Schema.Struct({
    status: Schema.Literal("expired"),
    checkoutId: Schema.String,
    terms: CheckoutTerms
  })
}).annotations({ identifier: "CheckoutExpiredEvent" })

const TransferEvent = Schema.Struct({
  type: Schema.TemplateLiteral("checkout.transfer.", TransferKind).annotations({
    title: "type",
    description: "Ends with the kind of the transfer.",
    examples: ["checkout.transfer.short"]
  }),
  timestamp: Instant,
  data: Schema.Struct({
    checkoutId: Schema.String,
    terms: CheckoutTerms,
    transfer: CheckoutTransfer,
    received: Schema.String,
    missing: Schema.String
  })
}).annotations({ identifier: "CheckoutTransferEvent" })

/** Bodies of the events that merchants are sent, in the shape of Standard Webhooks: type, timestamp, data. */
export const CheckoutEvents = { paid: PaidEvent, expired: ExpiredEvent, transfer: TransferEvent }
