import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import type { RugCheckReport } from "../../../market/market-data.ts"
import {
  BURN_ADDRESSES,
  LOCKER_PROGRAMS,
  MAYHEM_PROGRAM,
  POOL_AUTHORITIES,
  POOL_PROGRAMS,
  program,
  PROTOCOL_AUTHORITIES,
  SYSTEM_PROGRAM
} from "../addresses.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import { isWallet } from "../../../chain/program-address.ts"
import type { PoolFact } from "../pools/pool-fact.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import type { StreamTerms } from "./lockers.ts"
import { decodeVesting, takers } from "./lockers.ts"

/** A pool with what was found out about it. */
export interface KnownPool {
  readonly pool: DecodedPool
  readonly fact: PoolFact
}

export interface PartyInput {
  readonly mint: SolanaAddress
  readonly largest: ReadonlyArray<SolanaTokenBalance>
  readonly supply: bigint
  readonly book: AccountBook
  readonly pools: ReadonlyMap<SolanaAddress, KnownPool>
  /** Token accounts of curves and of protocols' own agents, derived from the mint. */
  readonly protocolAccounts: ReadonlySet<string>
  /** Streamflow contracts of the mint, by their escrow. */
  readonly streams: ReadonlyMap<string, StreamTerms>
  /** Unix seconds. */
  readonly now: number
}

/** Who could sell what. Amounts are in smallest units. */
export interface Parties {
  readonly byOwner: ReadonlyMap<string, number>
  /** Tokens of which nobody could tell whose they are, by the place they lie in: perhaps all of them one party's. */
  readonly untold: ReadonlyMap<string, number>
  /** Supply that is in nobody's hands: burned, locked, in curves and in the locked part of pools. */
  readonly outOfReach: number
  /** Held under addresses of programs nobody here knows: counted as one party each, and said. */
  readonly underPrograms: number
  /** Listed accounts of people whose tokens cannot move, because somebody froze them. */
  readonly frozen: number
  /** What a full list leaves of the supply: in smaller hands, each below the smallest listed. */
  readonly unlisted: number
}

const CURVE_PROGRAMS: ReadonlySet<string> = new Set([
  program.pumpCurve,
  program.raydiumLaunchLab,
  program.meteoraDbc,
  program.moonshot,
  MAYHEM_PROGRAM
])

/** Nobody but a protocol's own rules moves what lies here. */
const isProtocols = (input: PartyInput, address: string, owner: string): boolean =>
  input.protocolAccounts.has(address) ||
  PROTOCOL_AUTHORITIES.has(owner) ||
  CURVE_PROGRAMS.has(input.book.get(ownerKey(owner))?.owner ?? "")

const ownerKey = (owner: string): SolanaAddress => (isSolanaAddress(owner) ? owner : SYSTEM_PROGRAM)

const isTheirVault = ({ pool }: KnownPool, address: string): boolean => pool.tokenVault === address

/**
 * A curve's tokens are nobody's, but for those its terms give away at its end.
 * A pool's tokens belong to whoever can withdraw its liquidity: nobody for the locked share, the named parties for
 * theirs, and one unnamed party for what nobody could tell. A pool whose quote is worth nothing, or in which nobody
 * trades, is a safe deposit of its creator.
 */
const splitPool = (
  address: SolanaAddress,
  { fact, pool }: KnownPool,
  amount: number,
  add: AddParty,
  addUntold: AddParty
): number => {
  if (pool.claim.kind === "curve") {
    const kept = Math.min(amount, pool.promised?.amount ?? 0)
    if (pool.promised !== null) add(pool.promised.party, kept)
    return amount - kept
  }
  const isMarket = fact.quoteIsTrusted && fact.depth !== null
  if (!isMarket) {
    add(pool.creator ?? address, amount)
    return 0
  }
  for (const [party, share] of fact.lock.parties) add(party, amount * share)
  const unseen = Math.min(fact.lock.unseen, 1 - fact.lock.locked.low)
  if (unseen > 0) addUntold(address, amount * unseen)
  return amount * fact.lock.locked.low
}

type AddParty = (party: string, amount: number) => void

/**
 * A lending vault's tokens: the part that a known pool put in is the pool's, the rest belongs to whoever deposited it
 * and can take it back.
 */
const splitVault = (
  input: PartyInput,
  vault: SolanaAddress,
  amount: number,
  add: AddParty,
  addUntold: AddParty
): number => {
  let rest = amount
  let outOfReach = 0
  for (const [address, known] of input.pools) {
    const { reserves } = known.pool
    if (reserves.kind !== "vault-shares" || reserves.token.vault !== vault) continue
    const part = Math.min(rest, known.fact.depth?.token ?? 0)
    rest -= part
    outOfReach += splitPool(address, known, part, add, addUntold)
  }
  // Rounding and what the vault has lent out leave crumbs.
  if (rest > amount * CRUMBS) addUntold(vault, rest)
  return outOfReach
}
const CRUMBS = 0.001

/** The node lists no more accounts than this. */
const LIST_LENGTH = 20

