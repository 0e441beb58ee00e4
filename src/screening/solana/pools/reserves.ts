import type { SolanaAddress } from "../../../domain/address.ts"
import { min } from "../../../domain/bigint.ts"
import { program } from "../addresses.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { bytesOf, bytesUnder, startsWith } from "../reads/bytes.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import type { BinReserves, DecodedPool, Reserves, VaultShare } from "./decoded-pool.ts"
import { anchorType } from "./layouts/shared.ts"

/**
 * How a pool answers a sale, in smallest units: it behaves like a constant product of `token` and `quote` and can pay
 * out no more than `real`.
 */
export interface PoolDepth {
  readonly token: number
  readonly quote: number
  readonly real: number
}

/** Smallest quote units per smallest token unit. */
export const rawPriceOf = ({ quote, token }: PoolDepth): number => quote / token

/** Smallest units in a vault of `mint`; null where the account was not read whole or is something else. */
const vaultAmount = (book: AccountBook, vault: SolanaAddress | null, mint: SolanaAddress): bigint | null => {
  if (vault === null) return null
  const account = decodeTokenAccount(book.get(vault) ?? null)
  return account !== null && account.mint === mint && account.guards !== null ? account.amount : null
}

const clamp = (amount: bigint): number => (amount > 0n ? Number(amount) : 0)

const vaultDepth = (
  { owedQuote, owedToken, virtualQuote }: Extract<Reserves, { kind: "vaults" }>,
  token: bigint | null,
  quote: bigint | null
): PoolDepth | null => {
  if (token === null || quote === null) return null
  const ownQuote = clamp(quote - owedQuote)
  const effective = clamp(quote - owedQuote + virtualQuote)
  return { token: clamp(token - owedToken), quote: effective, real: Math.min(ownQuote, effective) }
}

const rangeDepth = (
  { liquidity, ownQuote, owedQuote, rawPrice }: Extract<Reserves, { kind: "range" }>,
  vault: bigint | null
): PoolDepth | null => {
  if (vault === null) return null
  const held = clamp(vault - owedQuote)
  // Liquidity in a narrow range looks endless and ends a step below: all of the quote is taken to lie above a quarter
  // of the price, which is what a constant product of twice as much has there.
  const quote = Math.min(liquidity * Math.sqrt(rawPrice), ownQuote === null ? 2 * held : Infinity)
  const bound = ownQuote ?? quote
  return { token: quote / rawPrice, quote, real: liquidity > 0 ? Math.min(held, bound) : 0 }
}

/**
 * What providers hold in a bin. Limit orders stand beside it, as they do at a CLMM pool's ticks, and are not counted: whoever
 * placed one takes it back in the next block, so that bids among them are no liquidity, and no position names whose the tokens
 * are that they offer. Those lie in the vault, where what no position accounts for may be one party's.
 */
export interface Bin {
  readonly id: number
  /** Quote and tokens in it, smallest units. */
  readonly quote: number
  readonly token: number
  /** All shares of it. */
  readonly supply: number
}

const BIN_ARRAY = anchorType("BinArray")
const FIRST_BIN = 56
const BIN_LENGTH = 144
const BINS = 70

/** The bins of one array; none where no such array exists, null where it was not read, or not shown although it holds something. */
const binsIn = (
  book: AccountBook,
  address: SolanaAddress,
  firstId: number,
  { filled, quoteIsX }: Pick<BinReserves, "filled" | "quoteIsX">
): ReadonlyArray<Bin> | null => {
  const account = book.get(address)
  if (account === undefined) return null
  if (account === null || account.owner !== program.meteoraDlmm || !startsWith(account.data, BIN_ARRAY))
    return filled.has(address) ? null : []
  const bytes = bytesOf(account.data)
  const whole = Math.min(BINS, Math.floor((bytes.length - FIRST_BIN) / BIN_LENGTH))
  return Array.from({ length: Math.max(0, whole) }, (_, bin) => {
    const offset = FIRST_BIN + bin * BIN_LENGTH
    return {
      id: firstId + bin,
      quote: Number(bytes.u64(offset + (quoteIsX ? 0 : 8))),
      token: Number(bytes.u64(offset + (quoteIsX ? 8 : 0))),
      supply: Number(bytes.u128(offset + 32))
    }
  })
}

