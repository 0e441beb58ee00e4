import type { Address } from "viem"
import { lower } from "../addresses.ts"

/** Uniswap-V2-like factory: `getPair(a, b)`. `feePips` in hundredths of a basis point. */
export interface V2Factory {
  readonly dex: string
  readonly address: Address
  readonly feePips: number
}

/** Sources: Uniswap/sdks, npm sushi 7.3.15, npm @pancakeswap/smart-router, DefiLlama registries. */
export const V2_FACTORIES: ReadonlyArray<V2Factory> = [
  { dex: "uniswap-v2", address: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6", feePips: 3000 },
  { dex: "pancake-v2", address: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e", feePips: 2500 },
  { dex: "sushi-v2", address: lower("0x71524B4f93c58fcbF659783284E38825f0622859"), feePips: 3000 },
  { dex: "baseswap-v2", address: lower("0xFDa619b6d20975be80A10332cD39b9a4b0FAa8BB"), feePips: 2500 },
  // Alien Base. Its fee is below this; a fee taken for higher than it is asks a pool for too little, which it grants.
  { dex: "alienbase-v2", address: lower("0x3E84D913803b02A4a7f027165E8cA42C14C0FdE7"), feePips: 3000 }
]

/** Uniswap-V3-like factory: `getPool(a, b, fee)`. */
export interface V3Factory {
  readonly dex: string
  readonly address: Address
  readonly fees: ReadonlyArray<number>
}

export const UNISWAP_V3_FACTORY: Address = lower("0x33128a8fC17869897dcE68Ed026d694621f6FDfD")

/** Fees beside 100/500/3000/10000 were enabled on Base by Uniswap governance. */
export const V3_FACTORIES: ReadonlyArray<V3Factory> = [
  { dex: "uniswap-v3", address: UNISWAP_V3_FACTORY, fees: [100, 200, 300, 400, 500, 3000, 10000] },
  {
    dex: "pancake-v3",
    address: lower("0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865"),
    fees: [100, 500, 2500, 10000]
  },
  { dex: "sushi-v3", address: "0xc35dadb65012ec5796536bd9864ed8773abc74c4", fees: [100, 500, 3000, 10000] }
]

/** keccak256 of the Uniswap V3 pool's creation code (npm @uniswap/v3-periphery, PoolAddress.sol). */
export const UNISWAP_V3_POOL_CODE_HASH = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"

/** Aerodrome v1: `getPool(a, b, stable)`. Source: aerodrome-finance/contracts README. */
export const AERODROME_FACTORY: Address = lower("0x420DD381b31aEf6683db6B902084cB0FFECe40Da")

/** Slipstream: `getPool(a, b, int24 tickSpacing)`. Sources: aerodrome-finance/slipstream README, DefiLlama aerodrome-CL. */
export const SLIPSTREAM_FACTORIES: ReadonlyArray<Address> = [
  lower("0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A"),
  lower("0xaDe65c38CD4849aDBA595a4323a8C7DdfE89716a"),
  lower("0xf8f2eB4940CFE7d13603DDDD87f123820Fc061Ef"),
  lower("0x9592CD9B267748cbfBDe90Ac9F7DF3c437A6d51B")
]
export const SLIPSTREAM_SPACINGS: ReadonlyArray<number> = [1, 10, 50, 100, 200, 2000]

/** Uniswap V4. Source: Uniswap/docs v4 deployments. */
export const V4 = {
  poolManager: lower("0x498581ff718922c3f8e6a244956af099b2652b2b"),
  positionManager: lower("0x7c5f5a4bbd8fd63184577525326123b519429bdc"),
  stateView: lower("0xa3c0c9b65bad0b08107aa264b0f3db444b867a71")
} as const

/** Fee and tick spacing of the hookless pools people make by hand. */
export const V4_HOOKLESS: ReadonlyArray<{ readonly fee: number; readonly tickSpacing: number }> = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 3000, tickSpacing: 60 },
  { fee: 10000, tickSpacing: 200 }
]

/** The fee field of a pool whose hook sets the fee. */
export const V4_DYNAMIC_FEE = 0x800000
/** Positions of the launchpads' lockers are NFTs of this contract. */
export const UNISWAP_V3_POSITIONS: Address = lower("0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1")
