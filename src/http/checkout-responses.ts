import { PaymentRequiredError, TooManyRequests } from "../api/errors.ts"
import { isTransactionId } from "../checkout/verify/verification.ts"
import { requirementsOf } from "../checkout/checkout.ts"
import type { CheckoutLimited } from "../checkout/errors.ts"
import type { CheckoutTerms } from "../domain/checkout.ts"
import type { PaymentRejected } from "../domain/errors.ts"
import type { PaymentRequired } from "../domain/x402.ts"
import { refusalOf } from "../operations/failures.ts"

/**
 * The x402 challenge of a checkout, so that any x402 client can pay at the verify address. `reason` says what was
 * wrong with the payment that was presented.
 */
export const challengeOf = (terms: CheckoutTerms, reason?: string): PaymentRequired => ({
  x402Version: 2,
  error: "Payment Required",
  resource: { url: `${terms.url}/verify`, description: "Pay this checkout.", mimeType: "application/json" },
  accepts: [requirementsOf(terms)],
  preview: {
    checkoutId: terms.checkoutId,
    expiresAt: terms.expiresAt,
    ...(reason === undefined ? {} : { reason })
  }
})

/** Why this text cannot be a payment, before it is parsed. */
export const malformedReason = (text: string): string | undefined =>
  isTransactionId(text)
    ? "paymentSignature: must be the base64 of an x402 PaymentPayload, not a transaction id"
    : undefined

/** 402: the payment was refused and not settled; the reason is in `PAYMENT-RESPONSE` and in the body's preview. */
export const refused = (terms: CheckoutTerms, error: PaymentRejected) =>
  PaymentRequiredError.of(challengeOf(terms, error.reason), refusalOf(error))

/**
 * 429: a limit stood in the way before anything was sent, and `PAYMENT-RESPONSE` says so. A 429 without that header may
 * come from anything between here and the payer, and says nothing about what became of the payment.
 */
export const unsent = ({ network }: CheckoutTerms, { message, retryAfterSeconds }: CheckoutLimited) => {
  const error = TooManyRequests.after(message, retryAfterSeconds)
  error.refusal = { success: false, errorReason: "checkout_limited", transaction: "", network }
  return error
}
