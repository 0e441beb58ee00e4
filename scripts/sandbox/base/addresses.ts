/** Where the contracts stand on Base mainnet, and therefore here. */
import type { Address } from "viem"
import { BASE_USDC } from "../../../src/domain/chain.ts"

export const USDC: Address = BASE_USDC
export const WETH: Address = "0x4200000000000000000000000000000000000006"
export const MULTICALL3: Address = "0xcA11bde05977b3631167028862bE2a173976CA11"
export const ETH_USD_FEED: Address = "0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70"
export const V2_FACTORY: Address = "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6"
export const V2_ROUTER: Address = "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24"
export const V3_FACTORY: Address = "0x33128a8fC17869897dcE68Ed026d694621f6FDfD"
/** The usual burn address: nobody has its key. */
export const BURN: Address = "0x000000000000000000000000000000000000dEaD"
/** The ERC-1271 wallet of the sandbox. */
export const SMART_WALLET: Address = "0x1271127112711271127112711271127112711271"
/** Holds the sandbox's V3 position for good. */
export const V3_MINTER: Address = "0x3333333333333333333333333333333333333333"
