/** A refund that was prepared, and the terms it goes back under. */
import type { Refund } from "../../../src/checkout/refunds/refund.ts"
import type { CheckoutTerms } from "../../../src/domain/checkout.ts"
import { refundTerms } from "./refund-terms.ts"

export const PAYER = `0x${"22".repeat(20)}` as const

export const termsOn = (network: CheckoutTerms["network"], payTo: string): CheckoutTerms =>
  refundTerms(network, payTo, {
    checkoutId: `chk_${"ab".repeat(16)}`,
    expiresAt: "2026-01-01T00:00:00.000Z",
    extra: {}
  })

export const refund: Refund = {
  id: `ref_${"cd".repeat(16)}`,
  checkoutId: `chk_${"ab".repeat(16)}`,
  payer: PAYER,
  amount: 1_000_000n,
  lifetime: "7",
  validUntil: null,
  state: "open",
  lookedTo: 10,
  preparedAt: 0
}
