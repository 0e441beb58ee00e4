import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { PoolLock } from "../../../src/screening/solana/pools/lp-lock.ts"
import { lpFacts, withRugCheck } from "../../../src/screening/solana/pools/lp-lock.ts"
import type { PoolFact } from "../../../src/screening/solana/pools/pool-fact.ts"

const share = fc.double({ min: 0, max: 1, noNaN: true })
const lock: fc.Arbitrary<PoolLock> = fc.tuple(share, share, share).map(([a, b, timed]) => {
  const [low, high] = [Math.min(a, b), Math.max(a, b)]
  return { locked: { low, high }, walletShare: 0, operatorShare: 0, timedShare: Math.min(timed, high - low) }
})

const pool = (liquidityUsd: number | null, low: number, high: number): PoolFact => ({
  address: `${liquidityUsd}-${low}-${high}`,
  kind: "market",
  quoteUsd: liquidityUsd,
  liquidityUsd,
  priceUsd: 1,
  locked: { low, high },
  rugCheckLocked: null,
  walletShare: 0
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
    const own = { locked: { low: 0.2, high: 1 }, walletShare: 0, operatorShare: 0, timedShare: 0 }
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
  it("weights by USD: a locked small pool does not cover a deep unlocked one, nor dust the other way", () => {
    expect(lpFacts([pool(10, 1, 1), pool(90, 0, 0)], true).locked).toBe(false)
    expect(lpFacts([pool(99, 1, 1), pool(1, 0, 0)], true).locked).toBe(true)
  })
  it("is critical exactly while more than half could be taken", () => {
    expect(lpFacts([pool(60, 1, 1), pool(40, 0, 1)], true)).toMatchObject({
      locked: null,
      mostRemovable: false
    })
    expect(lpFacts([pool(40, 1, 1), pool(60, 0, 1)], true).mostRemovable).toBe(true)
    expect(lpFacts([pool(60, 1, 1)], false).mostRemovable).toBe(true)
  })
  it("never gets better when a pool's lock gets worse", () => {
    const rank = { true: 2, null: 1, false: 0 } as const
    fc.assert(
      fc.property(pools, fc.nat(), (before, pick) => {
        const index = pick % before.length
        const after = before.map((item, i) => (i === index ? { ...item, locked: { low: 0, high: 0 } } : item))
        const [a, b] = [lpFacts(before, true), lpFacts(after, true)]
        expect(rank[`${b.locked}`]).toBeLessThanOrEqual(rank[`${a.locked}`])
      })
    )
  })
})
