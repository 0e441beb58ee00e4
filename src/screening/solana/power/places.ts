/** Whose the tokens at a place are: who can take them out. */
import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import { isWallet } from "../../../chain/program-address.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import {
  BURN_ADDRESSES,
  LAUNCH_AUTHORITIES,
  LOCKER_PROGRAMS,
  POOL_AUTHORITIES,
  POOL_PROGRAMS,
  program,
  PROTOCOL_AUTHORITIES,
  SYSTEM_PROGRAM
} from "../addresses.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import type { TokenSide } from "../pools/lp-reading.ts"
import type { PoolFact } from "../pools/pool-fact.ts"
import { LEAST_AFTER_SALE } from "../pools/quote-coin.ts"
import { claimableIn } from "../pools/reserves.ts"
import type { SpentCurve } from "../pools/spent.ts"
import type { AccountBook } from "../reads/account-book.ts"
import type { TokenAccount } from "../reads/token-account.ts"
import type { StreamTerms } from "./lockers.ts"
import { decodeVesting, takers } from "./lockers.ts"

/** A pool with what was found out about it. */
export interface KnownPool {
  readonly pool: DecodedPool
  readonly fact: PoolFact
}

/** What tells whose tokens are. */
export interface Places {
  readonly mint: SolanaAddress
  readonly book: AccountBook
  readonly pools: ReadonlyMap<SolanaAddress, KnownPool>
  /** Addresses that others call pools of the token, read or not. */
  readonly saidPools: ReadonlySet<string>
  /** Vaults of curves that have ended. */
  readonly spent: ReadonlyMap<string, SpentCurve>
  /** Token accounts of curves and of protocols' own agents, derived from the mint. */
  readonly protocolAccounts: ReadonlySet<string>
  /** Curves of the mint that own what they sell, derived from the mint. */
  readonly curves: ReadonlySet<string>
  /** Streamflow contracts of the mint, by their escrow. */
  readonly streams: ReadonlyMap<string, StreamTerms>
  /** Unix seconds. */
  readonly now: number
}

/** A part of a balance, in smallest units. */
export type Part =
  /** `under`: what the owner's account is, where it is no wallet's. */
  | {
      readonly kind: "party"
      readonly party: string
      readonly amount: number
      readonly under?: "program" | "junk"
    }
  /** Nobody could tell whose it is; perhaps all such parts are one party's. */
  | { readonly kind: "untold"; readonly place: string; readonly amount: number }
  /** Burned, locked, on a curve or in the locked part of a pool. */
  | { readonly kind: "nobody"; readonly amount: number }

type Under = Extract<Part, { kind: "party" }>["under"]
const party = (name: string, amount: number, under?: Under): Part => ({
  kind: "party",
  party: name,
  amount,
  ...(under === undefined ? {} : { under })
})
const untold = (place: string, amount: number): Part => ({ kind: "untold", place, amount })
const nobody = (amount: number): Part => ({ kind: "nobody", amount })

/**
 * Nobody but a protocol's own rules moves what lies here. Not every account of a launch program's is a curve: one keeps
 * what a single user may claim.
 */
const isProtocols = ({ curves, protocolAccounts }: Places, address: string, owner: string): boolean =>
  protocolAccounts.has(address) || PROTOCOL_AUTHORITIES.has(owner) || curves.has(owner)

/** Whoever could halve the worth of a pool's quote has enough of it to buy the pool's tokens out: locked liquidity keeps no token from them. */
const isSound = ({ quoteAfterSale }: PoolFact): boolean =>
  quoteAfterSale === null || (quoteAfterSale.known && quoteAfterSale.value >= LEAST_AFTER_SALE)

/**
 * The tokens that positions hold, each its own. What none of those accounts for that were looked at is somebody's
 * offers, or fees: nobody could tell whose.
 */
const partsOfPositions = (
  address: SolanaAddress,
  { locked, parties }: TokenSide,
  amount: number
): ReadonlyArray<Part> => {
  const held = [...parties.values()].reduce((sum, part) => sum + part, 0)
  const rest = Math.max(0, amount - held)
  const kept = Math.min(locked, rest)
  return [
    ...[...parties].map(([name, part]) => party(name, part)),
    untold(address, rest - kept),
    nobody(kept)
  ]
}

/**
 * A curve's tokens are nobody's, except those its terms give away at its end. Where it sells them for what somebody
 * mints, or for much less than the market pays, they may be whoever's buys them first.
 * A pool's tokens belong to whoever can withdraw its liquidity: nobody for the locked share, the named parties for
 * theirs, and one unnamed party for what nobody could tell. A pool whose quote is worth nothing, or in which nobody
 * trades, is a safe deposit of its creator; one that is too dear for everybody else too: what its maker pays for the tokens
 * there comes back as the fee.
 */
