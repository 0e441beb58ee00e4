import type { SolanaAddress } from "../../../domain/address.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { seedOf } from "../reads/bytes.ts"
import { readMint } from "../power/mint.ts"
import type { Interval, PoolFact } from "./pool-fact.ts"
import type { LiquidityClaim } from "./decoded-pool.ts"
import { isOnCurve } from "../reads/program-address.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"

/** This much of the liquidity must be out of everybody's reach to call it locked (facts/risk.md G). */
export const LOCKED_SHARE = 0.95
/** RugCheck's figure and our own reading may differ by this much before neither is believed alone (D6). */
const RUGCHECK_TOLERANCE = 0.1

/** Token accounts that could hold LP tokens of one pool, by what holding them would mean. */
export interface LpAccounts {
  /** Burned or locked for good. */
  readonly permanent: ReadonlyArray<SolanaAddress>
  /** In a locker the operator named. */
  readonly operator: ReadonlyArray<SolanaAddress>
  /** In a locker whose end date we do not read: neither locked for sure nor withdrawable for sure. */
  readonly timed: ReadonlyArray<SolanaAddress>
  /** Of wallets tied to the token, each of whose keys can withdraw. */
  readonly wallets: ReadonlyArray<SolanaAddress>
}

export const noLpAccounts: LpAccounts = { permanent: [], operator: [], timed: [], wallets: [] }

export interface PoolLock {
  readonly locked: Interval
  /** The largest share one such wallet holds. */
  readonly walletShare: number
  /** Share in lockers the operator named, which RugCheck cannot know. */
  readonly operatorShare: number
  /** Share in lockers whose end date is not read: it can be neither counted as locked nor as withdrawable. */
  readonly timedShare: number
}

const NOTHING_KNOWN: PoolLock = {
  locked: { low: 0, high: 1 },
  walletShare: 0,
  operatorShare: 0,
  timedShare: 0
}

/** A wallet is a point on the curve: somebody can hold its key. Programs' addresses never are. */
export const isWallet = (address: SolanaAddress): boolean => isOnCurve(seedOf(address))

const lpLock = (
  claim: Extract<LiquidityClaim, { kind: "lp-tokens" }>,
  accounts: LpAccounts,
  book: AccountBook
): PoolLock => {
  const reading = readMint(book.get(claim.lpMint) ?? null)
  if (reading.kind !== "mint" || claim.issued === 0n) return NOTHING_KNOWN
  const shareOf = (amount: bigint): number => Number((amount * 1_000_000n) / claim.issued) / 1_000_000
  const held = (address: SolanaAddress): number => {
    const account = decodeTokenAccount(book.get(address) ?? null)
    return account !== null && account.mint === claim.lpMint ? shareOf(account.amount) : 0
  }
  const sum = (addresses: ReadonlyArray<SolanaAddress>): number =>
    [...new Set(addresses)].reduce((total, address) => total + held(address), 0)
  const burned = Math.max(0, 1 - shareOf(reading.mint.supply))
  const operatorShare = sum(accounts.operator)
  const low = Math.min(1, burned + sum(accounts.permanent) + operatorShare)
  const wallets = accounts.wallets.map(held)
  return {
    locked: { low, high: Math.max(low, 1 - sum(accounts.wallets)) },
    walletShare: Math.max(0, ...wallets),
    operatorShare,
    timedShare: sum(accounts.timed)
  }
}

/**
 * What part of a pool's liquidity is out of reach, as far as its accounts tell. Rules per program: facts/risk.md D6.
 * Positions of concentrated pools cannot be enumerated in one read and stay unknown.
 */
export const poolLock = (claim: LiquidityClaim, accounts: LpAccounts, book: AccountBook): PoolLock => {
  switch (claim.kind) {
    case "lp-tokens":
      return lpLock(claim, accounts, book)
    case "curve":
      return { locked: { low: 1, high: 1 }, walletShare: 0, operatorShare: 0, timedShare: 0 }
    case "permanent-share":
      return { ...NOTHING_KNOWN, locked: { low: claim.share, high: 1 } }
    case "positions":
      return NOTHING_KNOWN
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
 * Our reading with RugCheck's as a second opinion. Where it agrees with what we could see, the rest is taken as
 * unlocked; where it claims more, there may be a locker we do not know, and the answer stays open; where it claims
 * less, its figure bounds what is certain.
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
  /** Somebody could take more than half of the liquidity, as far as is known: then the lock is critical. */
  readonly mostRemovable: boolean
  /** The largest share of the deepest pool's LP tokens seen in a wallet tied to the token. */
  readonly walletShare: number
}

/** `complete`: every place that lists pools answered; without it no lock is certain, for the real pool may be unseen. */
export const lpFacts = (pools: ReadonlyArray<PoolFact>, complete: boolean): LpFacts => {
  const valued = pools.filter((pool) => (pool.liquidityUsd ?? 0) > 0)
  const weight = (pool: PoolFact): number => pool.liquidityUsd ?? 0
  const total = valued.reduce((sum, pool) => sum + weight(pool), 0)
  const [primary] = valued.toSorted((a, b) => weight(b) - weight(a))
  if (primary === undefined || total === 0) {
    return { locked: null, share: { low: 0, high: 1 }, mostRemovable: true, walletShare: 0 }
  }
  const average = (side: keyof Interval): number =>
    valued.reduce((sum, pool) => sum + (weight(pool) / total) * pool.locked[side], 0)
  const share = { low: average("low"), high: average("high") }
  const isComplete = complete && pools.every(({ liquidityUsd }) => liquidityUsd !== null)
  const allLocked = isComplete && share.low >= LOCKED_SHARE && primary.locked.low >= LOCKED_SHARE
  const isUnlocked = share.high < LOCKED_SHARE || primary.locked.high < LOCKED_SHARE
  return {
    locked: allLocked ? true : isUnlocked ? false : null,
    share,
    mostRemovable: !isComplete || share.low < 0.5,
    walletShare: primary.walletShare
  }
}
