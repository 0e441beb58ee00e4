import type { PoolKind } from "../../pools/decoded-pool.ts"
import { clmmSwap, whirlpoolSwap } from "./concentrated.ts"
import { dammV1Swap, dammV2Swap, dbcSwap, dlmmSwap } from "./meteora.ts"
import { pumpCurveSwap, pumpSwapSwap } from "./pump.ts"
import { ammV4Swap, cpmmSwap, launchLabSwap } from "./raydium.ts"
import type { Swap, SwapBuilder, SwapPlace } from "./swap.ts"

const BUILDERS: Partial<Record<PoolKind, SwapBuilder>> = {
  "pump-curve": pumpCurveSwap,
  pumpswap: pumpSwapSwap,
  "raydium-amm-v4": ammV4Swap,
  "raydium-cpmm": cpmmSwap,
  "raydium-clmm": clmmSwap,
  "raydium-launchlab": launchLabSwap,
  "orca-whirlpool": whirlpoolSwap,
  "meteora-dlmm": dlmmSwap,
  "meteora-damm-v1": dammV1Swap,
  "meteora-damm-v2": dammV2Swap,
  "meteora-dbc": dbcSwap
}

/** How to trade in this pool; null where this kind of pool has no instructions here, or not enough was read. */
export const swapOf = (place: SwapPlace): Swap | null => {
  try {
    return BUILDERS[place.pool.kind]?.(place) ?? null
  } catch (error) {
    // An account cut short: its bytes end before a field the instruction needs.
    if (error instanceof RangeError) return null
    throw error
  }
}
