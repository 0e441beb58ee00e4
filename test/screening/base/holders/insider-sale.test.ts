import { describe, expect, it } from "@effect/vitest"
import type { Address } from "viem"
import * as fc from "fast-check"
import { known, missing } from "../../../../src/domain/fact.ts"
import type { BaseEvidence, PoolEvidence } from "../../../../src/screening/base/evidence.ts"
import { NO_HOLDERS } from "../../../../src/screening/base/holders/summary.ts"
import { insiderSale } from "../../../../src/screening/base/holders/insider-sale.ts"
import { clean, judge, pool } from "../../../support/base/fixtures.ts"

const ONE = 10n ** 18n
/** 90,000 USD against a million tokens at 0.09 USD. */
const best = pool()
const holding = (largest: bigint): BaseEvidence["holders"] => ({ ...clean.holders, largest })
const sale = (pools: ReadonlyArray<PoolEvidence>, largest = 0n) =>
  insiderSale({ ...clean, pools, holders: holding(largest) })
const OTHER: Address = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

describe("what the largest holder could take by selling", () => {
  it("follows from the pools' money, as a constant-product pool pays", () => {
    expect(sale([best], 1_000_000n * ONE)?.certain).toBeCloseTo(0.5, 3)
    expect(sale([best], 9_000_000n * ONE)?.certain).toBeCloseTo(0.9, 3)
    expect(sale([best])?.certain).toBe(0)
  })

  it("ends the market where it is more than half", () => {
    const held = (tokens: bigint) => judge({ ...clean, pools: [best], holders: holding(tokens * ONE) })
    expect(held(1_000_000n)).toMatchObject({ verdict: "allow", safe: true })
    expect(held(1_060_000n)).toMatchObject({ verdict: "caution", safe: false })
  })

  it("may be what a few wallets hold, whatever they paid, where nobody had a month to sell", () => {
    const few = (three: bigint, ten: bigint, change: Partial<BaseEvidence> = {}) =>
      judge({
        ...clean,
        hadMoney: false,
        pools: [best],
        holders: {
          ...holding(500_000n * ONE),
          largestThree: three * ONE,
          largestTen: ten * ONE,
          outside: 4_000_000n * ONE,
          bought: 4_000_000n * ONE
        },
        ...change
      })
    expect(few(1_700_000n, 1_900_000n)).toMatchObject({ verdict: "caution", safe: null })
    expect(few(900_000n, 2_000_000n)).toMatchObject({ verdict: "caution", safe: null })
    expect(few(1_500_000n, 1_900_000n).verdict).toBe("allow")
    expect(few(1_600_000n, 2_000_000n, { hadMoney: true }).verdict).toBe("allow")
    expect(few(1_600_000n, 2_000_000n, { launchpad: "clanker-v4" }).safe).not.toBe(true)
  })

  it("is a crowd's where events name more holders than were asked, as far as the ten largest are few of all", () => {
    const many = (largestTen: bigint) =>
      insiderSale({
        ...clean,
        hadMoney: false,
        pools: [best],
        holders: {
          ...holding(100_000n * ONE),
          complete: missing("not all could be asked"),
          found: 5_000_000n * ONE,
          outside: 3_000_000n * ONE,
          largestTen: largestTen * ONE,
          scattered: true
        }
      })?.possible
    expect(many(2_000_000n)).toBeLessThan(0.2)
    expect(many(4_000_000n)).toBeGreaterThan(0.6)
  })

  /** The same money, in a concentrated pool between its price and a share of the price's root. */
  const narrow = (bottom: number, change: Partial<PoolEvidence> = {}): PoolEvidence => {
    const top = Math.sqrt(3e-5)
    const liquidity = 30e18 / (top * (1 - bottom))
    const curve = [{ liquidity, top, bottom: top * bottom }]
    return pool({ kind: "v3", lp: null, tokenBalance: null, curve, ...change })
  }

  it("is nearly all where the money stands close below the price, and as before where it stands everywhere", () => {
    const worth = 1_100_000n * ONE
    expect(sale([narrow(0.95)], worth)?.certain).toBeCloseTo(1, 3)
    expect(sale([narrow(0.95)], worth / 11n)?.certain).toBeCloseTo(0.1, 2)
    expect(sale([narrow(1e-9)], worth)?.certain).toBeCloseTo(sale([best], worth)?.certain ?? 0, 3)
    const same = 1_000_000n * ONE
    expect(judge({ ...clean, holders: holding(same) }).verdict).toBe("allow")
    expect(judge({ ...clean, pools: [narrow(0.95)], holders: holding(same) })).toMatchObject({
      verdict: "caution",
      safe: false
    })
  })

  it("may be all that the tokens are worth in a pool of which is not known how its price falls", () => {
    const { curve: _, ...unread } = narrow(0.95)
    const stable = pool({ kind: "aerodrome-v2", stable: true })
    for (const one of [unread, { ...unread, curve: [] }, stable])
      expect(sale([one], 900_000n * ONE)?.certain).toBeCloseTo(0.9, 3)
    expect(sale([best, { ...unread, address: OTHER }], 2_000_000n * ONE)?.certain).toBeCloseTo(0.75, 3)
  })

  it("goes where it pays best: a pool of little money takes nothing off it", () => {
    const whole = sale([best], 1_000_000n * ONE)?.certain ?? 0
    for (const quoteUsd of [0, 10]) {
      const side = narrow(0.01, { address: OTHER, quoteUsd, priceUsd: 0.09 / 1e6, tokenReserve: 0n })
      expect(sale([best, side], 1_000_000n * ONE)?.certain).toBeCloseTo(whole, 2)
    }
    expect(sale([best, narrow(1e-9, { address: OTHER })], 2_000_000n * ONE)?.certain).toBeCloseTo(whole, 2)
  })

  it("may be what nobody bought, whoever was given it", () => {
    const holders = { ...holding(10_000n * ONE), outside: 9_500_000n * ONE, bought: 500_000n * ONE }
    expect(insiderSale({ ...clean, pools: [best], holders })?.possible).toBeCloseTo(0.9, 3)
    expect(judge({ ...clean, pools: [best], holders })).toMatchObject({ verdict: "caution" })
    expect(judge({ ...clean, pools: [best], holders: { ...holders, bought: null } }).verdict).toBe("allow")
    expect(judge({ ...clean, pools: [best], holders: { ...holders, bought: holders.outside } }).verdict).toBe(
      "allow"
    )
  })

  it("may be what many wallets put into pools and nobody bought", () => {
    const side = pool({
      address: OTHER,
      kind: "v3",
      lp: null,
      quoteUsd: 0,
      tokenReserve: 9_000_000n * ONE,
      tokenBalance: 9_000_000n * ONE,
      parked: { certain: 60_000n * ONE, possible: 60_000n * ONE, others: 8_940_000n * ONE }
    })
    const told = (bought: bigint | null) =>
      judge({ ...clean, pools: [best, side], holders: { ...holding(60_000n * ONE), bought } })
    expect(told(0n)).toMatchObject({ verdict: "caution", safe: null })
    expect(told(9_000_000n * ONE).verdict).toBe("allow")
    expect(told(null).verdict).toBe("allow")
  })

  const expectNoPass = (side: PoolEvidence, state: "fail" | "unknown") => {
    const report = judge({ ...clean, pools: [best, side] })
    expect(report.state("HOLDER_CONCENTRATION")).toBe(state)
    expect(report.safe).not.toBe(true)
    expect(report.verdict).not.toBe("allow")
  }

  it("counts what a side pool holds beside its record, which it gives to anybody", () => {
    const side = pool({ address: OTHER, quoteUsd: 1, quoteReserve: 1n, tokenReserve: 10n * ONE })
    expect(judge({ ...clean, pools: [best, { ...side, tokenBalance: 10n * ONE }] }).verdict).toBe("allow")
    expectNoPass({ ...side, tokenBalance: 9_000_000n * ONE }, "unknown")
  })

  it("takes a side pool of which the token does not tell what it holds to hold all there is", () => {
    const side = pool({ address: OTHER, quoteUsd: 1, quoteReserve: 1n, tokenReserve: 10n * ONE })
    expectNoPass({ ...side, tokenBalance: null }, "unknown")
    expect(judge({ ...clean, pools: [best, { ...side, kind: "v3", tokenBalance: null }] }).verdict).toBe(
      "allow"
    )
  })

  it("counts supply parked in a side pool of next to no money, whose LP tokens somebody holds", () => {
    const side = pool({
      address: OTHER,
      quoteUsd: 1,
      tokenReserve: 9_000_000n * ONE,
      priceUsd: 1e-7,
      lockedShare: 0
    })
    expect(sale([best, side])?.certain).toBeGreaterThan(0.89)
    expectNoPass(side, "fail")
  })

  it("counts it as anybody's where the LP tokens are burned: whoever buys it for a dollar can sell it all", () => {
    const side = pool({ address: OTHER, quoteUsd: 1, tokenReserve: 9_000_000n * ONE, priceUsd: 1e-7 })
    for (const parked of [
      { ...side, lockedShare: 1 },
      { ...side, quoteUsd: 0, priceUsd: null, lockedShare: 1 },
      { ...side, kind: "v3", lp: null, lockedShare: null } as const,
      {
        ...side,
        kind: "v3",
        lp: null,
        lockedShare: 1,
        parked: { certain: 0n, possible: 0n, others: 0n }
      } as const
    ]) {
      expect(sale([best, parked])?.certain).toBe(0)
      expect(sale([best, parked])?.possible).toBeGreaterThan(0.89)
      expectNoPass(parked, "unknown")
    }
  })

  it("counts nothing of a second pool at the market's price", () => {
    const tokenReserve = (2n * ONE * 10n ** 6n) / 3n
    const second = { address: OTHER, quoteUsd: 60_000, tokenReserve, tokenBalance: tokenReserve }
    for (const kind of ["v2", "v3"] as const)
      expect(sale([best, pool({ ...second, kind, priceUsd: 0.088 })])?.possible).toBeLessThan(0.01)
  })
})

