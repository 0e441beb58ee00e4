import type { AccountBook } from "../reads/account-book.ts"
import type { LiquidityClaim } from "./decoded-pool.ts"
import type { LpReading, PoolLock } from "./lp-reading.ts"
import { joinPieces, NOTHING_KNOWN } from "./lp-reading.ts"
import { lpTokenLock } from "./lp-tokens.ts"

const positionLock = (locked: number, { positions }: LpReading): PoolLock => {
  if (!positions.known) return { ...NOTHING_KNOWN, locked: { low: locked, high: 1 }, unseen: 1 - locked }
  const parties = new Map<string, number>()
  let lockedHere = 0
  for (const { isLocked, owner, share } of positions.value.shares) {
    if (isLocked) lockedHere += share
    else parties.set(owner, (parties.get(owner) ?? 0) + share)
  }
  const low = Math.min(1, Math.max(locked, lockedHere))
  const unseen = Math.min(1 - low, positions.value.unseen)
  return {
    ...NOTHING_KNOWN,
    locked: { low, high: Math.min(1, low + unseen) },
    parties: joinPieces(parties),
    unseen
  }
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
      return lpTokenLock(claim, reading, book, now)
    case "curve":
      return { ...NOTHING_KNOWN, locked: { low: 1, high: 1 }, unseen: 0 }
    case "positions":
      return positionLock(claim.locked, reading)
  }
}
