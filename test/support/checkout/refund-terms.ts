import { usdcOf } from "../../../src/domain/chain.ts"
import type { CheckoutTerms } from "../../../src/domain/checkout.ts"

/** A checkout of one dollar that was paid and may be refunded. */
export const refundTerms = (
  network: CheckoutTerms["network"],
  payTo: string,
  over: Pick<CheckoutTerms, "checkoutId" | "expiresAt" | "extra">
): CheckoutTerms => ({
  scheme: "exact",
  network,
  amount: "1000000",
  asset: usdcOf(network),
  payTo,
  memo: "order-1",
  maxTimeoutSeconds: 300,
  url: "https://risk.test/x",
  ...over
})
