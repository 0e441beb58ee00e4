import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import { min } from "../../../domain/bigint.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import {
  BURN_ADDRESSES,
  PROTOCOL_AUTHORITIES,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  TRUSTED_QUOTES,
  WSOL
} from "../addresses.ts"
import { costAt, isDear, isHopeless } from "../pools/costs.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import { poolsOf } from "../pools/found.ts"
import { suspects } from "../pools/lp-accounts.ts"
import { isWallet } from "../../../chain/program-address.ts"
import { depthOf } from "../pools/reserves.ts"
import { ROUGH_SOL, saidUsd } from "../pools/said.ts"
import { hasOpened } from "../pools/terms.ts"
import { feesAt } from "../power/extensions.ts"
import type { Mint } from "../power/mint.ts"
import { TRUSTED_MINTS } from "../power/trusted-mints.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { bytesOf } from "../reads/bytes.ts"
import type { ChainClock } from "../reads/clock.ts"
import { clockOf } from "../reads/clock.ts"
import type { ToldOwners } from "../reads/guesses.ts"
import type { WeighedPools } from "../reads/position-owners.ts"
import type { Reads } from "../reads/reads.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import { swapOf } from "./swaps/index.ts"
import type { Candidate, Holder } from "./trial.ts"
import { sizeOf } from "./trial.ts"

/** Pools that are tried at most, and the least share of the deepest one's depth that the second must have. */
const MOST_POOLS = 2
const COMPARABLE = 0.25
const MOST_HOLDERS = 2

/** What a trial spends where the pool is deep: a tenth of a SOL, or twenty dollars. Smallest units. */
const USUAL_SPEND = { sol: 100_000_000n, dollar: 20_000_000n } as const
const quoteWeight = (quote: SolanaAddress, amount: number): number =>
  quote === WSOL ? (amount / 1e9) * ROUGH_SOL : amount / 1e6

/** What the token's own transfer fee leaves of an amount, by the higher of the rate in force and the one scheduled. */
const afterFee = ({ walk }: Mint, amount: bigint, epoch: Fact<bigint>): bigint => {
  const fee = walk.extensions.transferFee
  if (fee === undefined) return amount
  const { next, now } = epoch.known ? feesAt(fee, epoch.value) : { now: fee.older, next: fee.newer }
  const taken = [now, ...(next === null ? [] : [next])].map(({ basisPoints, maximumFee }) => {
    const rate = (amount * BigInt(basisPoints) + 9_999n) / 10_000n
    return min(rate, maximumFee)
  })
  return taken.map((fee) => amount - fee).reduce(min, amount)
}

/** Whether transfers need accounts that only a hook knows. Such tokens are not tried: the hook is judged by itself. */
const hasHook = ({ walk }: Mint): boolean =>
  walk.kind !== "complete" || walk.extensions.transferHook?.programId != null

/**
 * Tokens that a buyer can have of a pool, smallest units, as far as it tells. Bids alone have a price and a depth as a market
 * has: nobody buys there, whatever the token is.
 */
const offeredBy = (
  { reserves, tokenVault }: DecodedPool,
  book: AccountBook,
  listed: number | null
): number => {
  if (reserves.kind !== "range" && reserves.kind !== "bins") return Infinity
  const held = tokenVault === null ? null : decodeTokenAccount(book.get(tokenVault) ?? null)
  const own = reserves.kind === "range" ? reserves.ownTokens : null
  return Math.min(Number(held?.amount ?? 0n), own ?? Infinity, listed ?? Infinity)
}

/** What a candidate is made of. */
interface Market {
  readonly reads: Reads
  readonly mint: SolanaAddress
  readonly token: Mint
  readonly time: ChainClock
  readonly weighed: WeighedPools
}

interface Weighty {
  readonly candidate: Candidate
  readonly weight: number
  readonly isDear: boolean
  readonly isHopeless: boolean
}

/** The pool as one to try; null where nobody may trade in it now or buy there, or its instructions are not known. */
const candidateIn = (
  { mint, reads, time, token, weighed }: Market,
  address: SolanaAddress,
  pool: DecodedPool
): Weighty | null => {
  const { book } = reads
  const account = book.get(address)
  const depth = depthOf(pool, mint, book, time.seconds)
  const quote = pool.quoteMint
  const quoteProgram = TRUSTED_QUOTES.get(quote ?? "")?.tokenProgram
  if (account == null || depth === null || quote === null || quoteProgram === undefined) return null
  if (!hasOpened(pool.trading, time)) return null
  const bytes = bytesOf(account.data)
  const tokenProgram = token.program === "token" ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM
  const place = { address, pool, bytes, book, token: mint, quote, tokenProgram, quoteProgram }
  const swap = swapOf(place)
  const size = sizeOf(depth, quote === WSOL ? USUAL_SPEND.sol : USUAL_SPEND.dollar, swap?.spendsAll === true)
  if (swap === null || size === null) return null
  const { offered = null, reachable = null } = weighed.get(address) ?? {}
  if (offeredBy(pool, book, offered) < Number(size.tokens)) return null
  const sold = afterFee(token, size.tokens, time.epoch)
  const cost = { kind: pool.kind, ...costAt(pool, time) }
  const taxed = { reading: reads.reading, epoch: time.epoch, trusted: TRUSTED_MINTS.get(mint) ?? null }
  return {
    candidate: { place, swap, ...size, sold, decimals: token.decimals },
    weight: quoteWeight(quote, Math.min(depth.real, reachable ?? depth.real)),
    isDear: isDear(cost, taxed),
    isHopeless: isHopeless(cost)
  }
}