/** Traces every listed account to the party who can take its tokens out. */
export const tracePartiesOf = (input: PartyInput): Parties => {
  const byOwner = new Map<string, number>()
  const add: AddParty = (party, amount) => byOwner.set(party, (byOwner.get(party) ?? 0) + amount)
  const untold = new Map<string, number>()
  const addUntold: AddParty = (place, amount) => untold.set(place, (untold.get(place) ?? 0) + amount)
  let outOfReach = 0
  let underPrograms = 0
  let listed = 0
  let frozen = 0
  const pools = [...input.pools]
  for (const { address, amount } of input.largest) {
    const balance = Number(amount)
    listed += balance
    const holding = decodeTokenAccount(input.book.get(address) ?? null)
    const owner = holding?.owner
    const home = pools.find(([, known]) => isTheirVault(known, address))
    if (home !== undefined) outOfReach += splitPool(home[0], home[1], balance, add, addUntold)
    else if (owner !== undefined && BURN_ADDRESSES.has(owner)) outOfReach += balance
    else if (isProtocols(input, address, owner ?? address)) outOfReach += balance
    // What cannot be explained away stays: whose an account is that was not read, nobody can say.
    else if (owner === undefined) addUntold(address, balance)
    else if (input.book.get(owner)?.owner === program.meteoraVault)
      outOfReach += splitVault(input, owner, balance, add, addUntold)
    else {
      const locked = lockedPart(input, address, owner, amount, add)
      if (locked !== null) outOfReach += locked
      else {
        const ownerProgram = input.book.get(owner)?.owner ?? SYSTEM_PROGRAM
        // The vault of a pool that nobody listed: whoever owns its liquidity owns these.
        if (POOL_AUTHORITIES.has(owner) || POOL_PROGRAMS.has(ownerProgram)) {
          addUntold(address, balance)
          continue
        }
        add(owner, balance)
        if (holding?.frozen === true) frozen += 1
        if (ownerProgram !== SYSTEM_PROGRAM || !isWallet(owner)) underPrograms += balance
      }
    }
  }
  const unlisted = Math.max(0, Number(input.supply) - listed)
  const isFull = input.largest.length >= LIST_LENGTH
  // A list that names no holder, while supply lies outside of it, has not told anything.
  if (unlisted > 0 && byOwner.size + untold.size === 0) addUntold("unlisted", unlisted)
  return {
    byOwner,
    untold,
    outOfReach,
    underPrograms,
    frozen,
    unlisted: isFull ? unlisted : 0
  }
}

/** The part of a locker's balance nobody can take soon; null where the account is no locker's. */
const lockedPart = (
  { book, mint, now, streams }: PartyInput,
  address: string,
  owner: SolanaAddress,
  amount: bigint,
  add: AddParty
): number | null => {
  const account = book.get(owner) ?? null
  const terms = streams.get(address) ?? decodeVesting(account)
  // A contract about another token says nothing about this one.
  if (terms !== null && terms.mint === mint) {
    const free = takers(terms, amount, now)
    for (const taker of free) add(taker.owner, Number(taker.amount))
    return Number(amount) - free.reduce((sum, taker) => sum + Number(taker.amount), 0)
  }
  // A locker whose terms are not read holds for somebody, who may take it any day: a party of its own.
  if (account !== null && LOCKER_PROGRAMS.has(account.owner)) add(owner, Number(amount))
  else return null
  return 0
}

/** Owners of the largest token accounts, to be read next: their owning program tells people from programs. */
export const ownersOf = (
  largest: ReadonlyArray<SolanaTokenBalance>,
  book: AccountBook
): ReadonlyArray<SolanaAddress> =>
  largest.flatMap(({ address }) => {
    const account = decodeTokenAccount(book.get(address) ?? null)
    return account === null ? [] : [account.owner]
  })

/** Wallets RugCheck ties to one another, and how much it says the tied ones hold, in smallest units. */
export const insiderGroup = (
  report: RugCheckReport | null,
  parties: Parties,
  supply: number,
  alsoInsiders: ReadonlyArray<string>
): number => {
  const named = [...alsoInsiders, ...(report?.creator == null ? [] : [report.creator])]
  const flagged = (report?.topHolders ?? []).flatMap(({ insider, owner }) =>
    insider && owner !== null ? [owner] : []
  )
  const together = new Set([...named, ...flagged])
  const seen = [...together].reduce((sum, owner) => sum + (parties.byOwner.get(owner) ?? 0), 0)
  if (report === null) return Math.min(supply, seen)
  const creatorSeen = report.creator === null ? 0 : (parties.byOwner.get(report.creator) ?? 0)
  const creatorMore = Math.max(0, (report.creatorBalance ?? 0) - creatorSeen)
  const networks = report.insiderNetworks.reduce((sum, { tokenAmount }) => sum + (tokenAmount ?? 0), 0)
  const reported = (report.topHolders ?? [])
    .filter(({ insider }) => insider)
    .reduce((sum, { pct }) => sum + (pct / 100) * supply, 0)
  return Math.min(supply, Math.max(seen + creatorMore, networks, reported))
}
