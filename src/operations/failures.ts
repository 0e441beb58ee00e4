import type { CreateError, FindError, VerifyError } from "../checkout/checkouts.ts"
import type { CheckoutExpired, MerchantUnknown } from "../checkout/errors.ts"
import { NO_POOLS, type PaymentRejected, REPEAT } from "../domain/errors.ts"
import type { SettlementResponse } from "../domain/x402.ts"
import type { OperationError, PaymentDue } from "./operations.ts"

/** Seconds after which a request that met an outage is worth repeating. */
export const OUTAGE_RETRY_SECONDS = 5
/** Seconds after which a request that found everything taken is worth repeating. */
export const BUSY_RETRY_SECONDS = 1

const RESEND = "send the same payment again, do not sign a new one"

/** What a failure of an operation means to a caller. Each channel has one way to say each of these. */
export type OperationFailureKind = "invalid" | "unknown" | "conflict" | "limited" | "unavailable"
/** A checkout can also be over, and its merchant unproven. */
export type FailureKind = OperationFailureKind | "expired" | "unauthorized"

/** A failure in words a caller may read. `retryAfterSeconds` where repeating the same request can succeed. */
export interface Failure<Kind extends FailureKind = FailureKind> {
  readonly kind: Kind
  readonly text: string
  readonly retryAfterSeconds?: number
}

/** These are answered with terms to pay, not with a text. */
type Terms = PaymentDue | PaymentRejected
export type OperationFailure = Exclude<OperationError, Terms>
export type CheckoutFailure = Exclude<
  CreateError | FindError | VerifyError | CheckoutExpired | MerchantUnknown,
  Terms
>

type Table<Errors extends { readonly _tag: string }, Kind extends FailureKind> = {
  readonly [Tag in Errors["_tag"]]: (error: Extract<Errors, { readonly _tag: Tag }>) => Failure<Kind>
}

const unavailable = (text: string, retryAfterSeconds = OUTAGE_RETRY_SECONDS): Failure<"unavailable"> => ({
  kind: "unavailable",
  text,
  retryAfterSeconds
})

/** Every failure once. A text says whether something was charged, and what to do. */
const OPERATIONS = {
  MalformedPayment: (error) => ({ kind: "invalid", text: error.message }),
  FreeCallsPaused: ({ retryAfterSeconds }) => ({
    kind: "limited",
    text: "too many free calls from this address failed: wait, or pay without x-client-id",
    retryAfterSeconds
  }),
  UnknownToken: () => ({ kind: "unknown", text: NO_POOLS }),
  PaymentUnresolved: (error) =>
    unavailable(`settlement outcome not known yet: ${RESEND}`, error.retryAfterSeconds),
  PayerMustWait: ({ retryAfterSeconds }) => ({
    kind: "limited",
    text: `too many of your payments failed lately, nothing was charged: ${RESEND}`,
    retryAfterSeconds
  }),
  PaymentConflict: () => ({
    kind: "conflict",
    text: "this payment-identifier names another payment, nothing was charged: send that payment, or use a new id"
  }),
  PaymentUnavailable: () =>
    unavailable(`payment cannot be checked now, and this request charged nothing: ${RESEND}`),
  ScreeningUnavailable: () => unavailable(`a required data source is down, nothing was charged: ${REPEAT}`),
  UpstreamError: () => unavailable(`temporarily unavailable: ${REPEAT}`)
} satisfies Table<OperationFailure, OperationFailureKind>

const CHECKOUTS = {
  MalformedPayment: (error) => ({ kind: "invalid", text: `paymentSignature: ${error.message}` }),
  PaymentUnresolved: OPERATIONS.PaymentUnresolved,
  PayerMustWait: OPERATIONS.PayerMustWait,
  PaymentConflict: OPERATIONS.PaymentConflict,
  PaymentUnavailable: OPERATIONS.PaymentUnavailable,
  UpstreamError: OPERATIONS.UpstreamError,
  CheckoutInvalid: (error) => ({ kind: "invalid", text: `${error.field}: ${error.message}` }),
  MerchantUnknown: (error) => ({ kind: "unauthorized", text: error.message }),
  CheckoutNotFound: ({ what = "checkout" }) => ({ kind: "unknown", text: `no such ${what}` }),
  CheckoutConflict: (error) => ({ kind: "conflict", text: error.message }),
  CheckoutExpired: () => ({ kind: "expired", text: "this checkout has expired; nothing was charged" }),
  CheckoutLimited: ({ message, retryAfterSeconds }) => ({
    kind: "limited",
    text: message,
    retryAfterSeconds
  }),
  CheckoutBusy: (error) =>
    unavailable(`another payment is settling this checkout: ${RESEND}`, error.retryAfterSeconds)
} satisfies Table<CheckoutFailure, FailureKind>

const read = <Tag extends string, Error extends { readonly _tag: Tag }, Kind extends FailureKind>(
  table: { readonly [T in Tag]: (error: Error & { readonly _tag: T }) => Failure<Kind> },
  error: Error
): Failure<Kind> => table[error._tag](error)

/** The reading of a failed operation that HTTP and MCP share. */
export const describeOperationFailure = (error: OperationFailure): Failure<OperationFailureKind> =>
  read(OPERATIONS, error)

type KindOf<E extends CheckoutFailure> = ReturnType<(typeof CHECKOUTS)[E["_tag"]]>["kind"]

/** The reading of a failed checkout request. Its type keeps the kinds, so that a handler's statuses are its own alone. */
export function describeCheckoutFailure<E extends CheckoutFailure>(error: E): Failure<KindOf<E>>
export function describeCheckoutFailure(error: CheckoutFailure): Failure {
  return read(CHECKOUTS, error)
}

/** Why a payment was refused, machine-readable, as `PAYMENT-RESPONSE` and MCP's receipt carry it. */
export const refusalOf = (rejected: PaymentRejected): SettlementResponse => ({
  success: false,
  errorReason: rejected.reason,
  transaction: "",
  network: rejected.network ?? "",
  ...(rejected.payer === undefined ? {} : { payer: rejected.payer })
})
