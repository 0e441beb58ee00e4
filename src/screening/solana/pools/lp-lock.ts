import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { missing } from "../../../domain/fact.ts"
import { BURN_ADDRESSES, LOCKER_PROGRAMS, program, RAYDIUM_BURN_AND_EARN } from "../addresses.ts"
import type { LpLock } from "../power/lockers.ts"
import { decodeVesting, LEAST_LOCK_SECONDS, takers } from "../power/lockers.ts"
import { readMint } from "../power/mint.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { seedOf } from "../reads/bytes.ts"
import { isOnCurve } from "../reads/program-address.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import type { LiquidityClaim } from "./decoded-pool.ts"
import type { Interval, PoolFact } from "./pool-fact.ts"

/** This much of the liquidity must be out of everybody's reach to call it locked. */
export const LOCKED_SHARE = 0.95
/** RugCheck's figure and our own reading may differ by this much before neither is believed alone. */
const RUGCHECK_TOLERANCE = 0.1

/** Token accounts that could hold LP tokens of one pool, by what holding them would mean. */
export interface LpAccounts {
  /** Burned or locked for good. */
  readonly permanent: ReadonlyArray<SolanaAddress>
  /** In a locker the operator named. */
  readonly operator: ReadonlyArray<SolanaAddress>
  /** Vaults of lockers whose locks stand in accounts of their own. */
  readonly timed: ReadonlyArray<TimedVault>
  /** Of wallets tied to the token, each of whose keys can withdraw. */
  readonly wallets: ReadonlyArray<SolanaAddress>
}

/** Where a locker holds the LP tokens of one pool. */
export interface TimedVault {
  readonly locker: SolanaAddress
  readonly vault: SolanaAddress
}

export const noLpAccounts: LpAccounts = { permanent: [], operator: [], timed: [], wallets: [] }

/** A part of a pool's liquidity that one party's position accounts hold, 0 to 1 of all of it. */
export interface PositionShare {
  readonly owner: string
  readonly share: number
  /** Locked for good or beyond the least time a lock must last. */
  readonly isLocked: boolean
}

/** Who holds a pool's liquidity, as far as it was listed. */
export interface LpReading {
  readonly accounts: LpAccounts
  /** The largest accounts of the pool's LP mint. */
  readonly largest: Fact<ReadonlyArray<SolanaTokenBalance>>
  readonly positions: Fact<ReadonlyArray<PositionShare>>
  /** The locks of each timed vault that holds something, by the vault. */
  readonly locks: ReadonlyMap<SolanaAddress, ReadonlyArray<LpLock>>
}

export const noLpReading: LpReading = {
  accounts: noLpAccounts,
  largest: missing("not read"),
  positions: missing("not read"),
  locks: new Map()
}

export interface PoolLock {
  readonly locked: Interval
  /** Shares of the liquidity that named parties could withdraw. */
  readonly parties: ReadonlyMap<string, number>
  /** Share that somebody may hold who was not seen. */
  readonly unseen: number
  /** Share in lockers the operator named, which RugCheck cannot know. */
  readonly operatorShare: number
  /** Share in lockers whose end date is not read: it can be neither counted as locked nor as withdrawable. */
  readonly timedShare: number
}

const NOTHING_KNOWN: PoolLock = {
  locked: { low: 0, high: 1 },
  parties: new Map(),
  unseen: 1,
  operatorShare: 0,
  timedShare: 0
}

/** A wallet is a point on the curve: somebody can hold its key. Programs' addresses never are. */
export const isWallet = (address: SolanaAddress): boolean => isOnCurve(seedOf(address))

interface Tally {
  permanent: number
  operator: number
  timed: number
  readonly parties: Map<string, number>
}

