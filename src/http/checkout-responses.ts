import type { CreateError, FindError, VerifyError } from "../checkout/checkouts.ts"
import { isTransactionId } from "../checkout/verification.ts"
import { requirementsOf } from "../checkout/checkout.ts"
import type { CheckoutExpired } from "../checkout/errors.ts"
import type { CheckoutTerms } from "../domain/checkout.ts"
import type { PaymentRequired } from "../domain/x402.ts"
import { challenge, errorBody, refusal, unavailable } from "./responses.ts"

const RESEND = "send the same payment again, do not sign a new one"

/**
 * The x402 challenge of a checkout, so that any x402 client can pay at the verify address. `reason` says what was
 * wrong with the payment that was presented.
 */
export const challengeOf = (terms: CheckoutTerms, reason?: string) => {
  const body: PaymentRequired = {
    x402Version: 2,
    error: "Payment Required",
    resource: { url: `${terms.url}/verify`, description: "Pay this checkout.", mimeType: "application/json" },
    accepts: [requirementsOf(terms)],
    preview: {
      checkoutId: terms.checkoutId,
      expiresAt: terms.expiresAt,
      ...(reason === undefined ? {} : { reason })
    }
  }
  const json = JSON.stringify(body)
  return { challenge: body, json, base64: Buffer.from(json, "utf8").toString("base64") }
}

/** Why this text cannot be a payment, before it is parsed. */
export const paymentFault = (text: string): string | undefined =>
  isTransactionId(text)
    ? "paymentSignature: must be the base64 of an x402 PaymentPayload, not a transaction id"
    : undefined

type AnyError = CreateError | FindError | VerifyError | CheckoutExpired

/** The answer to every failure but a refused payment, which needs the terms. */
export const failure = (error: Exclude<AnyError, { readonly _tag: "PaymentRejected" }>) => {
  switch (error._tag) {
    case "CheckoutInvalid":
      return errorBody(400, `${error.field}: ${error.message}`)
    case "MalformedPayment":
      return errorBody(400, `paymentSignature: ${error.message}`)
    case "CheckoutNotFound":
      return errorBody(404, "no such checkout")
    case "CheckoutConflict":
      return errorBody(409, error.message)
    case "CheckoutExpired":
      return errorBody(410, "this checkout has expired; nothing was charged")
    case "CheckoutLimited":
      return errorBody(429, error.message, { "retry-after": String(error.retryAfterSeconds) })
    case "CheckoutBusy":
      return unavailable(`another payment is settling this checkout: ${RESEND}`, error.retryAfterSeconds)
    case "PaymentUnresolved":
      return unavailable(`settlement outcome not known yet: ${RESEND}`, error.retryAfterSeconds)
    case "PaymentUnavailable":
      return unavailable(`payment cannot be checked now, nothing was charged: ${RESEND}`)
    case "UpstreamError":
      return unavailable(`temporarily unavailable: ${RESEND}`)
  }
}

/** 402: the payment was refused and not settled; the reason is in `PAYMENT-RESPONSE` and in the body's preview. */
export const refused = (
  terms: CheckoutTerms,
  error: Extract<VerifyError, { readonly _tag: "PaymentRejected" }>
) => challenge(challengeOf(terms, error.reason), refusal(error))
