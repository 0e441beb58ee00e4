import type { Hex } from "viem"
import { pad } from "viem"
import { TRANSFER } from "../../../chain/evm-events.ts"
import type { EvmLog } from "../../../chain/evm-logs.ts"
import { ZERO_ADDRESS } from "../addresses.ts"
import { wordAt } from "../reads/query.ts"
import type { PoolKind } from "./pool.ts"

/** `Initialize(uint160,int24)`: once in the life of a pool of Uniswap V3's kind, before anybody can swap there. */
export const V3_INITIALIZE: Hex = "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95"
/**
 * `Initialize(PoolId indexed, Currency indexed, Currency indexed, uint24, int24, IHooks, uint160, int24)` of V4's
 * PoolManager: once in the life of a pool.
 */
export const V4_INITIALIZE: Hex = "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438"

const NOBODY = pad(ZERO_ADDRESS)
/** Who gets the LP tokens that are locked for ever with the first liquidity. */
const LOCKED_WITH: Readonly<Record<"v2" | "aerodrome-v2", Hex>> = {
  v2: NOBODY,
  "aerodrome-v2": pad("0x01")
}
const MINIMUM_LIQUIDITY = 1_000n

/**
 * Whether this event and the next are a V2-type pool's first liquidity, before which nothing can be swapped there: the
 * locked LP tokens, and at once those of whoever brought it. Later the same account may be given the same amount, but
 * then the pool tells its reserves next. Sources: Uniswap V2 `UniswapV2Pair.mint`, Aerodrome `Pool.mint`.
 */
export const isFirstMint = (
  kind: Extract<PoolKind, keyof typeof LOCKED_WITH>,
  { blockNumber, data, logIndex, topics: [event, from, to] }: EvmLog,
  next: EvmLog | undefined
): boolean =>
  event === TRANSFER &&
  from === NOBODY &&
  to === LOCKED_WITH[kind] &&
  wordAt(data, 0) === MINIMUM_LIQUIDITY &&
  next !== undefined &&
  next.blockNumber === blockNumber &&
  next.logIndex === logIndex + 1n &&
  next.topics[0] === TRANSFER &&
  next.topics[1] === NOBODY
