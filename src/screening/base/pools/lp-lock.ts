import type { Address } from "viem"
import { decodeAbiParameters, parseAbiParameters } from "viem"
import { min } from "../../../domain/bigint.ts"
import { BURN_ADDRESSES } from "../addresses.ts"
import { LP_LOCKERS } from "./registry/lockers.ts"
import { withoutDust } from "./dust.ts"
import type { PoolCandidate } from "./pool-search.ts"
import type { Query } from "../reads/query.ts"
import { balanceOf, both, callData, list, mapQuery, pure, read, totalSupply, wordAt } from "../reads/query.ts"

/** A lock must last at least this long from now to count (a lock of minutes protects nobody). Seconds. */
export const MIN_LOCK_SECONDS = 30n * 86_400n
/** Share of the liquidity that must be out of everybody's reach. */
export const LOCKED_SHARE = 0.95
/** Locks of one LP token that are read per locker; LP beyond them counts as undated. */
const MAX_LOCKS = 5

/** LP in a locker by the date it can leave. Amounts are LP tokens. */
interface Lock {
  readonly amount: bigint
  readonly unlockDate: bigint
}

/** Who holds one V2-type pool's LP tokens. Shares are 0 to 1 of the LP supply. */
export interface LpState {
  readonly pool: Address
  readonly burned: number
  /** In lockers, with at least 30 days to go, or in a locker the operator vouches for. */
  readonly locked: number
  /** In a known locker whose unlock date cannot be read. */
  readonly undated: number
  /** Held by an account that controls the token, where it is known. */
  readonly controlled: number
  /** Unix seconds of the first unlock that counts; null without one. */
  readonly earliestUnlock: bigint | null
}

/** UNCX V2: `tokenLocks(lp, i)` → lockDate, amount, initialAmount, unlockDate, lockID, owner. */
const uncxLocks = (locker: Address, lp: Address): Query<ReadonlyArray<Lock>> =>
  mapQuery(
    list(
      Array.from({ length: MAX_LOCKS }, (_, index) =>
        read(locker, callData("tokenLocks(address,uint256)", lp, index), (data): Lock | undefined => {
          const [amount, unlockDate] = [wordAt(data, 1), wordAt(data, 3)]
          return amount === undefined || unlockDate === undefined ? undefined : { amount, unlockDate }
        })
      )
    ),
    (locks) => locks.filter((lock) => lock !== undefined)
  )

const PINK_LOCKS = parseAbiParameters(
  "(uint256 id, address token, address owner, uint256 amount, uint256 lockDate, uint256 tgeDate, uint256 tgeBps, uint256 cycle, uint256 cycleBps, uint256 unlockedAmount, string description)[]"
)

/** PinkLock V2: `getLocksForToken(lp, from, to)`; the first date anything may leave is the TGE date. */
const pinkLocks = (locker: Address, lp: Address): Query<ReadonlyArray<Lock>> =>
  mapQuery(
    read(
      locker,
      callData("getLocksForToken(address,uint256,uint256)", lp, 0, MAX_LOCKS - 1),
      (data): ReadonlyArray<Lock> | undefined => {
        try {
          const [locks] = decodeAbiParameters(PINK_LOCKS, data)
          return locks.map(({ amount, unlockedAmount, tgeDate }) => ({
            amount: amount - unlockedAmount,
            unlockDate: tgeDate
          }))
        } catch {
          return undefined
        }
      }
    ),
    (locks) => locks ?? []
  )

/** Every trusted locker; the operator's own count without a date, because the operator vouches for them. */
export type LockerList = ReadonlyArray<
  | { readonly address: Address; readonly kind: (typeof LP_LOCKERS)[number]["kind"] }
  | { readonly address: Address; readonly kind: "vouched" }
>

export const lockerList = (extra: ReadonlyArray<Address>): LockerList => [
  ...LP_LOCKERS.filter(({ address }) => !extra.includes(address)),
  ...extra.map((address) => ({ address, kind: "vouched" as const }))
]

const locksIn = ({ address, kind }: LockerList[number], lp: Address): Query<ReadonlyArray<Lock>> => {
  if (kind === "uncx-v2") return uncxLocks(address, lp)
  return kind === "pinklock-v2" ? pinkLocks(address, lp) : pure([])
}

const sum = (amounts: ReadonlyArray<bigint | undefined>): bigint =>
  amounts.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n)

/** What one locker really holds, split by what its dates say. */
const lockedIn = (
  kind: LockerList[number]["kind"],
  held: bigint,
  locks: ReadonlyArray<Lock>,
  now: bigint
): { readonly locked: bigint; readonly undated: bigint; readonly earliest: bigint | null } => {
  if (kind === "vouched") return { locked: held, undated: 0n, earliest: null }
  if (kind === "undated") return { locked: 0n, undated: held, earliest: null }
  const lasting = locks.filter(({ unlockDate }) => unlockDate >= now + MIN_LOCK_SECONDS)
  const dated = min(held, sum(locks.map(({ amount }) => amount)))
  return {
    locked: min(held, sum(lasting.map(({ amount }) => amount))),
    undated: held - dated,
    earliest: lasting.reduce<bigint | null>(
      (first, { unlockDate }) => (first === null || unlockDate < first ? unlockDate : first),
      null
    )
  }
}

