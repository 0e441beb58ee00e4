/**
 * Pools that nobody here has read: of exchanges not known here, or not shown by the node, by what market data knows of them;
 * and those that nobody names at all, by the tokens in their vaults.
 */
import { isWallet } from "../../../chain/program-address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, mapFact, missing } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import {
  BURN_ADDRESSES,
  POOL_AUTHORITIES,
  POOL_PROGRAMS,
  program,
  PROTOCOL_AUTHORITIES,
  TRUSTED_QUOTES
} from "../addresses.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import type { Reads } from "../reads/reads.ts"
import { poolsOf } from "./found.ts"
import type { PoolFact } from "./pool-fact.ts"
import { hasEnded } from "./spent.ts"

/** Programs of curves: what they hold of the token says nothing of what they hold of the quote. */
const CURVES: ReadonlySet<string> = new Set([
  program.pumpCurve,
  program.raydiumLaunchLab,
  program.meteoraDbc,
  program.moonshot
])

type Sources = Pick<Reads, "book" | "candidates" | "derived" | "largest" | "market" | "rugCheck">

/**
 * USD of quote that market data names in a pool. Of a quote that is trusted, or that it does not name, at most all that it
 * says of both sides, where it leaves out how much of the quote there is. Of another quote nothing. Null where SOL has no
 * price, `undefined` where market data gives no figure.
 */
const quoteUsdOf = (
  { liquidityQuote, liquidityUsd, quoteAddress }: MarketPair,
  sol: Fact<number>
): number | null | undefined => {
  const quote = TRUSTED_QUOTES.get(quoteAddress ?? "")
  if (quote === undefined && quoteAddress !== null) return 0
  if (quote === undefined || liquidityQuote === null) return liquidityUsd ?? undefined
  if (quote.isDollar || liquidityQuote === 0) return liquidityQuote
  return sol.known ? liquidityQuote * sol.value : null
}

type SaidQuote = readonly [pool: string, usd: number | null]

/** By RugCheck: the side of the quote, or the other one, which is worth about as much. */
const saidByRugCheck = ({ rugCheck }: Pick<Sources, "rugCheck">): ReadonlyArray<SaidQuote> =>
  (rugCheck.known ? (rugCheck.value?.markets ?? []) : []).map(({ baseUsd, pubkey, quoteUsd }) => [
    pubkey,
    quoteUsd ?? baseUsd ?? 0
  ])

/**
 * USD of quote in each pool: of trusted ones by market data, or, where that is silent or gives a pool no figure, of any by
 * RugCheck. Nothing where both are.
 */
const saidQuotes = (sources: Sources, sol: Fact<number>): ReadonlyArray<SaidQuote> => {
  const others = saidByRugCheck(sources)
  if (!sources.market.known) return others
  const byPool = new Map(others)
  return sources.market.value.map((pair) => {
    const usd = quoteUsdOf(pair, sol)
    return [pair.pairAddress, usd === undefined ? (byPool.get(pair.pairAddress) ?? 0) : usd]
  })
}

/** The same in all pools that were not read. */
const saidUnread = (reads: Sources, read: ReadonlySet<string>, sol: Fact<number>): Fact<number> => {
  const isOver = (address: string): boolean => {
    const account = isSolanaAddress(address) ? reads.book.get(address) : null
    return account != null && hasEnded(account)
  }
  const amounts = saidQuotes(reads, sol).flatMap(([address, usd]) =>
    read.has(address) || isOver(address) ? [] : [usd]
  )
  const priced = amounts.filter((amount) => amount !== null)
  return priced.length < amounts.length
    ? missing("SOL has no price")
    : known(priced.reduce((sum, amount) => sum + amount, 0))
}

/** Whether an address only a program can sign for, of which the node shows nothing, may be a pool that it hides. */
const mayBeHidden = (owner: SolanaAddress, book: AccountBook): boolean =>
  !isWallet(owner) &&
  book.get(owner) == null &&
  !BURN_ADDRESSES.has(owner) &&
  !PROTOCOL_AUTHORITIES.has(owner)

/**
 * Smallest units in vaults of pools that were not read, among the largest accounts. Lending vaults are no pools, and the
 * vaults of curves say nothing of what lies on their other side.
 */
const tokensUnread = (
  { book, largest, market, rugCheck }: Sources,
  read: ReadonlySet<string>,
  vaults: ReadonlySet<string>
) => {
  // Whoever lists a token's pools would have named it.
  const isUntold = !market.known && !rugCheck.known
  return (largest.known ? largest.value : []).reduce((sum, { address, amount }) => {
    const owner = decodeTokenAccount(book.get(address) ?? null)?.owner
    if (owner === undefined || vaults.has(address) || read.has(owner)) return sum
    const ownerProgram = book.get(owner)?.owner ?? ""
    const isPools =
      POOL_AUTHORITIES.has(owner) ||
      (isUntold && mayBeHidden(owner, book)) ||
      (POOL_PROGRAMS.has(ownerProgram) && !CURVES.has(ownerProgram) && ownerProgram !== program.meteoraVault)
    return isPools ? sum + Number(amount) : sum
  }, 0)
}

/**
 * USD of quote in pools that were not read: what market data names there, or, where that is more, what their vaults' tokens
 * are worth, as pools hold about as much of both.
 * @param worth USD per smallest unit of the token
 */
export const unreadUsd = (
  reads: Sources,
  mint: SolanaAddress,
  sol: Fact<number>,
  worth: Fact<number>
): Fact<number> => {
  const pools = poolsOf(reads, mint)
  const read = new Set<string>(pools.map(([address]) => address))
  const vaults = new Set(pools.flatMap(([, { tokenVault }]) => tokenVault ?? []))
  const tokens = tokensUnread(reads, read, vaults)
  // Without a price nothing is allowed as it is.
  const held = worth.known ? tokens * worth.value : 0
  return mapFact(saidUnread(reads, read, sol), (said) => Math.max(said, held))
}

/** Below this nobody can leave with a position of any size. */
export const NEGLIGIBLE_USD = 500
/** RugCheck scales its low-liquidity warning up to about 3,000 of 50,000 points: thin, not damning. */
export const THIN_USD = 5000

/** Whether no more lies in pools that were not read than in those that were. */
export const isMostlyRead = (
  pools: ReadonlyArray<Pick<PoolFact, "quoteUsd">>,
  unread: Fact<number>
): boolean => {
  const read = pools.reduce((sum, { quoteUsd }) => sum + (quoteUsd ?? 0), 0)
  return unread.known && (unread.value < NEGLIGIBLE_USD || unread.value <= read)
}
