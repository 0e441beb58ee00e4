import { Redacted, Schema } from "effect"
import { CheckoutMetadata, CheckoutStatusName, CheckoutTerms, PaymentBinding } from "../domain/checkout.ts"
import { SettlementResponse } from "../domain/x402.ts"
import { StoredInteger } from "../storage/stored-integer.ts"
import type { Checkout } from "./checkout.ts"

/** A row of `checkouts` as SQL gives it. */
export const CheckoutRow = Schema.Struct({
  id: Schema.String,
  status: CheckoutStatusName,
  merchant: Schema.String,
  caller: Schema.String,
  terms: Schema.parseJson(CheckoutTerms),
  created_at: StoredInteger,
  expires_at: StoredInteger,
  request_digest: Schema.String,
  webhook_url: Schema.NullOr(Schema.String),
  webhook_secret: Schema.NullOr(Schema.String),
  payment: Schema.NullOr(Schema.String),
  payload: Schema.NullOr(Schema.String),
  attempt: Schema.NullOr(Schema.String),
  binding: Schema.NullOr(PaymentBinding),
  processing_at: Schema.NullOr(StoredInteger),
  receipt: Schema.NullOr(Schema.String),
  settlement: Schema.NullOr(Schema.parseJson(SettlementResponse)),
  paid_at: Schema.NullOr(StoredInteger),
  expired_at: Schema.NullOr(StoredInteger),
  cancelled_at: Schema.NullOr(StoredInteger),
  metadata: Schema.NullOr(Schema.parseJson(CheckoutMetadata))
})
export type CheckoutRow = typeof CheckoutRow.Type

/** A row of `checkout_transfers` as the journal has it. */
export const TransferRow = Schema.Struct({
  evidence: Schema.String,
  checkoutId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("checkout_id")),
  via: Schema.Literal("verify", "wallet", "refund"),
  transaction: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("transaction_id")),
  payer: Schema.NullOr(Schema.String),
  amount: Schema.BigInt,
  at: StoredInteger,
  paymentKey: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(
    Schema.fromKey("authorization_key")
  ),
  binding: Schema.NullOr(PaymentBinding),
  block: Schema.NullOr(StoredInteger),
  lostAt: Schema.propertySignature(Schema.NullOr(StoredInteger)).pipe(Schema.fromKey("lost_at"))
})

const commonOf = (row: CheckoutRow) => ({
  id: row.id,
  merchant: row.merchant,
  caller: row.caller,
  metadata: row.metadata,
  terms: row.terms,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  requestDigest: row.request_digest,
  webhook:
    row.webhook_url === null
      ? null
      : {
          url: row.webhook_url,
          secret: row.webhook_secret === null ? null : Redacted.make(row.webhook_secret)
        }
})

/** The checkout of a row; `undefined` for a row that breaks the table's own checks. */
export const checkoutOf = (row: CheckoutRow): Checkout | undefined => {
  const common = commonOf(row)
  switch (row.status) {
    case "open":
      return { ...common, status: "open" }
    case "expired":
      return { ...common, status: "expired", expiredAt: row.expired_at ?? row.expires_at }
    case "cancelled":
      return { ...common, status: "cancelled", cancelledAt: row.cancelled_at ?? row.expires_at }
    case "processing": {
      const { payment: key, payload, attempt, binding, processing_at: since } = row
      if (key === null || payload === null || attempt === null || binding === null || since === null)
        return undefined
      return { ...common, status: "processing", payment: { key, payload, attempt, binding, since } }
    }
    case "paid": {
      const { payment: paymentKey, receipt, settlement, paid_at: at } = row
      if (paymentKey === null || receipt === null || settlement === null || at === null) return undefined
      return {
        ...common,
        status: "paid",
        processingAt: row.processing_at,
        paid: { paymentKey, receipt, settlement, at }
      }
    }
  }
}
