import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { SOL_USDC_POOLS, TRUSTED_QUOTES, USDC, WSOL } from "../addresses.ts"
import { decodePool } from "./decode.ts"

/** Sources of one price may differ by this share before it counts as disputed (decisions 5). */
export const MAX_DISAGREEMENT = 0.1

/** Market data's SOL pools below this many dollars on the quote side do not price SOL. */
const MIN_SOL_POOL_USD = 10_000

/** Relative difference of two positive prices, 0 to 1. */
export const differenceOf = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b)

const chainPrices = (book: AccountBook): ReadonlyArray<number> =>
  SOL_USDC_POOLS.flatMap((address) => {
    const pool = decodePool(book.get(address) ?? null, WSOL)
    // 9 decimals of SOL over 6 of USDC.
    return pool?.rawPrice != null && pool.quoteMint === USDC ? [pool.rawPrice * 1000] : []
  })

const isDollar = (mint: string | null): boolean =>
  mint !== null && TRUSTED_QUOTES.get(mint)?.isDollar === true

/** SOL's price by the deepest dollar pool that market data lists for it. */
export const marketSolPrice = (pairs: ReadonlyArray<MarketPair>): number | null =>
  pairs
    .filter(
      ({ liquidityQuote, quoteAddress }) =>
        isDollar(quoteAddress) && (liquidityQuote ?? 0) >= MIN_SOL_POOL_USD
    )
    .toSorted((a, b) => (b.liquidityQuote ?? 0) - (a.liquidityQuote ?? 0))
    .map(({ priceUsd }) => priceUsd)
    .find((price) => price !== null) ?? null

/**
 * The SOL price market data itself used for the token's deepest SOL pool: its dollar price over its reserves' ratio.
 * Only where nothing else prices SOL, because for pools that are not constant-product the ratio is only near the price.
 */
const impliedSolPrice = (pairs: ReadonlyArray<MarketPair>): number | null => {
  const [deepest] = pairs
    .filter((pair) => pair.quoteAddress === WSOL)
    .toSorted((a, b) => (b.liquidityQuote ?? 0) - (a.liquidityQuote ?? 0))
  const { liquidityBase, liquidityQuote, priceUsd } = deepest ?? {}
  if (!liquidityBase || !liquidityQuote || !priceUsd) return null
  const price = (priceUsd * liquidityBase) / liquidityQuote
  return Number.isFinite(price) && price > 0 ? price : null
}

/** USD per SOL: the chain's deep pools first, then market data; unknown when any two differ by more than 10 %. */
export const solPrice = (
  book: AccountBook,
  solPairs: Fact<ReadonlyArray<MarketPair>>,
  tokenPairs: Fact<ReadonlyArray<MarketPair>>
): Fact<number> => {
  const market = solPairs.known ? marketSolPrice(solPairs.value) : null
  const prices = [...chainPrices(book), ...(market === null ? [] : [market])]
  const [first] = prices
  if (first !== undefined) {
    return differenceOf(Math.min(...prices), Math.max(...prices)) > MAX_DISAGREEMENT
      ? missing("sources of the SOL price disagree by more than 10 %")
      : known(first)
  }
  const implied = tokenPairs.known ? impliedSolPrice(tokenPairs.value) : null
  return implied === null ? missing("no source priced SOL") : known(implied)
}

/** USD per whole quote token and its decimals; null where the quote is not trusted, unknown where SOL has no price. */
export interface QuoteValue {
  readonly decimals: number
  readonly usd: Fact<number>
}

export const quoteValue = (mint: string | null, sol: Fact<number>): QuoteValue | null => {
  const quote = mint === null ? undefined : TRUSTED_QUOTES.get(mint)
  if (quote === undefined) return null
  return { decimals: quote.decimals, usd: quote.isDollar ? known(1) : sol }
}
