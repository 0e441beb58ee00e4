/** Who can withdraw the positions of a pool. */
import type { SolanaTokenBalance, SolanaAccount } from "../../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../../domain/address.ts"
import type { Fact } from "../../../../domain/fact.ts"
import { BURN_ADDRESSES, program, RAYDIUM_POSITION_LOCK } from "../../addresses.ts"
import type { PositionTerms } from "../../power/lockers.ts"
import { LEAST_LOCK_SECONDS } from "../../power/least-lock.ts"
import type { AccountBook } from "../../reads/account-book.ts"
import { dammPositionAccount, whirlpoolLock } from "../../reads/pdas.ts"
import { isWallet } from "../../../../chain/program-address.ts"
import { readMint } from "../../power/mint.ts"
import type { PartyName } from "../../power/party-names.ts"
import { partyNames } from "../../power/party-names.ts"
import type { TokenAccount } from "../../reads/token-account.ts"
import { decodeTokenAccount } from "../../reads/token-account.ts"
import type { PoolKind } from "../decoded-pool.ts"
import type { PositionReading, PositionShare } from "../lp-reading.ts"
import type { ChainTime } from "../terms.ts"
import type { RawPosition, Schedule } from "./formats.ts"
import type { Under } from "./unnamed.ts"
import { unnamedOf } from "./unnamed.ts"
import { keptAt, remaining } from "./formats.ts"
import type { Weighed, WeighedPosition } from "./reach.ts"

/**
 * Owners are looked up from the heaviest position on, until so much of the liquidity has an owner, within these limits.
 */
const COVERED = 0.9
const MOST_LISTED = 24
const MOST_READ = 90

/** Positions whose owner only a list of their token's accounts tells cost a call each. */
const isListed = (kind: PoolKind): boolean => kind === "raydium-clmm" || kind === "orca-whirlpool"

/** The heaviest positions by a measure, until they cover so much of all, or there are so many. */
const covering = (
  positions: ReadonlyArray<WeighedPosition>,
  most: number,
  of: (one: WeighedPosition) => number
): ReadonlyArray<WeighedPosition> => {
  const whole = positions.reduce((sum, one) => sum + of(one), 0)
  let covered = 0
  return positions
    .toSorted((one, other) => of(other) - of(one))
    .slice(0, most)
    .filter((one) => {
      const isNeeded = covered < COVERED * whole
      covered += of(one)
      return isNeeded
    })
}

/**
 * The positions whose owners are looked up: the heaviest as they are, and as they would be if they were locked. Of a DLMM
 * pair all of them say it themselves.
 */
const lookedUp = (kind: PoolKind, { positions }: Weighed): ReadonlyArray<WeighedPosition> => {
  if (kind === "meteora-dlmm") return positions
  if (!isListed(kind)) return positions.slice(0, MOST_READ)
  const heavy = covering(positions, MOST_LISTED, ({ weight }) => weight)
  const firm = covering(positions, MOST_LISTED / 2, (one) => one.firm)
  return [...new Set([...heavy, ...firm])]
}

/** Position tokens whose holders have to be listed. */
export const positionMints = (kind: PoolKind, weighed: Weighed): ReadonlyArray<SolanaAddress> =>
  isListed(kind)
    ? lookedUp(kind, weighed).flatMap(({ position: { mint } }) => (mint === null ? [] : [mint]))
    : []

/** Liquidity is counted in more digits than a number holds. */
const ROUNDING = 1e-9
/** Schedules in accounts of their own cost a call each. */
const MOST_SCHEDULED = 12

/** Positions that hold more back than their own schedule says: the rest stands in accounts of their own. */
export const scheduledElsewhere = (kind: PoolKind, weighed: Weighed): ReadonlyArray<SolanaAddress> =>
  lookedUp(kind, weighed)
    .filter(({ position: { heldBack, schedule } }) => {
      const own = schedule === null ? 0 : remaining(schedule)
      return heldBack - own > heldBack * ROUNDING
    })
    .slice(0, MOST_SCHEDULED)
    .map(({ position }) => position.address)

/** Accounts that tell who owns the heaviest positions, that nobody does, or that a lock holds them; what a DLMM position says itself is listed with it. */
export const positionAccounts = (kind: PoolKind, weighed: Weighed): ReadonlyArray<SolanaAddress> =>
  lookedUp(kind, weighed).flatMap(({ position: { address, mint } }) => {
    switch (kind) {
      case "meteora-damm-v2":
        return mint === null ? [] : [dammPositionAccount(mint)]
      case "orca-whirlpool":
        return mint === null ? [whirlpoolLock(address)] : [whirlpoolLock(address), mint]
      case "raydium-clmm":
        return mint === null ? [] : [mint]
      default:
        return []
    }
  })

