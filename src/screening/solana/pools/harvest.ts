/**
 * LP tokens at Raydium's Burn & Earn, or in DAMM v1's own locks, stay there for good. What they gain does not: whoever locked
 * them may harvest it any day, fees as well as what was simply sent to where the pool keeps its two sides.
 */
import type { SolanaAddress } from "../../../domain/address.ts"
import { max, sum } from "../../../domain/bigint.ts"
import type { EarningLock } from "../power/lockers.ts"
import { EARNING_LOCKERS } from "../power/lockers.ts"
import { readMint } from "../power/mint.ts"
import type { AccountBook } from "../reads/account-book.ts"
import type { DecodedPool } from "./decoded-pool.ts"
import { depthOf } from "./reserves.ts"

/** A pool, seen from a token. */
export interface PoolOf {
  readonly pool: DecodedPool
  readonly token: SolanaAddress
}

/** By what its LP tokens are shares: the pool's own count, or those there are. */
const issuedOf = ({ claim }: DecodedPool, book: AccountBook): number => {
  if (claim.kind !== "lp-tokens") return 0
  const reading = readMint(book.get(claim.lpMint) ?? null)
  return Number(claim.issued ?? (reading.kind === "mint" ? reading.mint.supply : 0n))
}

/**
 * What an LP token is worth now: √(token · quote) for each. A pool's first ones are made at one each, and all others at what
 * they are worth. Null where what the pool holds was not read.
 */
const worthOf = ({ pool, token }: PoolOf, book: AccountBook): number | null => {
  const [depth, issued] = [depthOf(pool, token, book, 0), issuedOf(pool, book)]
  return depth === null || issued === 0 ? null : Math.sqrt(depth.token * depth.quote) / issued
}

const canHarvest = ({ pool }: PoolOf): boolean => EARNING_LOCKERS[pool.kind] !== undefined

/** With so little gained since the pool's first day nobody needs to know when it was harvested last. */
const LITTLE = 1.02

/** Whether it matters what the locks of a pool's LP tokens say. */
export const mayHaveGained = (place: PoolOf, book: AccountBook): boolean =>
  canHarvest(place) && (worthOf(place, book) ?? Infinity) > LITTLE

/** What of an amount is still as much as it was, where one was worth so much then. */
const firm = (amount: bigint, then: number, now: number): number => Number(amount) * Math.min(1, then / now)

/** What of so many locked LP tokens nobody can harvest. Of those that no lock accounts for, all gains since the first day can. */
export const keptThere =
  (place: PoolOf, locks: ReadonlyArray<EarningLock>, book: AccountBook) =>
  (held: bigint): bigint => {
    if (held === 0n || !canHarvest(place)) return held
    const now = worthOf(place, book)
    if (now === null) return 0n
    const told = sum(locks.map(({ amount }) => amount))
    // Locks that add up to more than there is are not believed.
    if (told > held) return BigInt(Math.floor(firm(held, 1, now)))
    const kept = locks.reduce(
      (sum, { amount, unclaimed, worth }) => sum + firm(max(amount - unclaimed, 0n), worth, now),
      firm(held - told, 1, now)
    )
    return BigInt(Math.floor(kept))
  }
