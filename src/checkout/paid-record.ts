import { Clock, Effect, Schema } from "effect"
import type { PaymentBinding } from "../domain/checkout.ts"
import { CheckoutReceipt } from "../domain/checkout.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type { SettlementResponse } from "../domain/x402.ts"
import type { Checkout, Paid } from "./checkout.ts"
import { receiptOf } from "./checkout.ts"
import type { CheckoutRepo } from "./checkout-repo.ts"
import type { Verified } from "./checkouts.ts"
import { paidMessage } from "./webhooks/events.ts"

const encodeReceipt = Schema.encodeSync(Schema.parseJson(CheckoutReceipt))

export const verifiedOf = (paid: Paid): Verified => ({ receipt: paid.receipt, settlement: paid.settlement })

/**
 * Writes down money that moved. The ledger, or the chain, is the truth: it overrules the checkout's own state. The
 * first record stays and is what everybody is answered.
 */
export const makeRecordPaid =
  (repo: CheckoutRepo["Type"]) =>
  (
    checkout: Checkout,
    paymentKey: string,
    settlement: SettlementResponse,
    binding: PaymentBinding
  ): Effect.Effect<Verified, UpstreamError> =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const receipt = receiptOf(checkout.terms, settlement, binding, at)
      const record: Paid = { paymentKey, receipt: encodeReceipt(receipt), settlement, at }
      const after = yield* repo.markPaid({ id: checkout.id, message: paidMessage(receipt), ...record })
      if (after.status === "paid" && after.paid.paymentKey === paymentKey) return verifiedOf(after.paid)
      yield* Effect.logError("a second payment settled for a paid checkout").pipe(
        Effect.annotateLogs({ checkout: checkout.id, transaction: settlement.transaction })
      )
      return verifiedOf(record)
    })
