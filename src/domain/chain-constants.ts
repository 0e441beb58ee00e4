/** A file of its own, without schemas: an analysis thread loads it, and would load the whole of Effect with them. */

/** Circle's native USDC on Base (FiatTokenV2_2, 6 decimals). */
export const BASE_USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
/** Circle's native USDC on Solana (SPL Token, 6 decimals). */
export const SOLANA_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
/** EIP-155 chain id of Base mainnet. */
export const BASE_CHAIN_ID = 8453
