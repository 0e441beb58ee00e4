import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import type { RugCheckMarket } from "../../../market/market-data.ts"
import { SYSTEM_PROGRAM } from "../addresses.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import { costAt } from "./costs.ts"
import type { DecodedPool, PoolKind } from "./decoded-pool.ts"
import { isConstantProduct } from "./decoded-pool.ts"
import type { PoolLock, PositionReading } from "./lp-reading.ts"
import type { CoinHolders } from "./quote-coin.ts"
import { coinAfterSale } from "./quote-coin.ts"
import { quoteValue } from "./quote-price.ts"
import type { PoolDepth } from "./reserves.ts"
import { depthOf, isVaultOff, quoteHeld, rawPriceOf } from "./reserves.ts"
import type { ChainTime } from "./terms.ts"
import { hasOpened } from "./terms.ts"

/** Share of something between two bounds, 0 to 1. What is certain is a point; what nobody told us is [0, 1]. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Why nobody can trade in a pool now. */
export type Obstacle = "closed" | "not-open-yet" | "frozen" | "exposed" | "guarded"

/** One pool of the token, read from its own accounts. */
export interface PoolFact {
  readonly address: SolanaAddress
  readonly kind: PoolKind
  readonly obstacle: Obstacle | null
  /** Parts of one; null where the account that names it was not read. */
  readonly fee: { readonly now: number; readonly lasting: number } | null
  /** What a trade may pay beyond the fee now, at most, parts of one: while the price moves, or after a curve's end. */
  readonly surge: number
  /** USD a seller could reach. 0: the quote is worth nothing to us, or nobody trades here. Null: not read. */
  readonly quoteUsd: number | null
  /** The same in whole units of the quote, where it lies in a vault of the pool's own; null elsewhere and where not known. */
  readonly quoteInVault: number | null
  /** USD that counts as liquidity: both sides of a constant-product pool, the quote side of any other. */
  readonly liquidityUsd: number | null
  /** The most that `quoteUsd` could be where it is not known; null where nobody can tell. */
  readonly mostUsd: number | null
  /** What `liquidityUsd` would be if anybody could trade here. */
  readonly nominalUsd: number
  /** USD per whole token; null where unknown. */
  readonly priceUsd: number | null
  /** How the price answers a sale; null where it is not known or nobody trades. */
  readonly depth: PoolDepth | null
  /** Both sides hold something: bids alone, or offers alone, make no market price. */
  readonly isTwoSided: boolean
  /** Where the quote is a coin itself: what is left of its price once its largest holder has sold, 0 to 1. */
  readonly quoteAfterSale: Fact<number> | null
  /** Share of the liquidity that a curve's makers can withdraw soon after its end, 0 to 1. */
  readonly handedOut: number
  /** Who made it and can stop all trading in it; null where nobody can. */
  readonly switchedBy: string | null
  /** A round trip costs so much that nobody sells here while others are cheaper. */
  readonly isDear: boolean
  readonly quoteIsTrusted: boolean
  readonly lock: PoolLock
  /** RugCheck's own figure for the same pool, 0 to 1, where it gave one that speaks of LP tokens. */
  readonly rugCheckLocked: number | null
}

const finite = (value: number): number | null => (Number.isFinite(value) && value > 0 ? value : null)

/** The token accounts that every trade in a pool goes through. */
const passedThrough = ({ quoteVault, reserves, tokenVault }: DecodedPool): ReadonlyArray<SolanaAddress> => [
  ...[tokenVault, quoteVault].filter((vault) => vault !== null),
  ...(reserves.kind === "vault-shares" ? [reserves.token.vaultTokens, reserves.quote.vaultTokens] : [])
]

const obstacleOf = (pool: DecodedPool, book: AccountBook, time: ChainTime): Obstacle | null => {
  const vaults = passedThrough(pool).flatMap((vault) => {
    const account = decodeTokenAccount(book.get(vault) ?? null)
    return account === null ? [] : [account]
  })
  if (vaults.some(({ frozen }) => frozen)) return "frozen"
  // No pool's program lets anybody else move what its vaults hold: whoever can, can empty them.
  if (vaults.some(({ canBeDrained, delegate }) => canBeDrained || delegate !== null)) return "exposed"
  // Some programs take accounts for vaults that their maker has opened, and left with demands that no swap can meet.
  if (vaults.some(({ guards }) => guards !== null && (guards.incoming || guards.outgoing))) return "guarded"
  const { reserves, trading } = pool
  if (reserves.kind === "vault-shares" && isVaultOff(book, reserves.token.vault)) return "closed"
  if (trading.kind === "closed") return "closed"
  return hasOpened(trading, time) ? null : "not-open-yet"
}

/** A pool with less than this of its quote's worth on the token's side is a row of bids. */
const ONE_SIDED = 0.02