/** The accounts that tell who an owner is. */
export interface OwnerContext {
  readonly kind: PoolKind
  readonly pool: SolanaAddress
  readonly book: AccountBook
  readonly time: ChainTime
  /** The accounts of each position's token. */
  readonly holders: ReadonlyMap<SolanaAddress, Fact<ReadonlyArray<SolanaTokenBalance>>>
  /** Locks at UNCX, by the position or the mint of its token. */
  readonly terms: ReadonlyMap<SolanaAddress, PositionTerms>
  /** Schedules in accounts of their own, by the position. */
  readonly schedules: ReadonlyMap<SolanaAddress, ReadonlyArray<Schedule>>
}

/** A lock in slots is measured by the shortest ones there are: 200 milliseconds each, half of what they took for years. */
const SLOTS_PER_SECOND = 5
const PAIR_UNIT_AT = 86
const DAMM_UNIT_AT = 480
const UNIT_SECONDS = 1

/** The end of the least time a lock must last, in the unit a pool counts in. */
const lastingPoint = (pool: SolanaAccount | null, unitAt: number, time: ChainTime): number | null => {
  if (pool === null || pool.data.length <= unitAt) return null
  return pool.data[unitAt] === UNIT_SECONDS
    ? time.seconds + LEAST_LOCK_SECONDS
    : Number(time.slot) + LEAST_LOCK_SECONDS * SLOTS_PER_SECOND
}

/** Whether a DLMM position stays locked by itself for the least time a lock must last. */
const isHeldBack = (releaseAt: bigint | null, context: OwnerContext): boolean => {
  const point = lastingPoint(context.book.get(context.pool) ?? null, PAIR_UNIT_AT, context.time)
  return point !== null && releaseAt !== null && Number(releaseAt) >= point
}

interface HeldBack {
  /** Liquidity that stays held back for the least time a lock must last. */
  readonly lasting: number
  /** Liquidity held back until a time that is not known from anything read. */
  readonly undated: number
}

/** What schedules hold back of a position: those in itself and those in accounts of their own. */
const heldBack = (position: RawPosition, { book, pool, schedules, time }: OwnerContext): HeldBack => {
  const point = lastingPoint(book.get(pool) ?? null, DAMM_UNIT_AT, time)
  const all = [
    ...(position.schedule === null ? [] : [position.schedule]),
    ...(schedules.get(position.address) ?? [])
  ]
  const dated = all.reduce((sum, schedule) => sum + remaining(schedule), 0)
  const lasting = point === null ? 0 : all.reduce((sum, schedule) => sum + keptAt(schedule, point), 0)
  const rest = position.heldBack - dated
  return {
    lasting: Math.min(position.heldBack, lasting),
    undated: point === null ? position.heldBack : rest > position.heldBack * ROUNDING ? rest : 0
  }
}

/** `owner`: null where it could not be told; `under` says why: nobody was asked, nobody answered, or a program's address has it. */
type Ownership =
  | { readonly owner: SolanaAddress; readonly isLocked: boolean }
  | { readonly owner: null; readonly isLocked: false; readonly under: Under }

const unowned = (under: Under): Ownership => ({ owner: null, isLocked: false, under })

const byTerms = ({ owner, until }: PositionTerms, { time }: OwnerContext): Ownership => ({
  owner,
  isLocked: until >= time.seconds + LEAST_LOCK_SECONDS
})

/** The account that a position's token lies in, as far as it was told. */
const accountOf = (mint: SolanaAddress, { book, holders, kind }: OwnerContext): SolanaAccount | null => {
  if (kind === "meteora-damm-v2") return book.get(dammPositionAccount(mint)) ?? null
  const found = holders.get(mint)
  const holder = found?.known === true ? found.value.find(({ amount }) => amount === 1n) : undefined
  return holder === undefined ? null : (book.get(holder.address) ?? null)
}

const tokenOf = ({ mint }: RawPosition, context: OwnerContext): TokenAccount | null => {
  const held = mint === null ? null : decodeTokenAccount(accountOf(mint, context))
  return held !== null && held.mint === mint && held.amount === 1n ? held : null
}

/**
 * Whether nobody can ever hold a position's token: there is none, nobody can mint one, and no person can close the mint
 * to make it anew. The programs withdraw for whoever holds it, and mint it once.
 */
