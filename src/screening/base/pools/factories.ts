import type { Address } from "viem"
import {
  EXCHANGE_ROWS,
  SLIPSTREAM_ROWS,
  UNISWAP_V3_POSITIONS_ROW,
  UNISWAP_V3_ROW
} from "./registry/exchanges.ts"

/** keccak256 of the Uniswap V3 pool's creation code (npm @uniswap/v3-periphery, PoolAddress.sol). */
export const UNISWAP_V3_POOL_CODE_HASH = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"
export const UNISWAP_V3_FACTORY: Address = UNISWAP_V3_ROW.address
/** Positions of the launchpads' lockers are NFTs of this contract. */
export const UNISWAP_V3_POSITIONS: Address = UNISWAP_V3_POSITIONS_ROW.address

export const AERODROME_FACTORY: Address = EXCHANGE_ROWS.aerodrome.address
export const SLIPSTREAM_FACTORIES: ReadonlyArray<Address> = SLIPSTREAM_ROWS.map(({ address }) => address)
export const SLIPSTREAM_SPACINGS: ReadonlyArray<number> = [1, 10, 50, 100, 200, 2000]

/** Uniswap V4. */
export const V4 = {
  poolManager: EXCHANGE_ROWS.poolManager.address,
  positionManager: EXCHANGE_ROWS.positionManager.address,
  stateView: EXCHANGE_ROWS.stateView.address
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
