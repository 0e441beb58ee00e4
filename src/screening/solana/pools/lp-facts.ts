import type { Interval, PoolFact } from "./pool-fact.ts"
import type { PoolLock } from "./lp-reading.ts"

/** This much of the liquidity must be out of everybody's reach to call it locked. */
const LOCKED_SHARE = 0.95
/** RugCheck's figure and our own reading may differ by this much before neither is believed alone. */
const RUGCHECK_TOLERANCE = 0.1

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

/** The lock over every trusted pool, weighted by the USD a seller could reach: a pool's own tokens are nobody's exit. */
export interface LpFacts {
  readonly locked: boolean | null
  /** Share of all trusted liquidity that is certainly out of reach, and the most that could be. */
  readonly share: Interval
  /** Share of all liquidity one party can withdraw for certain, and the most one could. */
  readonly removable: Interval
}

type Weighed = Pick<PoolFact, "quoteUsd" | "mostUsd" | "lock" | "switchedBy">

/** Whoever can stop all trading in a pool can keep everybody from its liquidity, as if he had taken it. */
const lockOf = ({ lock, switchedBy }: Weighed): PoolLock =>
  switchedBy === null
    ? lock
    : { ...lock, locked: { low: 0, high: 0 }, parties: new Map([[switchedBy, 1]]), unseen: 0, unnamed: 0 }

/** USD in pools whose liquidity is not known, at most. */
const unvalued = (pools: ReadonlyArray<Weighed>): number =>
  pools.reduce((sum, { quoteUsd, mostUsd }) => (quoteUsd === null ? sum + (mostUsd ?? Infinity) : sum), 0)

const weight = ({ quoteUsd }: Weighed): number => quoteUsd ?? 0

/**
 * The most that all parties together could withdraw beside these pools, 0 to 1 of all liquidity. Pools that nobody can
 * value are included: what lies there may be anybody's, though dust is as little as it can be.
 */
export const unlockedBeside = (
  pools: ReadonlyArray<Weighed & Pick<PoolFact, "address">>,
  beside: ReadonlySet<string>
): number => {
  const rest = unvalued(pools)
  const total = pools.reduce((sum, pool) => sum + weight(pool), rest)
  const held = pools.reduce(
    (sum, pool) => (beside.has(pool.address) ? sum : sum + weight(pool) * (1 - lockOf(pool).locked.low)),
    0
  )
  return total > 0 && total < Infinity ? (held + rest) / total : 1
}

const onAverage = <A extends Weighed>(pools: ReadonlyArray<A>, of: (pool: A) => number): number => {
  const total = pools.reduce((sum, pool) => sum + weight(pool), 0)
  return total > 0 ? pools.reduce((sum, pool) => sum + (weight(pool) / total) * of(pool), 0) : 0
}

/**
 * What of all liquidity lies, in these pools, in positions of which nobody can say whose they are, though they were seen.
 * Where liquidity of named wallets counts as many hands', this does as well: whoever has most of it could name any.
 */
export const unnamedIn = (
  pools: ReadonlyArray<Weighed & Pick<PoolFact, "address">>,
  among: ReadonlySet<string>
): number => onAverage(pools, (pool) => (among.has(pool.address) ? lockOf(pool).unnamed : 0))

/** `complete`: most of what is known to be there was read; else no lock is certain. */
export const lpFacts = (pools: ReadonlyArray<Weighed>, complete: boolean): LpFacts => {
  const valued = pools
    .filter((pool) => (pool.quoteUsd ?? 0) > 0)
    .map((pool) => ({ ...pool, lock: lockOf(pool) }))
  const total = valued.reduce((sum, pool) => sum + weight(pool), 0)
  const [primary] = valued.toSorted((a, b) => weight(b) - weight(a))
  if (primary === undefined || total === 0) {
    return { locked: null, share: { low: 0, high: 1 }, removable: { low: 0, high: 1 } }
  }
  const average = (of: (pool: Weighed) => number): number => onAverage(valued, of)
  const share = { low: average(({ lock }) => lock.locked.low), high: average(({ lock }) => lock.locked.high) }
  // What is not valued may be anybody's.
  const lockedOfAll = complete ? (share.low * total) / (total + unvalued(pools)) : 0
  const allLocked = lockedOfAll >= LOCKED_SHARE && primary.lock.locked.low >= LOCKED_SHARE
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
