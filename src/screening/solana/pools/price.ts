import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import type { PoolFact } from "./pool-fact.ts"
import { differenceOf, MAX_DISAGREEMENT } from "./quote-price.ts"

/** Below this many USD on the quote side a pool prices nothing. */
export const MIN_PRICED_USD = 100
/** A pool this much smaller than the deepest cannot put the price in dispute: dust would silence every token. */
const COMPARABLE_SHARE = 0.1

export interface PriceFacts {
  /** USD per whole token. */
  readonly usd: Fact<number>
  /** Largest relative difference seen between comparable sources, 0 to 1; null when only one source priced it. */
  readonly spread: number | null
}

type PricedPool = PoolFact & { readonly priceUsd: number; readonly quoteUsd: number }

const isPriced = (pool: PoolFact): pool is PricedPool =>
  pool.priceUsd !== null && pool.quoteUsd !== null && pool.quoteUsd >= MIN_PRICED_USD

/**
 * The price of the deepest pool that holds both sides, checked against every comparable pool and against market data's
 * price of the same pool. Bids alone cost nobody anything, whatever their price, so they price nothing: whoever offers the
 * token is then elsewhere, at a price that nobody here knows. RugCheck's price is no second source: it was recorded two orders of magnitude off.
 */
export const priceFacts = (
  pools: ReadonlyArray<PoolFact>,
  market: Fact<ReadonlyArray<MarketPair>>
): PriceFacts => {
  const [best, ...rest] = pools
    .filter(isPriced)
    .toSorted((a, b) => Number(b.isTwoSided) - Number(a.isTwoSided) || b.quoteUsd - a.quoteUsd)
  if (best === undefined)
    return { usd: missing("no pool of substance against a trusted quote"), spread: null }
  if (!best.isTwoSided) return { usd: missing("no pool that was read offers the token"), spread: null }
  const comparable = rest.filter(
    ({ isTwoSided, quoteUsd }) => isTwoSided && quoteUsd >= best.quoteUsd * COMPARABLE_SHARE
  )
  const listed = market.known
    ? market.value.find(({ pairAddress }) => pairAddress === best.address)?.priceUsd
    : null
  const others = [...comparable.map(({ priceUsd }) => priceUsd), ...(listed == null ? [] : [listed])]
  const spread =
    others.length === 0 ? null : Math.max(...others.map((price) => differenceOf(best.priceUsd, price)))
  return spread !== null && spread > MAX_DISAGREEMENT
    ? { usd: missing("sources of the price disagree by more than 10 %"), spread }
    : { usd: known(best.priceUsd), spread }
}

/** Bids this far below the market's price are not liquidity that anybody sells into. */
const REACHABLE = 0.5

/** Pools whose quote a seller would reach near the market's price; the others count nothing. */
export const withinReach = (pools: ReadonlyArray<PoolFact>): ReadonlyArray<PoolFact> => {
  const [best] = pools
    .filter(isPriced)
    .toSorted((a, b) => Number(b.isTwoSided) - Number(a.isTwoSided) || b.quoteUsd - a.quoteUsd)
  if (best === undefined) return pools
  return pools.map((pool) =>
    pool.priceUsd === null || pool.priceUsd >= best.priceUsd * REACHABLE
      ? pool
      : { ...pool, quoteUsd: 0, liquidityUsd: 0, priceUsd: null, depth: null }
  )
}