/** What an owner's holding of LP tokens means. */
const classify = (
  tally: Tally,
  balance: { readonly address: SolanaAddress; readonly owner: SolanaAddress; readonly amount: bigint },
  context: {
    readonly book: AccountBook
    readonly accounts: LpAccounts
    readonly locks: LpReading["locks"]
    readonly share: (amount: bigint) => number
    readonly now: number
  }
): void => {
  const { address, amount, owner } = balance
  const { accounts, book, locks, now, share } = context
  const add = (party: string, part: bigint) =>
    tally.parties.set(party, (tally.parties.get(party) ?? 0) + share(part))
  const ownerAccount = book.get(owner) ?? null
  const lockedForGood =
    BURN_ADDRESSES.has(owner) || owner === RAYDIUM_BURN_AND_EARN || accounts.permanent.includes(address)
  if (lockedForGood) tally.permanent += share(amount)
  // A lock escrow of this program has no way out, and the pool's own account counts it already.
  else if (ownerAccount?.owner === program.meteoraDammV1) return
  else if (accounts.operator.includes(address)) tally.operator += share(amount)
  else if (accounts.timed.some(({ vault }) => vault === address)) {
    const { free, lasting } = splitLocks(locks.get(address) ?? [], amount, now)
    for (const lock of free) add(lock.owner, lock.amount)
    tally.permanent += share(lasting)
    tally.timed += share(amount - lasting - free.reduce((sum, lock) => sum + lock.amount, 0n))
  } else if (ownerAccount !== null && LOCKER_PROGRAMS.has(ownerAccount.owner)) {
    const terms = decodeVesting(ownerAccount)
    if (terms === null) tally.timed += share(amount)
    else {
      const free = takers(terms, amount, now)
      for (const taker of free) add(taker.owner, taker.amount)
      tally.permanent += share(amount - free.reduce((sum, taker) => sum + taker.amount, 0n))
    }
  } else if (isWallet(owner)) add(owner, amount)
  // Somebody stands behind a program's address, and who that is cannot be told: it stays unseen.
}

/** A vault's balance by its locks: what stays for the least time a lock must last, and who gets the rest before. */
const splitLocks = (
  locks: ReadonlyArray<LpLock>,
  balance: bigint,
  now: number
): { readonly lasting: bigint; readonly free: ReadonlyArray<LpLock> } => {
  const ends = (lock: LpLock): boolean => lock.until < now + LEAST_LOCK_SECONDS
  const free = locks.filter(ends)
  const freed = free.reduce((sum, { amount }) => sum + amount, 0n)
  const held = locks.filter((lock) => !ends(lock)).reduce((sum, { amount }) => sum + amount, 0n)
  // Locks that add up to more than there is are not believed.
  return freed + held > balance ? { lasting: 0n, free: [] } : { lasting: held, free }
}

const lpLock = (
  claim: Extract<LiquidityClaim, { kind: "lp-tokens" }>,
  { accounts, largest, locks }: LpReading,
  book: AccountBook,
  now: number
): PoolLock => {
  const reading = readMint(book.get(claim.lpMint) ?? null)
  if (reading.kind !== "mint") return NOTHING_KNOWN
  const { supply } = reading.mint
  const issued = claim.issued ?? supply
  if (issued === 0n) return NOTHING_KNOWN
  const share = (amount: bigint): number => Number((amount * 1_000_000n) / issued) / 1_000_000
  const tally: Tally = { permanent: 0, operator: 0, timed: 0, parties: new Map() }
  const named = [
    ...accounts.permanent,
    ...accounts.operator,
    ...accounts.timed.map(({ vault }) => vault),
    ...accounts.wallets
  ]
  const listed = largest.known ? largest.value.map(({ address }) => address) : []
  for (const address of new Set([...listed, ...named])) {
    const account = decodeTokenAccount(book.get(address) ?? null)
    if (account === null || account.mint !== claim.lpMint) continue
    classify(tally, { ...account, address }, { accounts, book, locks, share, now })
  }
  const burned = Math.max(0, 1 - share(supply)) + share(claim.locked)
  const low = Math.min(1, burned + tally.permanent + tally.operator)
  const held = [...tally.parties.values()].reduce((sum, part) => sum + part, 0)
  return {
    locked: { low, high: Math.max(low, 1 - held) },
    parties: tally.parties,
    unseen: unseenShare(1 - low - held, { accounts, largest }, claim.lpMint, book, share),
    operatorShare: tally.operator,
    timedShare: tally.timed
  }
}

/** The node lists no more accounts than this. */
const LIST_LENGTH = 20

/**
 * What of the rest one party could hold unseen. After a full list each further account is smaller than the smallest
 * listed, so the rest is many small holdings; only listed accounts whose owner could not be told remain.
 */
const unseenShare = (
  rest: number,
  { largest }: Pick<LpReading, "accounts" | "largest">,
  lpMint: SolanaAddress,
  book: AccountBook,
  share: (amount: bigint) => number
): number => {
  if (!largest.known) return Math.max(0, rest)
  const unnamed = largest.value.filter(({ address }) => {
    const account = decodeTokenAccount(book.get(address) ?? null)
    if (account === null || account.mint !== lpMint) return true
    return !isWallet(account.owner) && !BURN_ADDRESSES.has(account.owner)
  })
  const inPrograms = unnamed.reduce((sum, { amount }) => sum + share(amount), 0)
  return Math.max(0, Math.min(rest, largest.value.length < LIST_LENGTH ? Math.max(rest, 0) : inPrograms))
}