const isBurned = (mint: SolanaAddress | null, { book }: OwnerContext): boolean => {
  const reading = mint === null ? null : readMint(book.get(mint) ?? null)
  if (reading?.kind !== "mint" || reading.mint.walk.kind !== "complete") return false
  const { mintAuthority, supply, walk } = reading.mint
  const closer = walk.extensions.mintCloseAuthority ?? null
  return supply === 0n && mintAuthority === null && (closer === null || !isWallet(closer))
}

/** Whoever holds a position's token can withdraw it, unless that is a burn address or a lock. */
const holderOf = (position: RawPosition, context: OwnerContext): Ownership => {
  const held = tokenOf(position, context)
  if (held === null)
    return isBurned(position.mint, context) ? { owner: position.address, isLocked: true } : unowned("silence")
  const { mint, owner } = held
  if (BURN_ADDRESSES.has(owner) || owner === RAYDIUM_POSITION_LOCK) return { owner, isLocked: true }
  if (isWallet(owner)) return { owner, isLocked: false }
  const terms = context.terms.get(mint)
  // A program's address: a lock whose terms were read, or somebody who cannot be told.
  return terms === undefined ? unowned(owner) : byTerms(terms, context)
}

const ownershipOf = (position: RawPosition, context: OwnerContext): Ownership => {
  const { address, owner, releaseAt } = position
  switch (context.kind) {
    case "meteora-dlmm": {
      const terms = owner === null || isWallet(owner) ? undefined : context.terms.get(address)
      if (owner === null) return unowned("silence")
      if (isHeldBack(releaseAt, context)) return { owner, isLocked: true }
      if (terms !== undefined) return byTerms(terms, context)
      return isWallet(owner) ? { owner, isLocked: false } : unowned(owner)
    }
    case "orca-whirlpool": {
      const isLocked = context.book.get(whirlpoolLock(address))?.owner === program.orcaWhirlpool
      return isLocked ? { owner: address, isLocked } : holderOf(position, context)
    }
    default:
      return holderOf(position, context)
  }
}

/** Whoever may move a position's token, or use it, or operate the position, can withdraw it. */
const nameOfOwners = (positions: Iterable<WeighedPosition>, context: OwnerContext): PartyName =>
  partyNames(
    [...positions].flatMap(({ position, weight }) => {
      const { isDelegatesToo, operator, owner } = position
      const token = tokenOf(position, context)
      return [
        ...(token === null
          ? []
          : [{ owner: token.owner, delegate: isDelegatesToo ? token.appointed : token.delegate, weight }]),
        ...(owner === null ? [] : [{ owner, delegate: operator, weight }])
      ]
    })
  )

/** What nobody can tell whose it is: it counts as unseen. */
const NOTHING = { share: 0, tokens: 0 } as const

/** Everybody's part of a pool's liquidity, as far as it could be told. */
export const positionShares = (weighed: Weighed, context: OwnerContext): PositionReading => {
  const { isApart, offered, positions, reachable } = weighed
  const asked = new Set(lookedUp(context.kind, weighed))
  const owned = positions.map((one) => {
    const ownership = asked.has(one) ? ownershipOf(one.position, context) : unowned("unasked")
    return { ...one, ownership, weight: ownership.isLocked ? one.firm : one.weight }
  })
  const whole = owned.reduce((sum, one) => sum + one.weight + one.lockedWeight, 0)
  if (whole === 0) return { shares: [], isApart, unseen: 1, unnamed: 0, reachable, offered }
  const known = 1 - weighed.unseen
  const part = (weight: number): number => (weight / whole) * known
  const nameOf = nameOfOwners(asked, context)
  const open = new Map<Under, number>()
  let untold = 0
  const shares = owned.flatMap((one): ReadonlyArray<PositionShare> => {
    const { lockedWeight, ownership, position, tokens, weight } = one
    const { isLocked, owner } = ownership
    const { lasting, undated } = heldBack(position, context)
    const kept = Math.min(weight, lasting)
    const free = Math.max(0, weight - kept - undated)
    // What is held back until an unknown time is neither locked nor free: anything may be true of it.
    untold += part(owner === null ? free + undated : undated)
    if (ownership.owner === null) open.set(ownership.under, (open.get(ownership.under) ?? 0) + part(free))
    return [
      {
        owner: owner === null ? position.address : nameOf(owner),
        ...(owner === null ? NOTHING : { share: part(free), tokens }),
        isLocked
      },
      { owner: owner ?? position.address, share: part(lockedWeight + kept), tokens: 0, isLocked: true }
    ].filter(({ share, tokens }) => share + tokens > 0)
  })
  const unseen = Math.min(1, weighed.unseen + untold)
  const looked = [...asked].reduce((sum, { weight }) => sum + part(weight), 0)
  return { shares, isApart, unseen, unnamed: unnamedOf(open, looked), reachable, offered }
}
