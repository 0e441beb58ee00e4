/** Who can withdraw the positions of a pool. */
import type { SolanaTokenBalance, SolanaAccount } from "../../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../../domain/address.ts"
import type { Fact } from "../../../../domain/fact.ts"
import { BURN_ADDRESSES, program, RAYDIUM_POSITION_LOCK } from "../../addresses.ts"
import type { PositionTerms } from "../../power/lockers.ts"
import { LEAST_LOCK_SECONDS } from "../../power/least-lock.ts"
import type { AccountBook } from "../../reads/account-book.ts"
import { bytesOf } from "../../reads/bytes.ts"
import { dammPositionAccount, whirlpoolLock } from "../../reads/pdas.ts"
import { isWallet } from "../../reads/program-address.ts"
import { decodeTokenAccount } from "../../reads/token-account.ts"
import type { PoolKind } from "../decoded-pool.ts"
import type { PositionReading, PositionShare } from "../lp-reading.ts"
import type { ChainTime } from "../terms.ts"
import type { RawPosition, Schedule } from "./formats.ts"
import type { Weighed, WeighedPosition } from "./reach.ts"

/** Owners are looked up from the heaviest position on until so much of the liquidity has one, within these limits. */
const COVERED = 0.75
const MOST_LISTED = 24
const MOST_READ = 90

/** Positions whose owner only a list of their token's accounts tells cost a call each. */
const isListed = (kind: PoolKind): boolean => kind === "raydium-clmm" || kind === "orca-whirlpool"

/** The positions whose owners are looked up. */
export const lookedUp = (kind: PoolKind, { positions }: Weighed): ReadonlyArray<WeighedPosition> => {
  if (!isListed(kind)) return positions.slice(0, MOST_READ)
  const whole = positions.reduce((sum, { weight }) => sum + weight, 0)
  let covered = 0
  return positions.slice(0, MOST_LISTED).filter(({ weight }) => {
    const isNeeded = covered < COVERED * whole
    covered += weight
    return isNeeded
  })
}

/** Position tokens whose holders have to be listed. */
export const positionMints = (kind: PoolKind, weighed: Weighed): ReadonlyArray<SolanaAddress> =>
  isListed(kind)
    ? lookedUp(kind, weighed).flatMap(({ position: { mint } }) => (mint === null ? [] : [mint]))
    : []

/** Accounts that tell who owns the heaviest positions, or that a lock holds them. */
export const positionAccounts = (kind: PoolKind, weighed: Weighed): ReadonlyArray<SolanaAddress> =>
  lookedUp(kind, weighed).flatMap(({ position: { address, mint } }) => {
    switch (kind) {
      case "meteora-damm-v2":
        return mint === null ? [] : [dammPositionAccount(mint)]
      case "orca-whirlpool":
        return [whirlpoolLock(address)]
      case "meteora-dlmm":
        return [address]
      default:
        return []
    }
  })

/** What an owner is told by. */
export interface OwnerContext {
  readonly kind: PoolKind
  readonly pool: SolanaAddress
  readonly book: AccountBook
  readonly time: ChainTime
  /** The accounts of each position's token. */
  readonly holders: ReadonlyMap<SolanaAddress, Fact<ReadonlyArray<SolanaTokenBalance>>>
  /** Locks at UNCX, by the position or the mint of its token. */
  readonly terms: ReadonlyMap<SolanaAddress, PositionTerms>
}

/** A lock in slots is measured by the fastest ones there are: 400 milliseconds each. */
const SLOTS_PER_SECOND = 2.5
const RELEASE_AT = 7992
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
const isHeldBack = (position: SolanaAccount | null, context: OwnerContext): boolean => {
  if (position?.owner !== program.meteoraDlmm || position.data.length < RELEASE_AT + 8) return false
  const point = lastingPoint(context.book.get(context.pool) ?? null, PAIR_UNIT_AT, context.time)
  return point !== null && Number(bytesOf(position.data).u64(RELEASE_AT)) >= point
}

