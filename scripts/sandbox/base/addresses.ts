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

export const V3_POSITIONS: Address = "0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1"
export const V3_ROUTER: Address = "0x2626664c2603336E57B271c5C0b26F421741e481"
export const PERMIT2: Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
export const UNIVERSAL_ROUTER: Address = "0x6fF5693b99212Da76ad316178A184AB56D299b43"
export const V4_MANAGER: Address = "0x498581fF718922c3f8e6A244956aF099B2652b2b"
export const V4_POSITIONS: Address = "0x7C5f5A4bBd8fD63184577525326123B519429bDc"
export const V4_STATE_VIEW: Address = "0xA3c0c9b65baD0b08107Aa264b0f3dB444b867A71"
export const SLIPSTREAM_FACTORY: Address = "0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A"
export const SLIPSTREAM_POSITIONS: Address = "0x827922686190790b37229fd06084350E74485b72"
export const SLIPSTREAM_ROUTER: Address = "0xBE6D8f0d05cC4be24d5167a3eF062215bE6D18a5"
export const AERODROME_VOTER: Address = "0x16613524e02ad97eDfeF371bC883F2F5d6C480A5"
export const PANCAKE_V3_FACTORY: Address = "0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865"
export const PANCAKE_V3_DEPLOYER: Address = "0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9"
/** Gauge of the Slipstream pools here, wherever Aerodrome would create one. */
export const SLIPSTREAM_GAUGE: Address = "0x6a0ce06a6a0ce06a6a0ce06a6a0ce06a6a0ce06a"
/** Hooks stand where their address says truly what they may do: afterSwap with a delta; afterInitialize. */
export const ONE_PERCENT_HOOK: Address = "0x1001001001001001001001001001001001000044"
export const OWNER_FEE_HOOK: Address = "0x2002002002002002002002002002002002001000"
