import type { Fact } from "../../../domain/fact.ts"
import { known, mapFact, missing } from "../../../domain/fact.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { SOL_USDC_POOLS, TRUSTED_QUOTES, USDC, WSOL } from "../addresses.ts"
import { canonicalPumpSwap, pumpCurve } from "../reads/pdas.ts"
import { decodePool } from "./decode.ts"
import type { DecodedPool } from "./decoded-pool.ts"
import { decodeBondingCurve } from "./layouts/pump.ts"
import type { PoolDepth } from "./reserves.ts"
import { depthOf, rawPriceOf } from "./reserves.ts"

/** Sources of one price may differ by this share before it counts as disputed. */
export const MAX_DISAGREEMENT = 0.1

/** Market data's SOL pools below this many dollars on the quote side do not price SOL. */
const MIN_SOL_POOL_USD = 10_000

/** Relative difference of two positive prices, 0 to 1. */
export const differenceOf = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b)

const chainPrices = (book: AccountBook): ReadonlyArray<number> =>
  SOL_USDC_POOLS.flatMap((address) => {
    const pool = decodePool(address, book.get(address) ?? null, WSOL)
    // 9 decimals of SOL over 6 of USDC.
    return pool?.reserves.kind === "range" && pool.reserves.liquidity > 0 && pool.quoteMint === USDC
      ? [pool.reserves.rawPrice * 1000]
      : []
  })

const isDollar = (mint: string | null): boolean =>
  mint !== null && TRUSTED_QUOTES.get(mint)?.isDollar === true

/** SOL's price by the deepest dollar pool that market data lists for it. */
const marketSolPrice = (pairs: ReadonlyArray<MarketPair>): number | null =>
  pairs
    .filter(
      ({ liquidityQuote, quoteAddress }) =>
        isDollar(quoteAddress) && (liquidityQuote ?? 0) >= MIN_SOL_POOL_USD
    )
    .toSorted((a, b) => (b.liquidityQuote ?? 0) - (a.liquidityQuote ?? 0))
    .map(({ priceUsd }) => priceUsd)
    .find((price) => price !== null) ?? null

/**
 * The SOL price market data itself used for the token's deepest SOL pool: its dollar price over its reserves' ratio, where
 * nothing else prices SOL. Of pools that are not constant-product whoever makes one chooses the ratio: they tell nothing.
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

/** Pools that trade at the ratio of what their two vaults hold. */
export const tradesAtItsRatio = ({ reserves }: DecodedPool): boolean =>
  reserves.kind === "vaults" && reserves.virtualQuote === 0n

/**
 * USD per SOL: the chain's deep pools first, then market data; unknown when any two differ by more than 10 %.
 * @param tokenPairs the token's own pairs, those of pools that trade at their ratio alone
 */
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

/** What a quote token is worth. */
export interface QuoteValue {
  readonly decimals: number
  /** USD per whole token; unknown where SOL has no price. */
  readonly usd: Fact<number>
  /** USD that so many smallest units would fetch; less than amount times price where the quote's own pool is thin. */
  readonly worth: (units: number, usd: number) => number
  /** Another coin, whose own pool gives it its worth. */
  readonly isCoin: boolean
}

const PUMP_DECIMALS = 6

/**
 * The pool in which a pump.fun coin trades against a trusted quote: its curve, then the one the curve has migrated to. Coins
 * may be quoted in coins, but those in no others.
 */
export const coinPool = (mint: SolanaAddress, book: AccountBook): DecodedPool | null => {
  const curve = decodeBondingCurve(book.get(pumpCurve(mint)) ?? null, null)
  if (curve === null || !TRUSTED_QUOTES.has(curve.quoteMint)) return null
  const { pool: address } = canonicalPumpSwap(mint, curve.quoteMint)
  return curve.pool ?? decodePool(address, book.get(address) ?? null, mint)
}

export const coinDepth = (mint: SolanaAddress, book: AccountBook): PoolDepth | null => {
  const pool = coinPool(mint, book)
  return pool === null ? null : depthOf(pool, mint, book, 0)
}

/** What coins that are quotes trade against, but for the rest of the trusted ones. */
const QUOTES_OF_COINS = [WSOL, USDC]

/** Accounts that tell what a coin is worth as a quote, and of how many. Empty for those that are trusted by themselves. */
export const quoteAccounts = (mint: SolanaAddress): ReadonlyArray<SolanaAddress> => {
  if (TRUSTED_QUOTES.has(mint)) return []
  const pools = QUOTES_OF_COINS.map((quote) => canonicalPumpSwap(mint, quote))
  return [mint, pumpCurve(mint), ...pools.flatMap(({ lpMint, pool, vaults }) => [pool, lpMint, ...vaults])]
}

const coinValue = (mint: SolanaAddress, sol: Fact<number>, book: AccountBook): QuoteValue | null => {
  const depth = coinDepth(mint, book)
  const quote = TRUSTED_QUOTES.get(coinPool(mint, book)?.quoteMint ?? "")
  if (quote === undefined || depth === null || depth.token === 0 || depth.real === 0) return null
  const perUnit = rawPriceOf(depth)
  const price = quote.isDollar ? known(1) : sol
  return {
    decimals: PUMP_DECIMALS,
    usd: mapFact(price, (usd) => perUnit * 10 ** (PUMP_DECIMALS - quote.decimals) * usd),
    worth: (units) => {
      const paid = Math.min(depth.real, (depth.quote * units) / (depth.token + units))
      return price.known ? (paid / 10 ** quote.decimals) * price.value : 0
    },
    isCoin: true
  }
}

/** Null where nothing trusted says what the quote is worth. */
export const quoteValue = (
  mint: SolanaAddress | null,
  sol: Fact<number>,
  book: AccountBook
): QuoteValue | null => {
  if (mint === null) return null
  const quote = TRUSTED_QUOTES.get(mint)
  if (quote === undefined) return coinValue(mint, sol, book)
  const { decimals } = quote
  return {
    decimals,
    usd: quote.isDollar ? known(1) : sol,
    worth: (units, usd) => (units / 10 ** decimals) * usd,
    isCoin: false
  }
}
