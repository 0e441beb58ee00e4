import { Either } from "effect"
import { PaymentRejected } from "../../domain/errors.ts"
import type { PaymentRequirements } from "../../domain/x402.ts"
import type { Payment, SettleablePayment } from "./payment.ts"
import type { Order } from "../sale/sale.ts"

/** Structural equality of JSON values; the order of keys does not matter. */
const equalJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = Object.entries(a)
  const right = new Map(Object.entries(b))
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && equalJson(value, right.get(key)))
  )
}

/** A client may add to `extra`, but what we advertised must come back unchanged. */
const containsExtra = (ours: PaymentRequirements["extra"], theirs: unknown): boolean => {
  const wanted = Object.entries(ours)
  if (theirs === undefined) return wanted.length === 0
  if (typeof theirs !== "object" || theirs === null) return false
  const given = new Map(Object.entries(theirs))
  return wanted.every(([key, value]) => given.has(key) && equalJson(value, given.get(key)))
}

/** Deep equality with what we advertised, as the reference compares it: an unknown member or another letter case differs. */
const accepts = (payment: SettleablePayment, ours: PaymentRequirements): boolean => {
  const { extra: theirExtra, ...theirs } = payment.envelope.accepted
  const { extra: ourExtra, ...terms } = ours
  return equalJson(theirs, terms) && containsExtra(ourExtra, theirExtra)
}

const place = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : undefined

/** Queries differ between honest clients, so only origin and path bind a payment to its resource. */
const isForResource = (payment: Payment, resourceUrl: string): boolean => {
  const named = payment.envelope.resource?.url
  return named === undefined || (place(named) !== undefined && place(named) === place(resourceUrl))
}

/** A payment beside the one of our own requirements it chose, in our own spelling. */
export interface MatchedPayment {
  readonly payment: SettleablePayment
  readonly requirements: PaymentRequirements
}

/**
 * Compares a payment with what the order accepts. Nothing of the client's `accepted` is used further on. Reasons are
 * the error codes of the x402 v2 specification; `resource_mismatch` is ours, the specification has none for it.
 */
export const matchPayment = (
  payment: Payment,
  order: Pick<Order, "accepts" | "resourceUrl">
): Either.Either<MatchedPayment, PaymentRejected> => {
  if (payment.scheme === "unsupported") return Either.left(new PaymentRejected({ reason: payment.reason }))
  const reject = (reason: string) => Either.left(new PaymentRejected({ reason, network: payment.network }))
  const requirements = order.accepts.find((ours) => accepts(payment, ours))
  if (requirements === undefined) {
    const served = order.accepts.some((ours) => ours.network === payment.network)
    return reject(served ? "invalid_payment_requirements" : "invalid_network")
  }
  return isForResource(payment, order.resourceUrl)
    ? Either.right({ payment, requirements })
    : reject("resource_mismatch")
}
