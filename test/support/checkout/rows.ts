/** Checkouts as rows of a database, without a service around it. */
import type { NewCheckout } from "../../../src/checkout/checkout-repo.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../../src/domain/chain.ts"

export const NOW = 1_800_000_000_000
export const HOUR = 3_600_000
const MERCHANT = `${SOLANA_NETWORK}:merchant`
export const LIMITS = { createsPerMinute: 1000, maxOpen: 1000 }

/** An open checkout on Solana that has just been created. */
export const checkoutAt = (id: string, idempotencyKey: string | null = null): NewCheckout => ({
  id,
  status: "open" as const,
  merchant: MERCHANT,
  caller: "address:x",
  metadata: null,
  terms: {
    scheme: "exact" as const,
    network: SOLANA_NETWORK,
    amount: "1",
    asset: SOLANA_USDC,
    payTo: "merchant",
    memo: "",
    checkoutId: id,
    maxTimeoutSeconds: 300,
    expiresAt: new Date(NOW + HOUR).toISOString(),
    extra: { memo: id },
    url: "https://risk.test/x"
  },
  createdAt: NOW,
  expiresAt: NOW + HOUR,
  requestDigest: "digest",
  webhook: { url: "https://shop.example/", secret: null },
  idempotencyKey,
  references: [`memo-${id}`]
})