/** The bins a seller reaches first; null where an array of them was not read. */
export const binsOf = (
  reserves: BinReserves,
  activeId: number,
  book: AccountBook
): ReadonlyArray<Bin> | null => {
  const first = Math.floor(activeId / BINS)
  const found = reserves.arrays.map((address, step) =>
    binsIn(book, address, (first + (reserves.quoteIsX ? step : -step)) * BINS, reserves)
  )
  return found.some((bins) => bins === null) ? null : found.flatMap((bins) => bins ?? [])
}

/** The bins a buyer reaches next, beyond which nobody looks for offers; null where they were not read. */
export const offersOf = (
  reserves: BinReserves,
  activeId: number,
  book: AccountBook
): ReadonlyArray<Bin> | null => {
  const index = Math.floor(activeId / BINS) + (reserves.quoteIsX ? -1 : 1)
  return binsIn(book, reserves.beyond, index * BINS, reserves)
}

/**
 * What of the tokens in its vault a pool does not trade: fees that somebody may take out any day, whoever has locked the
 * rest. Whose the tokens are that positions hold, they say themselves.
 */
export const claimableIn = ({ reserves }: Pick<DecodedPool, "reserves">, amount: number): number => {
  switch (reserves.kind) {
    case "vaults":
      return Math.min(amount, clamp(reserves.owedToken))
    case "range":
      return reserves.ownTokens === null ? 0 : Math.max(0, amount - reserves.ownTokens)
    default:
      return 0
  }
}

const binDepth = (reserves: BinReserves, vault: bigint | null, book: AccountBook): PoolDepth | null => {
  const bins = binsOf(reserves, 0, book)
  if (vault === null || bins === null) return null
  const inBins = bins.reduce((sum, { quote }) => sum + quote, 0)
  const real = Math.min(Number(vault), inBins)
  return { token: real / reserves.rawPrice, quote: real, real }
}

const VAULT = anchorType("Vault")
/** The lending vault releases profit over time: parts of 1e12 per second since the last report. */
const DEGRADATION = 1e12

/** Whether a lending vault was switched off: it pays out what it has, and takes nothing that is sold. Source: dynamic-vault `Vault`. */
export const isVaultOff = (book: AccountBook, vault: SolanaAddress): boolean =>
  bytesUnder(program.meteoraVault, book.get(vault), 115)?.u8(8) === 0

/** What the pool's vault tokens stand for: their share of what the vault manages and has released. */
const shareAmount = (
  book: AccountBook,
  share: VaultShare,
  mint: SolanaAddress,
  now: number
): number | null => {
  const account = book.get(share.vault)
  const bytes = bytesUnder(program.meteoraVault, account, 115)
  const held = vaultAmount(book, share.poolLp, share.vaultLpMint)
  const lpMint = book.get(share.vaultLpMint)
  if (account == null || bytes === null || !startsWith(account.data, VAULT)) return null
  if (held === null || lpMint == null || lpMint.data.length < 44 || bytes.address(83) !== mint) return null
  const total = Number(bytes.u64(11))
  const hasTracker = bytes.length >= 1227
  const locked = hasTracker
    ? Number(bytes.u64(1203)) *
      Math.max(0, 1 - (Math.max(0, now - Number(bytes.u64(1211))) * Number(bytes.u64(1219))) / DEGRADATION)
    : 0
  const supply = Number(bytesOf(lpMint.data).u64(36))
  return supply === 0 ? 0 : (Number(held) * Math.max(0, total - locked)) / supply
}

