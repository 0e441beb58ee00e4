import type { AccountBook } from "../reads/account-book.ts"
import type { PoolOf } from "./harvest.ts"
import { keptThere } from "./harvest.ts"
import type { LpReading, PoolLock, PositionShare, TokenSide } from "./lp-reading.ts"
import { joinPieces, NOTHING_KNOWN } from "./lp-reading.ts"
import { lpTokenLock } from "./lp-tokens.ts"

/** Whose the tokens are that positions hold; pieces of one size are one party's, as those of liquidity are. */
const tokenSideOf = (shares: ReadonlyArray<PositionShare>): TokenSide => {
  const parties = new Map<string, number>()
  let locked = 0
  for (const { isLocked, owner, tokens } of shares) {
    if (isLocked) locked += tokens
    else if (tokens > 0) parties.set(owner, (parties.get(owner) ?? 0) + tokens)
  }
  const whole = [...parties.values()].reduce((sum, tokens) => sum + tokens, locked)
  const parts = new Map([...parties].map(([owner, tokens]) => [owner, tokens / whole] as const))
  return {
    locked,
    parties: new Map([...joinPieces(parts)].map(([owner, part]) => [owner, part * whole] as const))
  }
}

const positionLock = (locked: number, { positions }: LpReading): PoolLock => {
  if (!positions.known) return { ...NOTHING_KNOWN, locked: { low: locked, high: 1 }, unseen: 1 - locked }
  const parties = new Map<string, number>()
  let lockedHere = 0
  const { isApart, shares } = positions.value
  for (const { isLocked, owner, share } of shares) {
    if (isLocked) lockedHere += share
    else if (share > 0) parties.set(owner, (parties.get(owner) ?? 0) + share)
  }
  const low = Math.min(1, Math.max(locked, lockedHere))
  const unseen = Math.min(1 - low, positions.value.unseen)
  return {
    ...NOTHING_KNOWN,
    locked: { low, high: Math.min(1, low + unseen) },
    parties: joinPieces(parties),
    unseen,
    unnamed: Math.min(unseen, positions.value.unnamed),
    tokenSide: isApart ? tokenSideOf(shares) : null
  }
}

/** What part of a pool's liquidity is out of reach, and who can take the rest, as far as its accounts tell. */
export const poolLock = (place: PoolOf, reading: LpReading, book: AccountBook, now: number): PoolLock => {
  const { claim } = place.pool
  switch (claim.kind) {
    case "lp-tokens":
      return lpTokenLock(claim, reading, book, { now, kept: keptThere(place, reading.earning, book) })
    case "curve":
      return { ...NOTHING_KNOWN, locked: { low: 1, high: 1 }, unseen: 0 }
    case "positions":
      return positionLock(claim.locked, reading)
  }
}