const partsOfTraded = (
  address: SolanaAddress,
  { fact, pool }: KnownPool,
  amount: number
): ReadonlyArray<Part> => {
  const isMarket = fact.quoteIsTrusted && fact.depth !== null && !fact.isDear
  if (isMarket && !isSound(fact)) return [untold(address, amount)]
  if (pool.claim.kind === "curve") {
    if (!isMarket) return [untold(address, amount)]
    const kept = Math.min(amount, pool.promised?.amount ?? 0)
    return [...(pool.promised === null ? [] : [party(pool.promised.party, kept)]), nobody(amount - kept)]
  }
  if (!isMarket) return [party(pool.creator ?? address, amount, "junk")]
  const { locked, parties, tokenSide, unseen } = fact.lock
  if (tokenSide !== null) return partsOfPositions(address, tokenSide, amount)
  return [
    ...[...parties].map(([name, share]) => party(name, amount * share)),
    untold(address, amount * Math.min(unseen, 1 - locked.low)),
    nobody(amount * locked.low)
  ]
}

/** Of the fees that lie beside them nobody can tell whose they are: whoever locked the pool may have paid them to himself. */
const partsOfPool = (address: SolanaAddress, known: KnownPool, amount: number): ReadonlyArray<Part> => {
  const fees = claimableIn(known.pool, amount)
  return [...partsOfTraded(address, known, amount - fees), untold(address, fees)]
}

/** Rounding, and what a lending vault has lent out, leave small differences. */
const CRUMBS = 0.001

/**
 * A lending vault's tokens: the part that a known pool put in is the pool's, the rest belongs to whoever deposited it
 * and can take it back.
 */
const partsOfVault = (places: Places, vault: SolanaAddress, amount: number): ReadonlyArray<Part> => {
  let rest = amount
  const parts = [...places.pools].flatMap(([address, known]) => {
    const { reserves } = known.pool
    if (reserves.kind !== "vault-shares" || reserves.token.vault !== vault) return []
    const part = Math.min(rest, known.fact.depth?.token ?? 0)
    rest -= part
    return partsOfPool(address, known, part)
  })
  return rest > amount * CRUMBS ? [...parts, untold(vault, rest)] : parts
}

/** A locker's balance by its terms; null where the account is no locker's. */
const partsOfLocker = (
  { book, mint, now, streams }: Places,
  { address, amount }: SolanaTokenBalance,
  owner: SolanaAddress
): ReadonlyArray<Part> | null => {
  const account = book.get(owner) ?? null
  const terms = streams.get(address) ?? decodeVesting(account, address)
  // A contract about another token says nothing about this one.
  if (terms !== null && terms.mint === mint) {
    const free = takers(terms, amount, now)
    const taken = free.reduce((sum, taker) => sum + Number(taker.amount), 0)
    return [...free.map((taker) => party(taker.owner, Number(taker.amount))), nobody(Number(amount) - taken)]
  }
  // A locker whose terms are not read holds for somebody, who may take it any day: a party of its own.
  return account !== null && LOCKER_PROGRAMS.has(account.owner) ? [party(owner, Number(amount))] : null
}

/** The address of the pool whose vault of the token this is. */
export const homeOf = ({ pools }: Places, address: string): SolanaAddress | null =>
  [...pools].find(([, { pool }]) => pool.tokenVault === address)?.[0] ?? null

const partsOfAccount = (
  places: Places,
  { address, amount }: SolanaTokenBalance,
  { owner }: TokenAccount
): ReadonlyArray<Part> => {
  const balance = Number(amount)
  if (places.book.get(owner)?.owner === program.meteoraVault) return partsOfVault(places, owner, balance)
  const locked = partsOfLocker(places, { address, amount }, owner)
  if (locked !== null) return locked
  const ownerProgram = places.book.get(owner)?.owner ?? SYSTEM_PROGRAM
  // The vault of a pool that nobody listed, or of a program that nobody here reads: whoever owns its liquidity owns these.
  if (POOL_AUTHORITIES.has(owner) || POOL_PROGRAMS.has(ownerProgram) || places.saidPools.has(owner))
    return [untold(address, balance)]
  const isPrograms = ownerProgram !== SYSTEM_PROGRAM || !isWallet(owner)
  return [party(owner, balance, isPrograms ? "program" : undefined)]
}

/** Traces a listed balance to the parties who can take it out. `account`: null where it was not read. */
export const partsOf = (
  places: Places,
  listed: SolanaTokenBalance,
  account: TokenAccount | null
): ReadonlyArray<Part> => {
  const { address } = listed
  const balance = Number(listed.amount)
  const home = homeOf(places, address)
  const known = home === null ? undefined : places.pools.get(home)
  if (home !== null && known !== undefined) return partsOfPool(home, known, balance)
  const spent = places.spent.get(address)
  if (spent !== undefined) {
    const free = spent.free(balance, places.now)
    return [party(spent.maker, free), nobody(balance - free)]
  }
  const owner = account?.owner ?? null
  if (owner !== null && BURN_ADDRESSES.has(owner)) return [nobody(balance)]
  // The vault of a curve that nobody listed: it may have ended, and be its maker's.
  if (owner !== null && LAUNCH_AUTHORITIES.has(owner)) return [untold(address, balance)]
  if (isProtocols(places, address, owner ?? address)) return [nobody(balance)]
  // The rest stays unexplained: of an account that was not read nobody can say whose it is.
  return account === null ? [untold(address, balance)] : partsOfAccount(places, listed, account)
}