/** Quote that lies in a pool, whatever its rules would pay of it; null where that was not read. */
export const quoteHeld = (
  { quoteMint, quoteVault, reserves }: DecodedPool,
  book: AccountBook,
  now: number
): number | null => {
  if (quoteMint === null) return null
  if (reserves.kind === "vault-shares") return shareAmount(book, reserves.quote, quoteMint, now)
  const held = vaultAmount(book, quoteVault, quoteMint)
  return held === null ? null : Number(held)
}

/** A curve's own count, by which its program pays; where its vault was read and holds less, that pays less. */
const curveDepth = (
  { quote, realQuote, token }: Extract<Reserves, { kind: "curve" }>,
  vault: bigint | null
): PoolDepth => ({
  token: Number(token),
  quote: Number(quote),
  real: Number(vault === null ? realQuote : min(realQuote, vault))
})

/** The pool's depth by what has been read; null where something it needs has not been. `now` in Unix seconds. */
export const depthOf = (
  pool: DecodedPool,
  token: SolanaAddress,
  book: AccountBook,
  now: number
): PoolDepth | null => {
  const { quoteMint, quoteVault, reserves, tokenVault } = pool
  const quoted = quoteMint === null ? null : vaultAmount(book, quoteVault, quoteMint)
  if (reserves.kind === "curve") {
    // A vault that was asked for and is not there, or is something else, does not show what the curve counts.
    const isHidden = quoteVault !== null && quoteMint !== null && book.has(quoteVault) && quoted === null
    return isHidden ? null : curveDepth(reserves, quoted)
  }
  if (quoteMint === null) return null
  // Whether a vault that nobody has shown can pay out at all is not known.
  const tokens = vaultAmount(book, tokenVault, token)
  switch (reserves.kind) {
    case "vaults":
      return vaultDepth(reserves, tokens, quoted)
    case "range":
      return tokens === null ? null : rangeDepth(reserves, quoted)
    case "bins":
      return tokens === null ? null : binDepth(reserves, quoted, book)
    case "vault-shares": {
      const share = shareAmount(book, reserves.token, token, now)
      const quote = shareAmount(book, reserves.quote, quoteMint, now)
      // A sale is paid into one vault, and out of what the other has not lent out: there may be less of that than the
      // pool's part.
      const taken = vaultAmount(book, reserves.token.vaultTokens, token)
      const idle = vaultAmount(book, reserves.quote.vaultTokens, quoteMint)
      return share === null || quote === null || taken === null || idle === null || reserves.isStable
        ? null
        : { token: share, quote, real: Math.min(quote, Number(idle)) }
    }
  }
}

/** Apart from rounding, a curve can pay for everything that was bought from it. */
const ROUNDING = 1.01

/** How far the root of the price has fallen, as 1/√ - 1, where a pool has paid out all it can. */
const endOf = ({ quote, real }: PoolDepth): number => {
  const part = (real * ROUNDING) / quote
  return part < 1 ? part / (1 - part) : Infinity
}

/**
 * Price against now, 0 to 1, once `amount` more of the token has been sold into these pools together: each takes its
 * part at the same price until it has paid out all it can, then the others go on. What no pool takes finds no buyer.
 */
export const priceAfterSale = (depths: ReadonlyArray<PoolDepth>, amount: number): number | null => {
  const live = depths
    .filter(({ quote, real, token }) => real > 0 && token > 0 && quote > 0)
    .map((depth) => ({ token: depth.token, end: endOf(depth) }))
    .toSorted((a, b) => a.end - b.end)
  if (live.length === 0) return null
  let rest = amount
  for (const [index, { end, token }] of live.entries()) {
    const fall = rest / live.slice(index).reduce((sum, one) => sum + one.token, 0)
    if (fall <= end) return 1 / (1 + fall) ** 2
    rest -= token * end
  }
  return 0
}
