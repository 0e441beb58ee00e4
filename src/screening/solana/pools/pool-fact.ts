import type { Fact } from "../../../domain/fact.ts"
import { mapFact } from "../../../domain/fact.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { MarketPair, RugCheckMarket } from "../../../market/market-data.ts"
import type { AccountBook } from "../reads/account-book.ts"
import type { DecodedPool, PoolKind } from "./decoded-pool.ts"
import { isConstantProduct } from "./decoded-pool.ts"
import { quoteValue } from "./quote-price.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"

/** Share of something between two bounds, 0 to 1. What is certain is a point; what nobody told us is [0, 1]. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** One pool of the token, worth something only in trusted quotes. */
export interface PoolFact {
  readonly address: string
  /** `market`: only market data or RugCheck described it. */
  readonly kind: PoolKind | "market"
  /** USD on the quote side. 0: the quote is not trusted. Null: a trusted quote whose amount or price is unknown. */
  readonly quoteUsd: number | null
  /** USD that counts as liquidity: both sides of a constant-product pool, the quote side of any other. */
  readonly liquidityUsd: number | null
  /** USD per whole token; null where unknown. */
  readonly priceUsd: number | null
  /** Part of the liquidity nobody can withdraw. */
  readonly locked: Interval
  /** RugCheck's own figure for the same pool, 0 to 1, where it gave one that speaks of LP tokens. */
  readonly rugCheckLocked: number | null
  /** A wallet that provably holds LP tokens of this pool unlocked: the largest such share found. */
  readonly walletShare: number
}

const finite = (value: number): number | null => (Number.isFinite(value) && value > 0 ? value : null)

/** Smallest units in a vault of `mint`; null where the account was not read or is something else. */
const vaultAmount = (book: AccountBook, vault: SolanaAddress | null, mint: SolanaAddress): bigint | null => {
  if (vault === null) return null
  const account = decodeTokenAccount(book.get(vault) ?? null)
  return account !== null && account.mint === mint ? account.amount : null
}

/** A pool read from its own account, valued in USD with the balances of its vaults. */
export const chainPoolFact = (
  address: SolanaAddress,
  pool: DecodedPool,
  context: {
    readonly book: AccountBook
    readonly mint: SolanaAddress
    readonly decimals: number
    readonly sol: Fact<number>
  },
  lock: Pick<PoolFact, "locked" | "rugCheckLocked" | "walletShare">
): PoolFact => {
  const base = { address, kind: pool.kind, ...lock }
  const quote = quoteValue(pool.quoteMint, context.sol)
  if (quote === null) return { ...base, quoteUsd: 0, liquidityUsd: 0, priceUsd: null }
  const quoteAmount = pool.quoteReserve ?? vaultAmount(context.book, pool.quoteVault, pool.quoteMint)
  const tokenAmount = vaultAmount(context.book, pool.tokenVault, context.mint)
  const ratio =
    pool.rawPrice ??
    (quoteAmount === null || tokenAmount === null || tokenAmount === 0n
      ? null
      : Number(quoteAmount) / Number(tokenAmount))
  if (!quote.usd.known) return { ...base, quoteUsd: null, liquidityUsd: null, priceUsd: null }
  const usd = quote.usd.value
  const quoteUsd = quoteAmount === null ? null : (Number(quoteAmount) / 10 ** quote.decimals) * usd
  return {
    ...base,
    quoteUsd,
    liquidityUsd: quoteUsd === null ? null : quoteUsd * (isConstantProduct(pool.kind) ? 2 : 1),
    priceUsd: ratio === null ? null : finite(ratio * 10 ** (context.decimals - quote.decimals) * usd)
  }
}

/** RugCheck's lock figure as a share; only pools with an LP mint have LP tokens it could speak of. */
export const rugCheckShare = (market: RugCheckMarket | undefined): number | null =>
  market === undefined || market.lpMint === null || market.lpLockedPct === null
    ? null
    : Math.min(1, Math.max(0, market.lpLockedPct / 100))

const UNKNOWN_SHARE: Interval = { low: 0, high: 1 }

/** A pool only market data describes: its quote amount at our own quote price, its lock by RugCheck or not at all. */
export const marketPoolFact = (
  pair: MarketPair,
  sol: Fact<number>,
  rug: RugCheckMarket | undefined
): PoolFact => {
  const rugCheckLocked = rugCheckShare(rug)
  const locked = rugCheckLocked === null ? UNKNOWN_SHARE : { low: rugCheckLocked, high: rugCheckLocked }
  const base = { address: pair.pairAddress, kind: "market" as const, locked, rugCheckLocked, walletShare: 0 }
  const quote = quoteValue(pair.quoteAddress, sol)
  if (quote === null) return { ...base, quoteUsd: 0, liquidityUsd: 0, priceUsd: null }
  const value = mapFact(quote.usd, (usd) => (pair.liquidityQuote === null ? null : pair.liquidityQuote * usd))
  const quoteUsd = value.known ? value.value : null
  return { ...base, quoteUsd, liquidityUsd: quoteUsd, priceUsd: pair.priceUsd }
}
