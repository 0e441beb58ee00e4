import type { Address } from "viem"
import type { MarketPair } from "../../../market/market-data.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { lower } from "../addresses.ts"
import { isV2, type Pool } from "./pool.ts"
import type { PoolState } from "./pool-state.ts"
import type { QuotePrice } from "./quote-prices.ts"
import { disagree } from "./quote-prices.ts"
import { withinReach } from "./sale-curve.ts"

/** Below this many USD on the quote side a pool prices nothing (negligible liquidity). */
const MIN_PRICED_USD = 100
/** A second pool this much smaller than the first may not put the price in dispute: dust would silence every token. */
const COMPARABLE_SHARE = 0.1

type Pricer = (quote: Address) => (QuotePrice & { readonly decimals: number }) | undefined

/** A pool priced at trusted quotes, deepest first. A quote that is not trusted, or is the token itself, is worth 0. */
export const pricePool = (
  state: PoolState,
  decimals: number,
  priceOf: Pricer
): Pool & Pick<PoolState, "tokenBalance"> => {
  const { ratio, ...pool } = state
  const price = state.quote === state.token ? undefined : priceOf(state.quote)
  if (price === undefined) return { ...pool, quoteUsd: 0, priceUsd: null }
  // Where it was measured what sellers meet, bids far below do not count.
  const reserve = Number(state.quoteReserve)
  const reached = state.curve === undefined ? reserve : withinReach(state.curve, reserve)
  const quoteUsd = Math.min((reached / 10 ** price.decimals) * price.usd, price.maxCreditUsd)
  const priceUsd = ratio === null ? null : ratio * 10 ** (decimals - price.decimals) * price.usd
  return {
    ...pool,
    quoteUsd,
    priceUsd: priceUsd !== null && Number.isFinite(priceUsd) && priceUsd > 0 ? priceUsd : null
  }
}

/** V2 pools hold both sides at one price; of the others only the quote that is really there is counted. */
const liquidityOf = (pool: Pool): number => (isV2(pool) ? 2 : 1) * pool.quoteUsd

/** USD over every pool against a trusted quote, rounded to cents. */
export const liquidityUsd = (pools: ReadonlyArray<Pool>): number =>
  Math.round(pools.reduce((sum, pool) => sum + liquidityOf(pool), 0) * 100) / 100

/** Whether the prices that could be compared agree. */
export interface PriceEvidence {
  /** USD per whole token; unknown when in dispute or when nothing of substance prices it. */
  readonly price: Fact<number>
  /** Largest relative difference seen between comparable sources, 0 to 1; null when there was only one. */
  readonly spread: number | null
}

const isPriced = (pool: Pool): pool is Pool & { readonly priceUsd: number } =>
  pool.priceUsd !== null && pool.quoteUsd >= MIN_PRICED_USD

const differenceOf = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b)

/** Market data's price of the very pool that prices the token, or of its largest pool if that one is not listed. */
const marketPrice = (pairs: ReadonlyArray<MarketPair>, pool: Pool): number | null => {
  const key = pool.v4?.poolId ?? pool.address
  const same = pairs.find(({ pairAddress }) => lower(pairAddress) === key)
  return same?.priceUsd ?? null
}

/** The token's price by its deepest trusted pool, checked against the second pool and against market data. */
export const priceEvidence = (
  pools: ReadonlyArray<Pool>,
  market: Fact<ReadonlyArray<MarketPair>>
): PriceEvidence => {
  const [best, ...rest] = pools.filter(isPriced).toSorted((a, b) => b.quoteUsd - a.quoteUsd)
  if (best === undefined)
    return { price: missing("no pool of substance against a trusted quote"), spread: null }
  const second = rest.find(({ quoteUsd }) => quoteUsd >= best.quoteUsd * COMPARABLE_SHARE)
  const others = [second?.priceUsd ?? null, market.known ? marketPrice(market.value, best) : null].filter(
    (price) => price !== null
  )
  const spread =
    others.length === 0 ? null : Math.max(...others.map((price) => differenceOf(best.priceUsd, price)))
  if (others.some((price) => disagree(best.priceUsd, price))) {
    return { price: missing("sources of the price disagree by more than 10 %"), spread }
  }
  return { price: known(best.priceUsd), spread }
}
