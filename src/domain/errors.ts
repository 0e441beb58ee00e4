import { Data } from "effect"
import type { TokenRef } from "./token.ts"

/** What to do where a payment may have come along, or not: free calls, merchants and terms fail like sales. */
export const REPEAT = "repeat the request, with the same payment if it carried one, never with a new one"

/** Every outside service the screening or the payment depends on. */
export type UpstreamName = "base-rpc" | "solana-rpc" | "dexscreener" | "rugcheck" | "facilitator" | "database"

/** An upstream did not give a usable answer. `detail` is for logs only and never reaches a caller. */
export class UpstreamError extends Data.TaggedError("UpstreamError")<{
  readonly upstream: UpstreamName
  readonly kind: "timeout" | "transport" | "rate-limited" | "rejected" | "malformed" | "circuit-open"
  readonly detail: string
}> {
  /** What a log shows of a cause: without it, a trace and "an error has occurred". */
  override get message(): string {
    return `${this.upstream} ${this.kind}: ${this.detail}`
  }
}

/** Callers ask for pools, wallets and collections, too: what has no market is the same to us. */
export const NO_POOLS =
  "no pools found for this token, nothing was charged: do not buy it; check that the address is the token's own, on this chain"

/** No pool of the token exists anywhere we look, and every place we look answered. Nothing is charged. */
export class UnknownToken extends Data.TaggedError("UnknownToken")<{ readonly token: TokenRef }> {}

/** A source without which no honest report exists did not answer. Nothing is charged. */
export class ScreeningUnavailable extends Data.TaggedError("ScreeningUnavailable")<{
  readonly upstream: UpstreamName
}> {}

/** The payment header is not a well-formed x402 payment. Answered 400; the payment is untouched. */
export class MalformedPayment extends Data.TaggedError("MalformedPayment")<{ readonly message: string }> {}

/**
 * The payment is well-formed but does not pay for this request. `reason` is the machine-readable x402 error code.
 * Nothing was, or will be, transferred.
 */
export class PaymentRejected extends Data.TaggedError("PaymentRejected")<{
  readonly reason: string
  readonly payer?: string | undefined
  readonly network?: string | undefined
}> {}

/**
 * It is not known whether the payment was transferred, or another request is settling it now. The caller must send
 * the same payment again, never sign a new one.
 */
export class PaymentUnresolved extends Data.TaggedError("PaymentUnresolved")<{
  readonly retryAfterSeconds: number
  readonly transaction?: string | undefined
  /** The chain refuses the transfer as things stand, by the payer's own doing. */
  readonly isRefusedNow?: boolean
}> {}

/**
 * Too many payments of this payer failed after they had cost us work, so they have to wait. The payment is good, and no
 * new signature would help; nothing was transferred. Answered 429.
 */
export class PayerMustWait extends Data.TaggedError("PayerMustWait")<{
  readonly retryAfterSeconds: number
  readonly payer: string
}> {}

/**
 * The caller's id for this payment (x402 `payment-identifier`) already names another payment of the same payer. Nothing
 * was, or will be, transferred. Answered 409.
 */
export class PaymentConflict extends Data.TaggedError("PaymentConflict")<{ readonly payer: string }> {}

/**
 * The payment could not be checked (chain, facilitator or ledger out of reach). This request transferred nothing; what an
 * earlier one with the same payment did is not known.
 */
export class PaymentUnavailable extends Data.TaggedError("PaymentUnavailable")<{
  readonly upstream: UpstreamName
}> {}

/** Why a payment bought nothing, wherever it was presented. */
export type SaleError =
  PayerMustWait | PaymentConflict | PaymentRejected | PaymentUnresolved | PaymentUnavailable

/**
 * The process cannot start. One line tells the operator everything: the variable that is concerned, what is wrong, and
 * what to do about it. Holds no secret.
 */
export class StartError extends Data.TaggedError("StartError")<{
  readonly variable: string
  readonly problem: string
  readonly remedy: string
}> {
  override get message(): string {
    return `${this.variable}: ${this.problem}; ${this.remedy}`
  }
}
