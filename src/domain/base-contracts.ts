import type { Address } from "viem"

/** Contracts of Base that several rooms call, lower case. Nothing is imported but a type: an analysis thread may load it. */

/** The canonical Multicall3, at one address on every chain. Source: github.com/mds1/multicall3. */
export const MULTICALL3: Address = "0xca11bde05977b3631167028862be2a173976ca11"
/** Chainlink's ETH/USD, 8 decimals, heartbeat 1200 s. Source: Chainlink's reference data directory for Base. */
export const ETH_USD_FEED: Address = "0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70"
/** The SequencerFeeVault: the `block.coinbase` of every real block. Source: ethereum-optimism/specs, predeploys. */
export const SEQUENCER_FEE_VAULT: Address = "0x4200000000000000000000000000000000000011"
/** Uniswap's SwapRouter02. Source: Uniswap docs, Base deployments. */
export const SWAP_ROUTER_02: Address = "0x2626664c2603336e57b271c5c0b26f421741e481"
/** Moves tokens only on their owner's signature, at one address on every chain. Source: Uniswap docs, Base deployments. */
export const PERMIT2: Address = "0x000000000022d473030f116ddee9f6b43ac78ba3"
/**
 * Routers of the exchanges whose pools keep a product. Sources: Uniswap docs, aerodrome-finance/contracts README, npm sushi
 * and @pancakeswap/smart-router.
 */
export const PRODUCT_ROUTERS = {
  uniswap: "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
  pancake: "0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb",
  sushi: "0x6bded42c6da8fbf0d2ba55b2fa120c5e0c8d7891",
  aerodrome: "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43"
} as const satisfies Readonly<Record<string, Address>>
