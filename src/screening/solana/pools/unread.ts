/** Pools that market data knows and nobody here has read: of exchanges not known here, or not shown by the node. */
import { isSolanaAddress } from "../../../domain/address.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import { program, TRUSTED_QUOTES } from "../addresses.ts"
import type { Reads } from "../reads/reads.ts"
import { poolsOf } from "./found.ts"

/** Programs whose curves end: what market data still says of an ended one is over. */
const ENDING: ReadonlySet<string> = new Set([
  program.pumpCurve,
  program.raydiumLaunchLab,
  program.meteoraDbc,
  program.moonshot
])

/** USD of trusted quote that market data names in a pool: nothing where it names none, null where that has no price. */
const quoteUsdOf = ({ liquidityQuote, quoteAddress }: MarketPair, sol: Fact<number>): number | null => {
  const quote = quoteAddress === null ? undefined : TRUSTED_QUOTES.get(quoteAddress)
  if (quote === undefined || liquidityQuote === null || liquidityQuote === 0) return 0
  if (quote.isDollar) return liquidityQuote
  return sol.known ? liquidityQuote * sol.value : null
}

/** USD of trusted quote, by market data, in pools that were not read; nothing where market data is silent. */
export const unreadUsd = (
  reads: Pick<Reads, "book" | "candidates" | "derived" | "market">,
  mint: SolanaAddress,
  sol: Fact<number>
): Fact<number> => {
  if (!reads.market.known) return known(0)
  const read = new Set<string>(poolsOf(reads, mint).map(([address]) => address))
  const hasEnded = (address: string): boolean => {
    const account = isSolanaAddress(address) ? reads.book.get(address) : null
    return account != null && ENDING.has(account.owner)
  }
  const amounts = reads.market.value
    .filter(({ pairAddress }) => !read.has(pairAddress) && !hasEnded(pairAddress))
    .map((pair) => quoteUsdOf(pair, sol))
  const priced = amounts.filter((amount) => amount !== null)
  return priced.length < amounts.length
    ? missing("SOL has no price")
    : known(priced.reduce((sum, amount) => sum + amount, 0))
}