const positionLock = (locked: number, { positions }: LpReading): PoolLock => {
  if (!positions.known) return { ...NOTHING_KNOWN, locked: { low: locked, high: 1 }, unseen: 1 - locked }
  const parties = new Map<string, number>()
  let lockedHere = 0
  for (const { isLocked, owner, share } of positions.value) {
    if (isLocked) lockedHere += share
    else parties.set(owner, (parties.get(owner) ?? 0) + share)
  }
  const low = Math.min(1, Math.max(locked, lockedHere))
  return { ...NOTHING_KNOWN, locked: { low, high: low }, parties, unseen: 0 }
}

/** What part of a pool's liquidity is out of reach, and who can take the rest, as far as its accounts tell. */
export const poolLock = (
  claim: LiquidityClaim,
  reading: LpReading,
  book: AccountBook,
  now: number
): PoolLock => {
  switch (claim.kind) {
    case "lp-tokens":
      return lpLock(claim, reading, book, now)
    case "curve":
      return { ...NOTHING_KNOWN, locked: { low: 1, high: 1 }, unseen: 0 }
    case "positions":
      return positionLock(claim.locked, reading)
  }
}

/** RugCheck's figure with what it cannot know added: the lockers the operator named. */
const secondOpinion = (own: PoolLock, rugCheck: number | null): number | null =>
  rugCheck === null ? null : Math.min(1, rugCheck + own.operatorShare)

/** Whether RugCheck's figure contradicts what we read: the two would lead to different answers. */
export const contradicts = (own: PoolLock, rugCheck: number | null): boolean => {
  const said = secondOpinion(own, rugCheck)
  const { high, low } = own.locked
  return said !== null && (said < low - RUGCHECK_TOLERANCE || said > high + RUGCHECK_TOLERANCE)
}

/**
 * Our reading with RugCheck's as a second opinion, which can only lower it. Where it agrees with what we could see,
 * the rest is taken as unlocked; where it claims more, there may be a locker we do not know, and the answer stays
 * open; where it claims less, its figure bounds what is certain.
 */
export const withRugCheck = (own: PoolLock, rugCheck: number | null): Interval => {
  const said = secondOpinion(own, rugCheck)
  const { high, low } = own.locked
  if (said === null || said > low + RUGCHECK_TOLERANCE) return own.locked
  if (said < low - RUGCHECK_TOLERANCE) return { low: said, high }
  return { low, high: Math.min(high, Math.max(low + own.timedShare, said)) }
}

/** The lock over every trusted pool, weighted by USD. */
export interface LpFacts {
  readonly locked: boolean | null
  /** Share of all trusted liquidity that is certainly out of reach, and the most that could be. */
  readonly share: Interval
  /** Share of all liquidity one party can withdraw for certain, and the most one could. */
  readonly removable: Interval
}

type Weighed = Pick<PoolFact, "liquidityUsd" | "lock">

/** `complete`: what lists the pools answered; without it no lock is certain, for the real pool may be unseen. */
export const lpFacts = (pools: ReadonlyArray<Weighed>, complete: boolean): LpFacts => {
  const valued = pools.filter((pool) => (pool.liquidityUsd ?? 0) > 0)
  const weight = (pool: Weighed): number => pool.liquidityUsd ?? 0
  const total = valued.reduce((sum, pool) => sum + weight(pool), 0)
  const [primary] = valued.toSorted((a, b) => weight(b) - weight(a))
  if (primary === undefined || total === 0) {
    return { locked: null, share: { low: 0, high: 1 }, removable: { low: 0, high: 1 } }
  }
  const average = (of: (pool: Weighed) => number): number =>
    valued.reduce((sum, pool) => sum + (weight(pool) / total) * of(pool), 0)
  const share = { low: average(({ lock }) => lock.locked.low), high: average(({ lock }) => lock.locked.high) }
  const isComplete = complete && pools.every(({ liquidityUsd }) => liquidityUsd !== null)
  const allLocked = isComplete && share.low >= LOCKED_SHARE && primary.lock.locked.low >= LOCKED_SHARE
  const isUnlocked = share.high < LOCKED_SHARE || primary.lock.locked.high < LOCKED_SHARE
  const parties = new Map<string, number>()
  for (const pool of valued) {
    for (const [party, part] of pool.lock.parties) {
      parties.set(party, (parties.get(party) ?? 0) + (weight(pool) / total) * part)
    }
  }
  const largest = Math.max(0, ...parties.values())
  return {
    locked: allLocked ? true : isUnlocked ? false : null,
    share,
    removable: { low: largest, high: Math.min(1, largest + average(({ lock }) => lock.unseen)) }
  }
}
