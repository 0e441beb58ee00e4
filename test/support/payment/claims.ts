/** Payments as the ledger is told of them. */
import { Effect } from "effect"
import { encodePayload } from "../../../src/payment/ledger/ledger-row.ts"
import { parsePaymentObject } from "../../../src/payment/message/parse-payment.ts"
import { signPayment, terms } from "./support.ts"

/** The claim of a new payer for the same order. */
export const newClaim = Effect.gen(function* () {
  const payment = yield* parsePaymentObject(yield* signPayment)
  if (payment.scheme === "unsupported") return yield* Effect.dieMessage("not a payment")
  return {
    authorizationKey: payment.authorizationKey,
    fingerprint: "order",
    network: payment.network,
    payer: "payer",
    amount: "5000",
    payload: encodePayload(payment),
    requirements: terms,
    since: 7
  }
})

/** What is answered when it was settled. */
export const settlement = { success: true, transaction: "0xabc", network: terms.network }