/**
 * Smallest units of a token itself that whoever locked them may have back within 30 days, or on a date that cannot be
 * read: of the lockers listed only PinkLock tells the dates of plain tokens. Undefined where the token did not say what one
 * of them holds.
 */
export const looselyLocked = (token: Address, lockers: LockerList, now: bigint): Query<bigint | undefined> =>
  mapQuery(
    list(
      lockers.map(({ address, kind }) => {
        const locks = kind === "pinklock-v2" ? pinkLocks(address, token) : pure([])
        return mapQuery(both(balanceOf(token, address), locks), ([held, dated]) =>
          held === undefined ? undefined : held - lockedIn(kind, held, dated, now).locked
        )
      })
    ),
    (loose) => (loose.includes(undefined) ? undefined : sum(loose))
  )

/**
 * Who holds the LP of one V2-type pool.
 * @param suspects accounts that control the token (its owner, the token contract itself)
 */
export const readLp = (
  pool: PoolCandidate,
  lockers: LockerList,
  suspects: ReadonlyArray<Address>,
  now: bigint
): Query<LpState | undefined> => {
  const lp = pool.address
  const burned = list(BURN_ADDRESSES.map((holder) => balanceOf(lp, holder)))
  const locked = list(
    lockers.map((locker) =>
      mapQuery(both(balanceOf(lp, locker.address), locksIn(locker, lp)), ([held, locks]) =>
        lockedIn(locker.kind, held ?? 0n, locks, now)
      )
    )
  )
  const controlled = list(suspects.map((holder) => balanceOf(lp, holder)))
  return mapQuery(both(both(totalSupply(lp), burned), both(locked, controlled)), (parts) => {
    const [[supply, burnedParts], [lockedParts, controlledParts]] = parts
    if (supply === undefined || supply === 0n) return undefined
    const share = (amount: bigint): number => Number((amount * 1_000_000n) / supply) / 1_000_000
    const dates = lockedParts.flatMap(({ earliest }) => (earliest === null ? [] : [earliest]))
    return {
      pool: lp,
      burned: share(sum(burnedParts)),
      locked: share(sum(lockedParts.map(({ locked }) => locked))),
      undated: share(sum(lockedParts.map(({ undated }) => undated))),
      controlled: share(sum(controlledParts)),
      earliestUnlock: dates.reduce<bigint | null>(
        (first, date) => (first === null || date < first ? date : first),
        null
      )
    }
  })
}

/** LP shares of one pool for the verdict on all of them. */
export interface PoolLock {
  readonly quoteUsd: number
  /** Null where it cannot be known (V4 positions, undated lockers, positions whose owner is not known). */
  readonly lockedShare: number | null
  /** The most one owner could take out; null where it is not known. */
  readonly largestFree: number | null
}

/** What the LP of all trusted pools adds up to. */
export interface LpVerdict {
  readonly locked: boolean | null
  /** USD-weighted share known to be out of reach, 0 to 1. */
  readonly share: number
  /** No single owner could remove most of the liquidity. */
  readonly spread: boolean
}

/** Pools with less than this share of all the money together change nothing about the whole. */
const DUST_SHARE = 0.02
/** From here on one owner's leaving ends the market. */
const MOST = 0.5

/**
 * Locked means: the deepest pool, and 95 % of the USD over all trusted pools, are out of reach. A small locked pool
 * beside a large unlocked one is not locked; what is unknown can only make the answer unknown; dust does neither.
 */
export const lpVerdict = (all: ReadonlyArray<PoolLock>): LpVerdict => {
  const trusted = withoutDust(all, DUST_SHARE)
  const total = trusted.reduce((usd, { quoteUsd }) => usd + quoteUsd, 0)
  if (total === 0) return { locked: null, share: 0, spread: false }
  const usd = (share: (lock: PoolLock) => number) =>
    trusted.reduce((part, lock) => part + lock.quoteUsd * share(lock), 0) / total
  const share = usd(({ lockedShare }) => lockedShare ?? 0)
  const possible = usd(({ lockedShare }) => lockedShare ?? 1)
  // LP tokens beyond burn addresses and lockers are taken for one owner's: who holds them is not read.
  const spread =
    usd(({ largestFree, lockedShare }) => largestFree ?? ((lockedShare ?? 0) >= LOCKED_SHARE ? 0 : 1)) < MOST
  const primary = trusted.toSorted((a, b) => b.quoteUsd - a.quoteUsd)[0]
  const primaryLocked = primary?.lockedShare ?? null
  if (possible < LOCKED_SHARE || (primaryLocked !== null && primaryLocked < LOCKED_SHARE))
    return { locked: false, share, spread }
  return { locked: primaryLocked !== null && share >= LOCKED_SHARE ? true : null, share, spread }
}

/** Share of a V2-type pool's LP out of reach, 0 to 1; null where a locker without readable dates decides it. */
export const lockedShareOf = ({ burned, locked, undated }: LpState): number | null => {
  const share = Math.min(1, burned + locked)
  return share < LOCKED_SHARE && share + undated >= LOCKED_SHARE ? null : share
}