describe("what nobody explains of the supply", () => {
  const unexplained = (share: number, change: Partial<BaseEvidence["holders"]> = {}): BaseEvidence => ({
    ...clean,
    holders: {
      ...clean.holders,
      complete: missing("the node serves no proofs"),
      found: 10n ** 25n - part(share),
      ...change
    }
  })
  /** A share of what stands in the pool. */
  const part = (share: number) => BigInt(Math.round(share * 1000)) * 1000n * ONE
  const concentration = (evidence: BaseEvidence) => {
    const report = judge(evidence)
    return { state: report.state("HOLDER_CONCENTRATION"), verdict: report.verdict, safe: report.safe }
  }

  it("is one hand's: small enough it is a bound, large enough nothing is allowed", () => {
    expect(concentration(unexplained(0.2))).toMatchObject({ state: "pass", verdict: "allow" })
    expect(concentration(unexplained(1))).toMatchObject({ state: "unknown", verdict: "allow" })
    expect(concentration(unexplained(1.6))).toEqual({ state: "unknown", verdict: "caution", safe: null })
    expect(concentration(unexplained(9))).toEqual({ state: "unknown", verdict: "caution", safe: null })
  })

  it("adds to what the largest holder has, and to what lockers may let go", () => {
    expect(concentration(unexplained(0.9, { largest: part(0.9) })).verdict).toBe("caution")
    expect(concentration(unexplained(0.9, { looselyLocked: part(0.9) })).verdict).toBe("caution")
    expect(concentration(unexplained(0, { looselyLocked: part(4) })).verdict).toBe("caution")
  })

  it("is theirs as well that stands in exchanges' common accounts and in no pool, however small a part of the supply", () => {
    const burned = {
      ...unexplained(0),
      shape: { ...clean.shape, supply: 10n ** 30n },
      holders: clean.holders
    }
    expect(concentration({ ...burned, unread: part(0.2) }).verdict).toBe("allow")
    expect(concentration({ ...burned, unread: part(5) })).toEqual({
      state: "unknown",
      verdict: "caution",
      safe: null
    })
  })

  it("is a market's where events name more holders than were asked, and nobody's where all storage is read", () => {
    expect(concentration(unexplained(9, { scattered: true }))).toMatchObject({
      state: "unknown",
      verdict: "allow"
    })
    expect(concentration(unexplained(9, { complete: known(true) })).verdict).toBe("allow")
  })

  it("never looks smaller for holding more, asking less or explaining less", () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 25n })
    fc.assert(
      fc.property(amount, amount, amount, amount, (found, largest, looselyLocked, more) => {
        const of = (change: Partial<BaseEvidence["holders"]>) =>
          insiderSale(unexplained(0, { found: found + more, largest, looselyLocked, ...change }))?.possible ??
          0
        const base = of({})
        expect(of({ found })).toBeGreaterThanOrEqual(base)
        expect(of({ largest: largest + more })).toBeGreaterThanOrEqual(base)
        expect(of({ looselyLocked: looselyLocked + more })).toBeGreaterThanOrEqual(base)
      })
    )
  })

  it("is everything where nobody could be looked for", () => {
    const blind = { ...clean, holders: NO_HOLDERS }
    expect(judge(blind).state("HOLDER_CONCENTRATION")).toBe("unknown")
    expect(judge(blind).safe).not.toBe(true)
  })
})
