import { getBase58Decoder } from "@solana/kit"
import { createHash } from "node:crypto"
import { SOLANA_NETWORK } from "../../domain/chain.ts"
import type { CheckoutTerms } from "../../domain/checkout.ts"
import { formatUsd } from "../../domain/money.ts"

const base58 = getBase58Decoder()

const digest = (label: string, checkoutId: string): Buffer =>
  createHash("sha256").update(`${label}|${checkoutId}`).digest()

/**
 * What a payment carries on chain as its memo. It names one order and leads nobody from the chain to the order's page,
 * whose address holds the checkout's id.
 */
export const memoCodeOf = (checkoutId: string): string =>
  `order_${digest("token-risk-checkout-memo:v1", checkoutId).subarray(0, 16).toString("hex")}`

/**
 * Key a wallet adds to its transfer so that it can be found on chain. Nobody holds a private key to it.
 * Source: Solana Pay specification, `reference`.
 */
export const referenceOf = (checkoutId: string): string =>
  base58.decode(digest("token-risk-checkout-reference:v1", checkoutId))

/** Key a prepared refund carries, so that it is found without reading through the merchant's account. */
export const refundReferenceOf = (refundId: string): string =>
  base58.decode(digest("token-risk-refund-reference:v1", refundId))

/** The memo of these terms: the order's code, or the checkout's id in terms of before there was one. */
export const memoOfTerms = ({ checkoutId, extra }: CheckoutTerms): string => {
  const memo = extra["memo"]
  return typeof memo === "string" ? memo : checkoutId
}

/**
 * The transfer request a wallet's QR scanner understands; `undefined` on Base. The memo is that of the x402 terms, so
 * that a transfer names one order whoever sends it; the merchant's own text stays out, wallets would show it as ours.
 * `due` is what is still missing, in smallest units. Source: Solana Pay specification.
 */
export const solanaPayUrl = (terms: CheckoutTerms, due = BigInt(terms.amount)): string | undefined => {
  if (terms.network !== SOLANA_NETWORK) return undefined
  const query = [
    ["amount", formatUsd(due)],
    ["spl-token", terms.asset],
    ["reference", referenceOf(terms.checkoutId)],
    ["label", "USDC checkout"],
    ["memo", memoOfTerms(terms)]
  ] as const
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `solana:${terms.payTo}?${pairs.join("&")}`
}
