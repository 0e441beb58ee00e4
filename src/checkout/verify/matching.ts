import type { CheckoutTerms } from "../../domain/checkout.ts"
import type { Payment } from "../../payment/message/payment.ts"
import { requirementsOf } from "../checkout.ts"

/**
 * Members of the terms that are not x402 requirements. A client that was given the terms as they are sends them back
 * in `accepted`.
 */
const CHECKOUT_MEMBERS = ["memo", "checkoutId", "expiresAt", "url"] as const

/** Machine-readable reasons, in the order they are looked for. */
const MEMBERS = [
  ["scheme", "checkout_scheme_mismatch"],
  ["network", "checkout_network_mismatch"],
  ["asset", "checkout_asset_mismatch"],
  ["payTo", "checkout_recipient_mismatch"],
  ["amount", "checkout_amount_mismatch"],
  ["maxTimeoutSeconds", "checkout_timeout_mismatch"],
  ["checkoutId", "checkout_id_mismatch"],
  ["memo", "checkout_memo_mismatch"],
  ["expiresAt", "checkout_expiry_mismatch"],
  ["url", "checkout_url_mismatch"]
] as const

const memoOf = (extra: unknown): unknown =>
  typeof extra === "object" && extra !== null && "memo" in extra ? extra.memo : undefined

const isCheckoutMember = (member: string): boolean => CHECKOUT_MEMBERS.some((name) => name === member)

const signedMismatch = (payment: Payment, terms: CheckoutTerms): string | undefined => {
  if (payment.scheme !== "eip3009") return undefined
  const { to, value } = payment.evm.authorization
  if (to.toLowerCase() !== terms.payTo.toLowerCase()) return "checkout_recipient_mismatch"
  return value === terms.amount ? undefined : "checkout_amount_mismatch"
}

/**
 * Why a payment was not made for these terms, before anything is claimed or asked of a chain; `undefined` when it may
 * be. The sale verifies everything again; this gives the merchant the exact reason.
 */
export const mismatch = (payment: Payment, terms: CheckoutTerms): string | undefined => {
  const accepted = payment.envelope.accepted
  if (payment.network !== terms.network) return "checkout_network_mismatch"
  for (const [member, reason] of MEMBERS) {
    const absent = accepted[member] === undefined && isCheckoutMember(member)
    if (!absent && accepted[member] !== terms[member]) return reason
  }
  const memo = memoOf(accepted["extra"])
  if (memo !== undefined && memo !== terms.extra["memo"]) return "checkout_memo_mismatch"
  return payment.scheme === "unsupported" ? payment.reason : signedMismatch(payment, terms)
}

/** The payment with `accepted` reduced to x402's own members, as the sale compares it. */
export const asRequirements = (payment: Payment, terms: CheckoutTerms): Payment => {
  const extra = payment.envelope.accepted["extra"]
  const accepted = { ...requirementsOf(terms), extra }
  return { ...payment, envelope: { ...payment.envelope, accepted } }
}
