import { getBase58Decoder } from "@solana/kit"
import { createHash } from "node:crypto"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import type { CheckoutTerms } from "../domain/checkout.ts"
import { formatUsd } from "../domain/money.ts"

const base58 = getBase58Decoder()

/**
 * Key a wallet adds to its transfer so that it can be found on chain. Nobody holds a private key to it.
 * Source: Solana Pay specification, `reference`.
 */
export const referenceOf = (checkoutId: string): string =>
  base58.decode(createHash("sha256").update(`token-risk-checkout-reference:v1|${checkoutId}`).digest())

/**
 * The transfer request a wallet's QR scanner understands; `undefined` on Base. The memo is the checkout's id, as in
 * the x402 terms, so that a transfer names one order whoever sends it; the merchant's own text stays out, wallets would
 * show it as ours. Source: Solana Pay specification.
 */
export const solanaPayUrl = (terms: CheckoutTerms): string | undefined => {
  if (terms.network !== SOLANA_NETWORK) return undefined
  const query = [
    ["amount", formatUsd(BigInt(terms.amount))],
    ["spl-token", terms.asset],
    ["reference", referenceOf(terms.checkoutId)],
    ["label", "USDC checkout"],
    ["memo", terms.checkoutId]
  ] as const
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `solana:${terms.payTo}?${pairs.join("&")}`
}
