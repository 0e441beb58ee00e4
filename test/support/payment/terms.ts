import { BASE_NETWORK, BASE_USDC } from "../../../src/domain/chain.ts"
import type { PaymentRequirements } from "../../../src/domain/x402.ts"

/** Terms of a payment on Base. */
export const termsFor = (payTo: string, amount: bigint): PaymentRequirements => ({
  scheme: "exact",
  network: BASE_NETWORK,
  amount: String(amount),
  asset: BASE_USDC,
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" }
})
