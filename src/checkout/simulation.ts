import { BASE_NETWORK, SOLANA_NETWORK } from "../domain/chain.ts"
import type { CheckoutSimulation, CheckoutTerms, SimulatedStep } from "../domain/checkout.ts"
import { X402_VERSION } from "../domain/x402.ts"
import type { Payment } from "../payment/message/payment.ts"
import type { Checkout, Reception } from "./checkout.ts"
import { receptionOf, requirementsOf } from "./checkout.ts"
import { mismatch } from "./verify/matching.ts"
import { USED_BEFORE } from "./verify/settling.ts"

type Row = Extract<Checkout, { readonly status: "open" }>
type AnswerBody = Readonly<Record<string, unknown>>
type Accepted = Readonly<Record<string, unknown>>

const WORD = {
  open: "simulated_open",
  processing: "simulated_processing",
  paid: "simulated_paid",
  expired: "simulated_expired",
  cancelled: "simulated_cancelled"
} as const

/** What a real checkout answers where the rules say more than "settle" or "replay". */
const REFUSAL: Readonly<Record<Exclude<Reception, "settle" | "replay">, readonly [number, string]>> = {
  "paid-by-another": [409, "this checkout is paid by another payment; nothing was charged"],
  busy: [503, "another payment is settling this checkout; nothing was charged"],
  expired: [410, "this checkout has expired; nothing was charged"],
  cancelled: [409, "this checkout was cancelled by the merchant; nothing was charged"]
}

/** A payment in form only: no signature, no authorization, nothing a chain or the ledger would take. */
const pretend = (key: string, terms: CheckoutTerms, change: Accepted = {}): Payment => {
  const accepted = { ...requirementsOf(terms), ...change }
  const envelope = { x402Version: X402_VERSION, accepted, payload: {} }
  if (accepted.network !== BASE_NETWORK) {
    return {
      scheme: "svm",
      network: accepted.network,
      envelope,
      authorizationKey: key,
      svm: { transaction: "" }
    }
  }
  const authorization = {
    from: "0x",
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: "0",
    validBefore: "0",
    nonce: "0x"
  }
  return {
    scheme: "eip3009",
    network: accepted.network,
    envelope,
    authorizationKey: key,
    evm: { signature: "0x", authorization }
  }
}

/** The checkout at the moments a payment meets it. */
const momentsOf = (row: Row, transaction: string) => {
  const { createdAt: since, terms } = row
  const payment = {
    key: "sim_payment_1",
    attempt: "sim",
    binding: "server",
    payload: "",
    since
  } as const
  const settlement = { success: true, transaction, network: terms.network }
  const processing: Checkout = { ...row, status: "processing", payment }
  const paid: Checkout = {
    ...row,
    status: "paid",
    processingAt: since,
    paid: { paymentKey: payment.key, receipt: "", settlement, at: since }
  }
  return { processing, paid, key: payment.key }
}

const step = (
  name: string,
  explanation: string,
  status: SimulatedStep["status"],
  httpStatus: number,
  answer: AnswerBody
): SimulatedStep => ({ step: name, explanation, httpStatus, status, answer })

/** Payments that do not fit the terms. Nothing is settled for them. */
const refusals = ({ terms }: Row): ReadonlyArray<SimulatedStep> => {
  const refused = (name: string, explanation: string, change: Accepted): SimulatedStep =>
    step(name, explanation, WORD.open, 402, {
      error: "Payment Required",
      errorReason: mismatch(pretend("sim_payment_0", terms, change), terms) ?? "none"
    })
  const otherNetwork = terms.network === BASE_NETWORK ? SOLANA_NETWORK : BASE_NETWORK
  const bigger = (BigInt(terms.amount) + 1n).toString()
  return [
    refused("wrong_amount", "A payment over another amount is not settled.", { amount: bigger }),
    refused("wrong_network", "A payment on another network is not settled.", { network: otherNetwork }),
    refused("wrong_asset", "A payment in another asset is not settled.", { asset: "sim_asset" }),
    refused("wrong_recipient", "A payment to somebody else is not settled.", { payTo: "sim_recipient" }),
    refused("wrong_memo", "A payment made for another order is not settled.", { checkoutId: "sim_other" })
  ]
}

/** Payments that fit, at every moment they may come. */
const receptions = (row: Row, transaction: string): ReadonlyArray<SimulatedStep> => {
  const { createdAt: now, expiresAt: later, terms } = row
  const { key, paid, processing } = momentsOf(row, transaction)
  const { amount, payTo } = terms
  const receipt = { status: WORD.paid, transaction, checkoutId: row.id, amount, payTo }
  const received = (
    name: string,
    explanation: string,
    at: Checkout,
    payment: string,
    time: number
  ): SimulatedStep => {
    const reception = receptionOf(at, payment, time)
    if (reception === "settle" || reception === "replay")
      return step(name, explanation, WORD.paid, 200, receipt)
    const [httpStatus, error] = REFUSAL[reception]
    const status = reception === "expired" ? WORD.expired : WORD[at.status]
    return step(name, explanation, status, httpStatus, { error })
  }
  const other = "sim_payment_2"
  return [
    received("second_payer", "Another payment meanwhile waits.", processing, other, now),
    received("paid", "The same payment again finds the transfer.", processing, key, now),
    received("replay", "The same payment always gets the same receipt.", paid, key, now),
    received("replay_after_expiry", "Also after the clock ran out.", paid, key, later),
    received("other_payment", "Another payment on a paid checkout is not settled.", paid, other, now),
    received("expired", "On a checkout nobody paid, a late payment is not settled.", row, key, later)
  ]
}

/**
 * The life of a checkout with everything that can go wrong, decided by the same rules as a real one (`receptionOf`,
 * `mismatch`) and told in words and ids that exist nowhere else. Pure.
 */
export const simulation = (row: Row, transaction: string): CheckoutSimulation => ({
  simulated: true,
  steps: [
    step("create", "The merchant creates the checkout and shows its terms.", WORD.open, 200, {
      // Real terms would be payable: no x402 client pays this scheme.
      terms: { ...row.terms, scheme: "simulated" }
    }),
    step("challenge", "Verify without a payment asks for one.", WORD.open, 402, {
      error: "Payment Required"
    }),
    step("malformed_payment", "A transaction id is not a payment.", WORD.open, 400, {
      error: "paymentSignature: must be the base64 of an x402 PaymentPayload, not a transaction id"
    }),
    ...refusals(row),
    step("payment_used_elsewhere", "One payment buys one thing.", WORD.open, 409, {
      error: USED_BEFORE
    }),
    step(
      "lost_reply",
      "The outcome of settling is not known: send the same payment again.",
      WORD.processing,
      503,
      {
        error: "settlement outcome not known yet: send the same payment again, do not sign a new one",
        retryAfterSeconds: 5
      }
    ),
    ...receptions(row, transaction)
  ]
})
