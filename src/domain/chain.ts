import { Schema } from "effect"
import { rule } from "./rule.ts"
import { BASE_CHAIN_ID, BASE_USDC, SOLANA_USDC } from "./chain-constants.ts"

export { BASE_CHAIN_ID, BASE_USDC, SOLANA_USDC }

/** A chain the service screens tokens on and takes payment on. */
export const Chain = Schema.Literal("solana", "base").annotations({
  identifier: "Chain",
  description: "The chain the token lives on.",
  // Overrides what each of the two literals would say by itself.
  message: () => ({ message: rule('must be "solana" or "base"'), override: true })
})
export type Chain = typeof Chain.Type

/** CAIP-2 identifier of Base mainnet. */
export const BASE_NETWORK = "eip155:8453"
/** CAIP-2 identifier of Solana mainnet: the first 32 characters of its genesis hash. */
export const SOLANA_NETWORK = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"

/** A CAIP-2 network the service takes payment on. */
export const Network = Schema.Literal(BASE_NETWORK, SOLANA_NETWORK)
export type Network = typeof Network.Type

/** The CAIP-2 network of a chain. */
export const networkOf = (chain: Chain): Network => (chain === "base" ? BASE_NETWORK : SOLANA_NETWORK)
/** The chain of a network. */
export const chainOf = (network: Network): Chain => (network === BASE_NETWORK ? "base" : "solana")

/**
 * Seconds from its blockhash on in which a transaction on Solana can land where slots are shortest: 150 blocks of 200
 * milliseconds. Longer where blocks take longer: what must be over by then waits for the chain to say so.
 */
export const SOLANA_VALIDITY_SECONDS = 30

/** The EIP-712 domain of USDC on Base, as its contract has it. */
export const BASE_USDC_DOMAIN: Readonly<Record<string, unknown>> = { name: "USD Coin", version: "2" }

/** The contract of USDC on Base, or its mint on Solana. */
export const usdcOf = (network: Network): string => (network === BASE_NETWORK ? BASE_USDC : SOLANA_USDC)