/** Liquidity a position's own schedule still holds back after the least time a lock must last. */
const heldBack = (schedule: Schedule | null, context: OwnerContext): number => {
  const point = lastingPoint(context.book.get(context.pool) ?? null, DAMM_UNIT_AT, context.time)
  if (schedule === null || point === null) return 0
  const whole = schedule.atCliff + schedule.perPeriod * schedule.periods
  if (point < Number(schedule.cliff)) return Math.max(0, whole - schedule.released)
  const frequency = Number(schedule.frequency)
  const passed = frequency > 0 ? Math.floor((point - Number(schedule.cliff)) / frequency) : schedule.periods
  const due = schedule.atCliff + schedule.perPeriod * Math.min(schedule.periods, passed)
  return Math.max(0, whole - Math.max(due, schedule.released))
}

/** `owner`: null where it could not be told. */
interface Ownership {
  readonly owner: SolanaAddress | null
  readonly isLocked: boolean
}

const UNTOLD: Ownership = { owner: null, isLocked: false }

const byTerms = ({ owner, until }: PositionTerms, { time }: OwnerContext): Ownership => ({
  owner,
  isLocked: until >= time.seconds + LEAST_LOCK_SECONDS
})

/** Whoever holds a position's token can withdraw it, unless that is a burn address or a lock. */
const holderOf = (account: SolanaAccount | null, mint: SolanaAddress, context: OwnerContext): Ownership => {
  const held = decodeTokenAccount(account)
  if (held === null || held.mint !== mint || held.amount !== 1n) return UNTOLD
  const { owner } = held
  if (BURN_ADDRESSES.has(owner) || owner === RAYDIUM_POSITION_LOCK) return { owner, isLocked: true }
  if (isWallet(owner)) return { owner, isLocked: false }
  const terms = context.terms.get(mint)
  // A program's address: a lock whose terms were read, or somebody who cannot be told.
  return terms === undefined ? UNTOLD : byTerms(terms, context)
}

const listedHolder = (mint: SolanaAddress | null, context: OwnerContext): Ownership => {
  const found = mint === null ? undefined : context.holders.get(mint)
  const holder = found?.known === true ? found.value.find(({ amount }) => amount === 1n) : undefined
  return mint === null || holder === undefined
    ? UNTOLD
    : holderOf(context.book.get(holder.address) ?? null, mint, context)
}

const ownershipOf = ({ address, mint, owner }: RawPosition, context: OwnerContext): Ownership => {
  const { book, kind } = context
  switch (kind) {
    case "meteora-dlmm": {
      const terms = owner === null || isWallet(owner) ? undefined : context.terms.get(address)
      if (isHeldBack(book.get(address) ?? null, context)) return { owner, isLocked: true }
      if (terms !== undefined) return byTerms(terms, context)
      return owner !== null && isWallet(owner) ? { owner, isLocked: false } : UNTOLD
    }
    case "meteora-damm-v2":
      return mint === null ? UNTOLD : holderOf(book.get(dammPositionAccount(mint)) ?? null, mint, context)
    case "orca-whirlpool": {
      const isLocked = book.get(whirlpoolLock(address))?.owner === program.orcaWhirlpool
      return isLocked ? { owner: address, isLocked } : listedHolder(mint, context)
    }
    default:
      return listedHolder(mint, context)
  }
}

/** Everybody's part of a pool's liquidity, as far as it could be told. */
export const positionShares = (weighed: Weighed, context: OwnerContext): PositionReading => {
  const { positions, reachable } = weighed
  const whole = positions.reduce((sum, one) => sum + one.weight + one.lockedWeight, 0)
  if (whole === 0) return { shares: [], unseen: 1, reachable }
  const known = 1 - weighed.unseen
  const part = (weight: number): number => (weight / whole) * known
  const asked = new Set(lookedUp(context.kind, weighed))
  let untold = 0
  const shares = positions.flatMap((one): ReadonlyArray<PositionShare> => {
    const { lockedWeight, position, weight } = one
    const { isLocked, owner } = asked.has(one) ? ownershipOf(position, context) : UNTOLD
    const kept = Math.min(weight, heldBack(position.schedule, context))
    const free = weight - kept
    if (owner === null) untold += part(free)
    return [
      { owner: owner ?? position.address, share: owner === null ? 0 : part(free), isLocked },
      { owner: owner ?? position.address, share: part(lockedWeight + kept), isLocked: true }
    ].filter(({ share }) => share > 0)
  })
  return { shares, unseen: Math.min(1, weighed.unseen + untold), reachable }
}
