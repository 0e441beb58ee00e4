import { Schema } from "effect"
import { Network } from "./chain.ts"
import { Integer } from "./integer.ts"
import { AtomicAmount } from "./money.ts"
import { rule } from "./rule.ts"

/** The protocol version of every message here. Source: x402 specification v2. */
export const X402_VERSION = 2

const Extra = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** What a payment is for (`resource` of a challenge, echoed by clients). */
export const ResourceInfo = Schema.Struct({
  url: Schema.String,
  description: Schema.String,
  mimeType: Schema.String
})
export type ResourceInfo = typeof ResourceInfo.Type

/** One entry of `accepts`: the exact terms a payment must meet. `amount` is in smallest units. */
export const PaymentRequirements = Schema.Struct({
  scheme: Schema.Literal("exact"),
  network: Network,
  amount: AtomicAmount,
  asset: Schema.String,
  payTo: Schema.String,
  maxTimeoutSeconds: Integer.pipe(Schema.positive()),
  extra: Extra
}).annotations({ identifier: "PaymentRequirements" })
export type PaymentRequirements = typeof PaymentRequirements.Type

/** The challenge, in the 402 body and base64 in `PAYMENT-REQUIRED`. */
export const PaymentRequired = Schema.Struct({
  x402Version: Schema.Literal(2).annotations({ jsonSchema: { type: "integer", enum: [2] } }),
  error: Schema.Literal("Payment Required"),
  resource: ResourceInfo,
  accepts: Schema.Array(PaymentRequirements),
  extensions: Schema.optional(Extra),
  preview: Schema.optional(Extra)
})
export type PaymentRequired = typeof PaymentRequired.Type

const Hex = (pattern: RegExp) =>
  Schema.String.pipe(Schema.pattern(pattern, { message: () => rule("must be 0x hex") }))

/** EIP-3009 `transferWithAuthorization` as signed by the payer. Times are Unix seconds in decimal text. */
export const Eip3009Payload = Schema.Struct({
  signature: Hex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/),
  authorization: Schema.Struct({
    from: Hex(/^0x[0-9a-fA-F]{40}$/),
    to: Hex(/^0x[0-9a-fA-F]{40}$/),
    value: AtomicAmount,
    validAfter: AtomicAmount,
    validBefore: AtomicAmount,
    nonce: Hex(/^0x[0-9a-fA-F]{64}$/)
  })
})
export type Eip3009Payload = typeof Eip3009Payload.Type

/** A Solana transaction, base64 of the wire format, signed by everyone but the fee payer. */
export const SvmPayload = Schema.Struct({ transaction: Schema.String })
export type SvmPayload = typeof SvmPayload.Type

/**
 * A payment as a client presents it. `accepted` stays loose on purpose: it is compared with our own requirements,
 * never trusted, and a foreign one is "no matching requirements" (402), not a malformed message (400).
 */
export const PaymentPayload = Schema.Struct({
  x402Version: Schema.Number,
  resource: Schema.optional(Schema.Struct({ url: Schema.optional(Schema.String) })),
  accepted: Extra,
  payload: Extra,
  extensions: Schema.optional(Extra)
})
export type PaymentPayload = typeof PaymentPayload.Type

/** `PAYMENT-RESPONSE` of a settled payment, and the answer of a facilitator's `/settle`. */
export const SettlementResponse = Schema.Struct({
  success: Schema.Boolean,
  transaction: Schema.String,
  network: Schema.String,
  payer: Schema.optional(Schema.String),
  amount: Schema.optional(Schema.String),
  errorReason: Schema.optional(Schema.String),
  errorMessage: Schema.optional(Schema.String),
  extensions: Schema.optional(Extra)
})
export type SettlementResponse = typeof SettlementResponse.Type
