import type { Redacted } from "effect"
import type {
  CheckoutMetadata,
  CheckoutReceipt,
  CheckoutStatus,
  CheckoutStatusName,
  CheckoutTerms,
  PaymentBinding
} from "../domain/checkout.ts"
import { BASE_NETWORK } from "../domain/chain.ts"
import { formatUsd } from "../domain/money.ts"
import type { PaymentRequirements, SettlementResponse } from "../domain/x402.ts"
import { takesPlainTransfers } from "./base/plain-amount.ts"
import { type Journal, lineOf } from "./journal.ts"

/**
 * Where a merchant wants to be told of events. They are signed with the service's published key; `secret` is the
 * `whsec_…` of a checkout that was created when every webhook had one of its own.
 */
export interface Webhook {
  readonly url: string
  readonly secret: Redacted.Redacted | null
}

/** The authorization that is paying a checkout. `attempt` is the one run that bound it. */
export interface BoundPayment {
  readonly key: string
  readonly attempt: string
  readonly binding: PaymentBinding
  /** The payment as presented, so that a restart can bring it to its end. */
  readonly payload: string
  /** Unix milliseconds. */
  readonly since: number
}

/** What a paid checkout answers, for ever, byte for byte. */
export interface Paid {
  readonly paymentKey: string
  readonly receipt: string
  readonly settlement: SettlementResponse
  readonly at: number
}

interface Common {
  readonly id: string
  /** Canonical spelling of the receiving address with its network; the key of limits. */
  readonly merchant: string
  /** Who created it: the key of limits. */
  readonly caller: string
  readonly terms: CheckoutTerms
  readonly createdAt: number
  readonly expiresAt: number
  readonly requestDigest: string
  readonly webhook: Webhook | null
  /** The merchant's own notes. */
  readonly metadata: CheckoutMetadata | null
}

/** One checkout in one of its states (see the README beside this file). Times are Unix milliseconds. */
export type Checkout = Common &
  (
    | { readonly status: "open" }
    | { readonly status: "processing"; readonly payment: BoundPayment }
    | { readonly status: "paid"; readonly processingAt: number | null; readonly paid: Paid }
    | { readonly status: "expired"; readonly expiredAt: number }
    | { readonly status: "cancelled"; readonly cancelledAt: number }
  )

/** The ledger's fingerprint of everything that pays this checkout. */
export const fingerprintOf = (id: string): string => `checkout ${id}`

/** The terms as x402 payment requirements: nothing but the protocol's own fields. */
export const requirementsOf = (terms: CheckoutTerms): PaymentRequirements => ({
  scheme: terms.scheme,
  network: terms.network,
  amount: terms.amount,
  asset: terms.asset,
  payTo: terms.payTo,
  maxTimeoutSeconds: terms.maxTimeoutSeconds,
  extra: terms.extra
})

const iso = (unixMs: number): string => new Date(unixMs).toISOString()

/** Everything that stands in a receipt; a function of what was settled, so a lost receipt can be written again. */
export const receiptOf = (
  terms: CheckoutTerms,
  settlement: SettlementResponse,
  binding: PaymentBinding,
  paidAt: number,
  journal: Journal
): CheckoutReceipt => ({
  status: "paid",
  transaction: settlement.transaction,
  checkoutId: terms.checkoutId,
  network: terms.network,
  amount: terms.amount,
  asset: terms.asset,
  payTo: terms.payTo,
  payer: settlement.payer ?? null,
  memo: terms.memo,
  binding,
  paidAt: iso(paidAt),
  received: journal.received.toString(),
  payments: journal.entries.map(lineOf)
})

type Moment = { readonly status: CheckoutStatusName; readonly at: string }

const momentsOf = (checkout: Checkout): ReadonlyArray<Moment> => {
  const moment = (status: CheckoutStatusName, at: number | null): ReadonlyArray<Moment> =>
    at === null ? [] : [{ status, at: iso(at) }]
  switch (checkout.status) {
    case "open":
      return []
    case "processing":
      return moment("processing", checkout.payment.since)
    case "paid":
      return [...moment("processing", checkout.processingAt), ...moment("paid", checkout.paid.at)]
    case "expired":
      return moment("expired", checkout.expiredAt)
    case "cancelled":
      return moment("cancelled", checkout.cancelledAt)
  }
}

/** Whether a wallet can pay these terms by itself, without presenting anything to us. */
const isPayableOnChain = (terms: CheckoutTerms): boolean =>
  terms.network !== BASE_NETWORK || takesPlainTransfers(terms)

/**
 * The state a caller is shown. Where only a payment presented to us can pay a checkout, a clock that ran out ends it.
 * Elsewhere a wallet may have paid in the last second: it stays open until the chain was looked at.
 */
const shown = (checkout: Checkout, now: number): Checkout =>
  checkout.status === "open" && now >= checkout.expiresAt && !isPayableOnChain(checkout.terms)
    ? { ...checkout, status: "expired", expiredAt: checkout.expiresAt }
    : checkout

/** The public view of a checkout at a time. `receipt` is parsed by the caller because it is stored as bytes. */
export const statusOf = (
  checkout: Checkout,
  receipt: CheckoutReceipt | null,
  journal: Journal,
  now: number
): CheckoutStatus => {
  const current = shown(checkout, now)
  return {
    checkoutId: current.id,
    status: current.status,
    amountUsd: formatUsd(BigInt(current.terms.amount)),
    terms: current.terms,
    receipt,
    received: journal.received.toString(),
    // A checkout that was paid before transfers were kept has a receipt and no rows.
    missing: (current.status === "paid" ? 0n : journal.missing).toString(),
    payments: journal.entries.map(lineOf),
    timeline: [{ status: "open", at: iso(current.createdAt) }, ...momentsOf(current)]
  }
}

/**
 * How a checkout receives a payment, by the checkout's row and the clock alone. Pure, so that the simulation walks the
 * same rules.
 */
export type Reception = "settle" | "replay" | "paid-by-another" | "busy" | "expired" | "cancelled"

export const receptionOf = (checkout: Checkout, paymentKey: string, now: number): Reception => {
  switch (checkout.status) {
    case "paid":
      return checkout.paid.paymentKey === paymentKey ? "replay" : "paid-by-another"
    case "expired":
    case "cancelled":
      return checkout.status
    case "processing":
      return checkout.payment.key === paymentKey ? "settle" : "busy"
    case "open":
      return now >= checkout.expiresAt ? "expired" : "settle"
  }
}
