import { describe, expect, it } from "@effect/vitest"
import type { BaseEvidence, PoolEvidence } from "../../../../src/screening/base/evidence.ts"
import { insiderSale } from "../../../../src/screening/base/holders/insider-sale.ts"
import { clean, judge, pool } from "../../../support/base/fixtures.ts"

const ONE = 10n ** 18n
/** 90,000 USD against a million tokens at 0.09 USD. */
const best = pool()
const holding = (largest: bigint): BaseEvidence["holders"] => ({ ...clean.holders, largest })
const sale = (pools: ReadonlyArray<PoolEvidence>, largest = 0n) =>
  insiderSale({ pools, holders: holding(largest), shape: clean.shape })
const OTHER = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

describe("what the largest holder could take by selling", () => {
  it("follows from the pools' money, as a constant-product pool pays", () => {
    expect(sale([best], 1_000_000n * ONE)?.certain).toBeCloseTo(0.5, 3)
    expect(sale([best], 9_000_000n * ONE)?.certain).toBeCloseTo(0.9, 3)
    expect(sale([best])?.certain).toBe(0)
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
    const report = judge({ ...clean, pools: [best, side] })
    expect(report.state("HOLDER_CONCENTRATION")).toBe("fail")
    expect(report.safe).not.toBe(true)
    expect(report.verdict).not.toBe("allow")
  })

  it("does not count it where the LP tokens are burned, and says it may be where nobody knows", () => {
    const side = pool({ address: OTHER, quoteUsd: 1, tokenReserve: 9_000_000n * ONE, priceUsd: 1e-7 })
    expect(sale([best, { ...side, lockedShare: 1 }])).toMatchObject({ certain: 0, possible: 0 })
    const unread = { ...side, kind: "v3", lp: null, lockedShare: null } as const
    expect(sale([best, unread])?.certain).toBe(0)
    const report = judge({ ...clean, pools: [best, unread] })
    expect(report.state("HOLDER_CONCENTRATION")).toBe("unknown")
    expect(report.safe).not.toBe(true)
    expect(report.verdict).not.toBe("allow")
  })

  it("is unknown, and forbids trust, where no holder could be looked for", () => {
    const blind = { ...clean, holders: { ...clean.holders, largest: null } }
    expect(judge(blind).state("HOLDER_CONCENTRATION")).toBe("unknown")
    expect(judge(blind).safe).not.toBe(true)
  })
})