/** Where nobody trades for what it costs nothing is tried, unless there is nothing else: as pools are counted. */
const traded = (ranked: ReadonlyArray<Weighty>): ReadonlyArray<Weighty> => {
  const hopeful = ranked.filter((one) => !one.isHopeless)
  const [best] = hopeful
  if (best === undefined) return ranked
  return best.isDear ? hopeful : hopeful.filter((one) => !one.isDear)
}

/**
 * The best pools that anybody may trade in now and whose instructions are known, the deepest first.
 * @param weighed what the positions hold that were listed: bids far below the price make no pool a deep one
 */
export const candidatesOf = (
  reads: Reads,
  mint: SolanaAddress,
  time: ChainClock,
  weighed: WeighedPools = new Map()
): ReadonlyArray<Candidate> => {
  if (reads.reading.kind !== "mint" || hasHook(reads.reading.mint)) return []
  const market = { reads, mint, token: reads.reading.mint, time, weighed }
  const found = poolsOf(reads, mint).flatMap(([address, pool]) => candidateIn(market, address, pool) ?? [])
  const ranked = traded(found.toSorted((a, b) => b.weight - a.weight))
  const best = ranked[0]?.weight ?? 0
  return ranked
    .filter(({ candidate, weight }) => weight >= best * COMPARABLE && candidate.sold > 0n)
    .slice(0, MOST_POOLS)
    .map(({ candidate }) => candidate)
}

/** Whether no listed pool of unknown depth is comparable with the best candidate, by what third parties say. */
export const isDeepest = (
  reads: Reads,
  mint: SolanaAddress,
  listed: ReadonlyArray<SolanaAddress>,
  [best]: ReadonlyArray<Candidate>
): boolean => {
  if (best === undefined) return false
  const said = saidUsd(reads)
  const read = new Map(poolsOf(reads, mint))
  const { seconds } = clockOf(reads)
  const isOpen = (address: SolanaAddress): boolean => {
    const pool = read.get(address)
    return pool === undefined ? !reads.book.has(address) : depthOf(pool, mint, reads.book, seconds) === null
  }
  const others = listed.filter(isOpen).map((address) => said.get(address) ?? 0)
  return Math.max(0, ...others) <= (said.get(best.place.address) ?? 0) * COMPARABLE
}

/** What is known of a token account: the account itself, or before it was read who is said to own it. */
const holderAt = (
  { book }: Reads,
  mint: SolanaAddress,
  { address, amount }: SolanaTokenBalance,
  told: ToldOwners | undefined
): Holder | null => {
  const owner = told?.get(address)
  if (!book.has(address)) return owner === undefined ? null : { owner, account: address, amount }
  const account = decodeTokenAccount(book.get(address) ?? null)
  if (account === null || account.mint !== mint) return null
  // A holder who forbids programs to move the tokens (CPI guard), or whom an established issuer has frozen, cannot sell for
  // reasons of his own: his failed sale says nothing of other holders.
  if (account.guards?.outgoing !== false || (account.frozen && TRUSTED_MINTS.has(mint))) return null
  return { owner: account.owner, account: address, amount: account.amount }
}

/** Whether a holder has so much that its sale fetches something: anybody can send anybody a crumb that no pool takes. */
export const canSell = ({ least }: Candidate, { amount }: Holder): boolean => amount >= least

/**
 * Real holders who are neither creator nor pool nor protocol: the largest, and the smallest that is listed and could sell.
 * @param best where they would
 * @param told owners of accounts that have not been read; absent: only what the accounts themselves say
 */
export const holdersToTry = (
  reads: Reads,
  mint: SolanaAddress,
  best: Candidate | undefined,
  told?: ToldOwners
): ReadonlyArray<Holder> => {
  if (!reads.largest.known) return []
  const pools = poolsOf(reads, mint)
  const insiders = new Set<string>(pools.flatMap(([, pool]) => suspects(reads, pool, mint)))
  const vaults = new Set<string>(
    pools.flatMap(([, { tokenVault }]) => (tokenVault === null ? [] : [tokenVault]))
  )
  const people = reads.largest.value.flatMap((listed) => {
    const holder = holderAt(reads, mint, listed, told)
    if (holder === null || holder.amount === 0n || vaults.has(holder.account)) return []
    const { account, amount, owner } = holder
    const isPerson =
      isWallet(owner) &&
      !insiders.has(owner) &&
      !BURN_ADDRESSES.has(owner) &&
      !PROTOCOL_AUTHORITIES.has(owner) &&
      (reads.book.get(owner)?.owner ?? SYSTEM_PROGRAM) === SYSTEM_PROGRAM
    return isPerson ? [{ owner, account, amount }] : []
  })
  const [largest] = people
  const smallest = people.findLast((holder) => best === undefined || canSell(best, holder))
  return [largest, smallest === largest ? undefined : smallest]
    .filter((holder) => holder !== undefined)
    .slice(0, MOST_HOLDERS)
}
