import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { PoolLock } from "../../../src/screening/solana/pools/lp-reading.ts"
import { lpFacts, withRugCheck } from "../../../src/screening/solana/pools/lp-facts.ts"

const lockOf = (low: number, high: number, rest: Partial<PoolLock> = {}): PoolLock => ({
  locked: { low, high },
  parties: new Map(),
  unseen: 1 - low,
  unnamed: 0,
  tokenSide: null,
  operatorShare: 0,
  timedShare: 0,
  ...rest
})

const share = fc.double({ min: 0, max: 1, noNaN: true })
const lock: fc.Arbitrary<PoolLock> = fc.tuple(share, share, share).map(([a, b, timed]) => {
  const [low, high] = [Math.min(a, b), Math.max(a, b)]
  return lockOf(low, high, { timedShare: Math.min(timed, high - low) })
})

const pool = (quoteUsd: number | null, low: number, high: number, parties: Record<string, number> = {}) => ({
  quoteUsd,
  mostUsd: null,
  switchedBy: null,
  lock: lockOf(low, high, {
    parties: new Map(Object.entries(parties)),
    ...(Object.keys(parties).length === 0 ? {} : { unseen: 0 })
  })
})
const pools = fc.array(
  fc
    .tuple(fc.double({ min: 1, max: 1e9, noNaN: true }), share, share)
    .map(([usd, a, b]) => pool(usd, Math.min(a, b), Math.max(a, b))),
  { minLength: 1, maxLength: 6 }
)

describe("withRugCheck", () => {
  it("never makes more certain than the chain did", () => {
    fc.assert(
      fc.property(lock, fc.option(share), (own, said) => {
        const { high, low } = withRugCheck(own, said)
        expect(low).toBeLessThanOrEqual(own.locked.low)
        expect(high).toBeLessThanOrEqual(own.locked.high + 1e-9)
        expect(low).toBeLessThanOrEqual(high + 1e-9)
      })
    )
  })
  it("takes the rest as unlocked where it agrees, and leaves it open where a locker is in play", () => {
    const own = lockOf(0.2, 1)
    expect(withRugCheck(own, 0.2)).toEqual({ low: 0.2, high: 0.2 })
    expect(withRugCheck(own, 0.9)).toEqual({ low: 0.2, high: 1 })
    expect(withRugCheck(own, 0)).toEqual({ low: 0, high: 1 })
    expect(withRugCheck({ ...own, timedShare: 0.8 }, 0.2)).toEqual({ low: 0.2, high: 1 })
    expect(withRugCheck({ ...own, operatorShare: 0.2 }, 0)).toEqual({ low: 0.2, high: 0.2 })
  })
})

describe("lpFacts", () => {
  it("is true only from 95 % of all trusted liquidity, and only when every place answered", () => {
    expect(lpFacts([pool(100, 0.95, 1)], true).locked).toBe(true)
    expect(lpFacts([pool(100, 0.9499, 1)], true).locked).toBe(null)
    expect(lpFacts([pool(100, 0, 0.9499)], true).locked).toBe(false)
    expect(lpFacts([pool(100, 1, 1)], false).locked).toBe(null)
    expect(lpFacts([pool(100, 1, 1), pool(null, 1, 1)], true).locked).toBe(null)
    expect(lpFacts([], true).locked).toBe(null)
  })
  it("is not open for a pool that nobody can value and that holds dust at most", () => {
    const dark = (mostUsd: number) => ({ ...pool(null, 0, 1), mostUsd })
    expect(lpFacts([pool(100, 1, 1), dark(5)], true).locked).toBe(true)
    expect(lpFacts([pool(100, 1, 1), dark(6)], true).locked).toBe(null)
    expect(lpFacts([pool(100, 0.96, 1), dark(3)], true).locked).toBe(null)
  })
  it("weights by USD: a locked small pool does not cover a deep unlocked one, nor dust the other way", () => {
    expect(lpFacts([pool(10, 1, 1), pool(90, 0, 0)], true).locked).toBe(false)
    expect(lpFacts([pool(99, 1, 1), pool(1, 0, 0)], true).locked).toBe(true)
  })
  it("adds up what one party could take over all pools, and what nobody could tell", () => {
    const spread = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`provider ${index}`, 0.05]))
    const { removable } = lpFacts([pool(100, 0, 0, spread)], true)
    expect([removable.low, removable.high]).toEqual([0.05, 0.05])
    expect(lpFacts([pool(60, 0, 0, { a: 0.5 }), pool(40, 0, 0, { a: 1 })], true).removable.low).toBeCloseTo(
      0.7
    )
    expect(lpFacts([pool(60, 1, 1), pool(40, 0, 1)], true).removable).toEqual({ low: 0, high: 0.4 })
    expect(lpFacts([], true).removable).toEqual({ low: 0, high: 1 })
  })
  it("never gets better when a pool's lock gets worse", () => {
    const rank = { true: 2, null: 1, false: 0 } as const
    fc.assert(
      fc.property(pools, fc.nat(), (before, pick) => {
        const index = pick % before.length
        const after = before.map((item, i) => (i === index ? { ...item, lock: lockOf(0, 0) } : item))
        const [a, b] = [lpFacts(before, true), lpFacts(after, true)]
        expect(rank[`${b.locked}`]).toBeLessThanOrEqual(rank[`${a.locked}`])
      })
    )
  })
})