const tokenSide = (pool: DecodedPool, token: SolanaAddress, book: AccountBook): number | null => {
  if (pool.reserves.kind === "curve" || pool.reserves.kind === "vault-shares") return null
  const vault = pool.tokenVault === null ? null : decodeTokenAccount(book.get(pool.tokenVault) ?? null)
  return vault === null || vault.mint !== token ? null : Number(vault.amount)
}

/** Curves count their own, and lending vaults hold what is others'. */
const hasOwnVault = ({ claim, reserves }: DecodedPool): boolean =>
  claim.kind !== "curve" && reserves.kind !== "vault-shares"

/** The vault counts for no more than the positions hold within reach: the rest is fees or bids far below. */
const withinPositions = (depth: PoolDepth | null, reachable: number | null): PoolDepth | null => {
  if (depth === null || reachable === null || reachable >= depth.real) return depth
  const quote = Math.min(depth.quote, 2 * reachable)
  return { token: depth.token * (quote / depth.quote), quote, real: reachable }
}

export interface PoolContext {
  readonly coinHolders: CoinHolders
  readonly book: AccountBook
  readonly mint: SolanaAddress
  readonly decimals: number
  readonly sol: Fact<number>
  readonly time: ChainTime
}

const quoteAfterSale = (
  { quoteMint, quoteVault }: DecodedPool,
  holders: CoinHolders,
  book: AccountBook
): Fact<number> | null =>
  quoteMint === null ? null : coinAfterSale(quoteMint, quoteVault === null ? [] : [quoteVault], holders, book)

/** A pool read from its own account, valued in USD with the balances of its vaults. */
export const poolFact = (
  address: SolanaAddress,
  pool: DecodedPool,
  { book, coinHolders, decimals, mint, sol, time }: PoolContext,
  {
    offered,
    reachable,
    ...lock
  }: Pick<PoolFact, "lock" | "rugCheckLocked"> & Pick<PositionReading, "offered" | "reachable">
): PoolFact => {
  const obstacle = obstacleOf(pool, book, time)
  const depth = withinPositions(depthOf(pool, mint, book, time.seconds), reachable)
  const quote = quoteValue(pool.quoteMint, sol, book)
  const base = {
    address,
    kind: pool.kind,
    obstacle,
    ...costAt(pool, time),
    depth: null,
    quoteInVault: null,
    isTwoSided: false,
    quoteAfterSale: quote?.isCoin === true ? quoteAfterSale(pool, coinHolders, book) : null,
    handedOut: pool.handedOut,
    switchedBy: pool.hasSwitch ? (pool.creator ?? address) : null,
    isDear: false,
    quoteIsTrusted: quote !== null,
    ...lock
  }
  const nothing = { quoteUsd: 0, liquidityUsd: 0, mostUsd: null, nominalUsd: 0, priceUsd: null }
  // A quote whose own accounts have not been read yet is not worthless: its mint is then unknown.
  if (quote === null) {
    return pool.quoteMint === null
      ? { ...base, ...nothing, quoteUsd: null, liquidityUsd: null }
      : { ...base, ...nothing }
  }
  if (!quote.usd.known) return { ...base, ...nothing, quoteUsd: null, liquidityUsd: null }
  if (depth === null) {
    const held = quoteHeld(pool, book, time.seconds)
    const mostUsd = held === null ? null : quote.worth(held, quote.usd.value)
    return { ...base, ...nothing, quoteUsd: null, liquidityUsd: null, mostUsd }
  }
  const quoteUsd = quote.worth(depth.real, quote.usd.value)
  const nominalUsd = quoteUsd * (isConstantProduct(pool.kind) ? 2 : 1)
  if (obstacle !== null || depth.real === 0 || depth.token === 0) return { ...base, ...nothing, nominalUsd }
  const inVault = tokenSide(pool, mint, book)
  // What is offered far above the price lies in the vault too.
  const tokens = inVault === null || offered === null ? inVault : Math.min(inVault, offered)
  const rawPrice = rawPriceOf(depth)
  return {
    ...base,
    depth,
    isTwoSided: tokens === null || tokens * rawPrice >= depth.real * ONE_SIDED,
    quoteUsd,
    quoteInVault: hasOwnVault(pool) ? depth.real / 10 ** quote.decimals : null,
    liquidityUsd: nominalUsd,
    mostUsd: null,
    nominalUsd,
    priceUsd: finite(rawPrice * 10 ** (decimals - quote.decimals) * quote.usd.value)
  }
}

/**
 * RugCheck's lock figure as a share. Only pools with an LP mint have LP tokens it could speak of; it writes the system
 * program's address where there is none.
 */
export const rugCheckShare = (market: RugCheckMarket | undefined): number | null =>
  market === undefined ||
  market.lpMint === null ||
  market.lpMint === SYSTEM_PROGRAM ||
  market.lpLockedPct === null
    ? null
    : Math.min(1, Math.max(0, market.lpLockedPct / 100))
