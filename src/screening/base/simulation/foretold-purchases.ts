import type { Pool } from "../pools/pool.ts"
import type { Dice } from "./dice.ts"
import { type Holdings, otherStake, walletStake, whaleStake } from "./wallet-story.ts"

/** What stands on either side of a pool, in smallest units. */
interface Reserves {
  readonly quote: bigint
  readonly token: bigint
}

/** What a purchase brings, and what stands in the pool after it. */
interface Purchase {
  readonly bought: bigint
  readonly left: Reserves
}

/** How a pool that keeps a constant product pays for an amount of its quote. */
type Formula = (reserves: Reserves, stake: bigint) => Purchase

const MILLION = 1_000_000n

/** Uniswap V2 and its forks: the fee stays in the pool. Source: Uniswap/v2-periphery UniswapV2Library.getAmountOut. */
const paidByV2 =
  (feePips: bigint): Formula =>
  ({ quote, token }, stake) => {
    const kept = stake * (MILLION - feePips)
    const bought = (kept * token) / (quote * MILLION + kept)
    return { bought, left: { quote: quote + stake, token: token - bought } }
  }

/** Aerodrome's volatile pools: the fee is cut from what comes in, and leaves. Source: aerodrome-finance/contracts Pool. */
const paidByAerodrome =
  (feePips: bigint): Formula =>
  ({ quote, token }, stake) => {
    const kept = stake - (stake * feePips) / MILLION
    const bought = (kept * token) / (quote + kept)
    return { bought, left: { quote: quote + kept, token: token - bought } }
  }

/** Null where what a pool pays does not follow from its reserves and a fee that was read. */
const formulaOf = ({ feePips, feeUnread, kind, stable }: Pool): Formula | null => {
  if (feeUnread === true) return null
  if (kind === "v2") return paidByV2(BigInt(feePips))
  return kind === "aerodrome-v2" && stable !== true ? paidByAerodrome(BigInt(feePips)) : null
}

/** What purchases bring, one after another in the same pool; null where that cannot be foretold. */
export const foretellPurchases = (
  pool: Pool,
  stakes: ReadonlyArray<bigint>
): ReadonlyArray<bigint> | null => {
  const formula = formulaOf(pool)
  if (formula === null) return null
  let reserves: Reserves = { quote: pool.quoteReserve, token: pool.tokenReserve }
  return stakes.map((stake) => {
    const { bought, left } = formula(reserves, stake)
    reserves = left
    return bought
  })
}

/**
 * What the buyers of a story will hold of a token without tax or limits; null where that cannot be foretold, or where the
 * wallet would get nothing. A forecast: what is asked by it counts only where the purchases turned out so.
 */
export const foretellHoldings = (dice: Dice, pools: ReadonlyArray<Pool>): Holdings | null => {
  const [best, ...rest] = pools
  if (best === undefined) return null
  const [wallet = 0n, whale = 0n] =
    foretellPurchases(best, [walletStake(dice, best), whaleStake(dice, best)]) ?? []
  const others = rest.flatMap(
    (pool, index) => foretellPurchases(pool, [otherStake(dice, pool, index)])?.[0] ?? []
  )
  return wallet === 0n || others.length < rest.length ? null : { wallet, whale, others }
}

export const isSame = (a: Holdings, b: Holdings): boolean =>
  a.wallet === b.wallet &&
  a.whale === b.whale &&
  a.others.length === b.others.length &&
  a.others.every((amount, index) => amount === b.others[index])
