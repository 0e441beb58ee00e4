/**
 * LP tokens at Raydium's Burn & Earn stay there for good. What they have gained does not: whoever locked them may harvest it
 * any day, fees as well as what was simply sent to the pool's vaults, which makes every LP token worth more.
 */
import type { SolanaAddress } from "../../../domain/address.ts"
import { bigger } from "../../../domain/bigger.ts"
import type { EarningLock } from "../power/lockers.ts"
import type { AccountBook } from "../reads/account-book.ts"
import type { DecodedPool } from "./decoded-pool.ts"
import { depthOf } from "./reserves.ts"

/** A pool, seen from a token. */
export interface PoolOf {
  readonly pool: DecodedPool
  readonly token: SolanaAddress
}

/**
 * What an LP token of a CPMM pool is worth now: √(token · quote) for each. The first ones are made at one each, and all
 * others at what they are worth. Null where the vaults were not read.
 */
const worthOf = ({ pool, token }: PoolOf, book: AccountBook): number | null => {
  const depth = depthOf(pool, token, book, 0)
  const issued = pool.claim.kind === "lp-tokens" ? Number(pool.claim.issued ?? 0n) : 0
  return depth === null || issued === 0 ? null : Math.sqrt(depth.token * depth.quote) / issued
}

/** Only CPMM's LP tokens can be harvested there; others that somebody sends it are lost. */
const canHarvest = ({ pool }: PoolOf): boolean => pool.kind === "raydium-cpmm"

/** With so little gained since the pool's first day nobody needs to know when it was harvested last. */
const LITTLE = 1.02

/** Whether it matters what the locks of a pool's LP tokens say. */
export const mayHaveGained = (place: PoolOf, book: AccountBook): boolean =>
  canHarvest(place) && (worthOf(place, book) ?? Infinity) > LITTLE

/** What of an amount is still as much as it was, where one was worth so much then. */
const firm = (amount: bigint, then: number, now: number): number => Number(amount) * Math.min(1, then / now)

/** What of so many LP tokens there nobody can harvest. Of those that no lock accounts for, all gains since the first day can. */
export const keptThere =
  (place: PoolOf, locks: ReadonlyArray<EarningLock>, book: AccountBook) =>
  (held: bigint): bigint => {
    if (!canHarvest(place)) return held
    const now = worthOf(place, book)
    if (now === null) return 0n
    const told = locks.reduce((sum, { amount }) => sum + amount, 0n)
    // Locks that add up to more than there is are not believed.
    const believed = told > held ? [] : locks
    const rest = told > held ? held : held - told
    const kept = believed.reduce(
      (sum, { amount, issued, product, unclaimed }) => {
        const then = issued === 0n ? 1 : Math.sqrt(Number(product)) / Number(issued)
        return sum + firm(bigger(amount - unclaimed, 0n), then, now)
      },
      firm(rest, 1, now)
    )
    return BigInt(Math.floor(kept))
  }
