/**
 * What others say lies in pools. It decides where to look first, and that what an address they call a pool holds is nobody's
 * whom we could name: what is wrong there costs certainty, never caution.
 */
import type { MarketPair, RugCheckMarket } from "../../../market/market-data.ts"
import type { Reads } from "../reads/reads.ts"
import { TRUSTED_QUOTES } from "../addresses.ts"

/** Dollars per SOL that only rank pools: which of two quotes weighs more need not be exact. */
export const ROUGH_SOL = 150

/**
 * Dollars of both sides, as if the token's were worth what the quote's is: whoever makes a pool can fill its other side
 * with the token, and market data takes that at the price which he has set there. Null where it gives no figure.
 */
const figureOf = ({ liquidityQuote, liquidityUsd, quoteAddress }: MarketPair): number | null => {
  const quote = TRUSTED_QUOTES.get(quoteAddress ?? "")
  if (quote === undefined || liquidityQuote === null) return liquidityUsd
  const most = 2 * liquidityQuote * (quote.isDollar ? 1 : ROUGH_SOL)
  return Math.min(liquidityUsd ?? most, most)
}

export const saidOfPair = (pair: MarketPair): number => figureOf(pair) ?? 0

export const saidOfMarket = ({ quoteUsd }: RugCheckMarket): number => 2 * (quoteUsd ?? 0)

/** Dollars in each pool by market data, or, where that gives no figure, by RugCheck. */
export const saidUsd = ({
  market,
  rugCheck
}: Pick<Reads, "market" | "rugCheck">): ReadonlyMap<string, number> => {
  const said = new Map(
    (rugCheck.known ? (rugCheck.value?.markets ?? []) : []).map(
      (one) => [one.pubkey, saidOfMarket(one)] as const
    )
  )
  for (const pair of market.known ? market.value : [])
    said.set(pair.pairAddress, figureOf(pair) ?? said.get(pair.pairAddress) ?? 0)
  return said
}
