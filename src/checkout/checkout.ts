import type { Redacted } from "effect"
import type {
  CheckoutReceipt,
  CheckoutStatus,
  CheckoutStatusName,
  CheckoutTerms,
  PaymentBinding
} from "../domain/checkout.ts"
import { formatUsd } from "../domain/money.ts"
import type { PaymentRequirements, SettlementResponse } from "../domain/x402.ts"

/** Where a merchant wants to be told of events, and the Standard Webhooks secret (`whsec_…`) that signs them. */
export interface Webhook {
  readonly url: string
  readonly secret: Redacted.Redacted
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
  readonly terms: CheckoutTerms
  readonly createdAt: number
  readonly expiresAt: number
  readonly requestDigest: string
  readonly webhook: Webhook | null
  /** The hosted page was opened, so a wallet may pay without us: the chain is watched. Unix milliseconds. */
  readonly watchedAt: number | null
}

/** One checkout in one of its states (see the README beside this file). Times are Unix milliseconds. */
export type Checkout = Common &
  (
    | { readonly status: "open" }
    | { readonly status: "processing"; readonly payment: BoundPayment }
    | { readonly status: "paid"; readonly processingAt: number | null; readonly paid: Paid }
    | { readonly status: "expired"; readonly expiredAt: number }
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
  paidAt: number
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
  paidAt: iso(paidAt)
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
  }
}

/** The state a caller is shown: a clock that ran out counts before the sweeper has written it down. */
const shown = (checkout: Checkout, now: number): Checkout =>
  checkout.status === "open" && now >= checkout.expiresAt
    ? { ...checkout, status: "expired", expiredAt: checkout.expiresAt }
    : checkout

/** The public view of a checkout at a time. `receipt` is parsed by the caller because it is stored as bytes. */
export const statusOf = (
  checkout: Checkout,
  receipt: CheckoutReceipt | null,
  now: number
): CheckoutStatus => {
  const current = shown(checkout, now)
  return {
    checkoutId: current.id,
    status: current.status,
    amountUsd: formatUsd(BigInt(current.terms.amount)),
    terms: current.terms,
    receipt,
    timeline: [{ status: "open", at: iso(current.createdAt) }, ...momentsOf(current)]
  }
}

/** What a payment meets at a checkout, by the checkout's row alone. Pure, so that the simulation walks the same rules. */
export type Judgement = "settle" | "replay" | "paid-by-another" | "busy" | "expired"

export const judge = (checkout: Checkout, paymentKey: string, now: number): Judgement => {
  const current = shown(checkout, now)
  switch (current.status) {
    case "paid":
      return current.paid.paymentKey === paymentKey ? "replay" : "paid-by-another"
    case "expired":
      return "expired"
    case "processing":
      return current.payment.key === paymentKey ? "settle" : "busy"
    case "open":
      return "settle"
  }
}
