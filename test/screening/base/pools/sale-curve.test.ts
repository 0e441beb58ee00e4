import { describe, expect, it } from "@effect/vitest"
import { type SaleCurve, withinReach } from "../../../../src/screening/base/pools/sale-curve.ts"
import { pricePool } from "../../../../src/screening/base/pools/liquidity.ts"
import { pool } from "../../../support/base/fixtures.ts"

const ETHER = 1e18
const band = (top: number, bottom: number, money: number) => ({
  liquidity: money / (top - bottom),
  top,
  bottom
})

describe("the money that sellers reach in a concentrated pool", () => {
  it("is all of it where it lies over all prices, or close below the price", () => {
    expect(withinReach([band(1, 0, ETHER)], 2 * ETHER)).toBeCloseTo(ETHER, -6)
    expect(withinReach([band(1, 0.95, ETHER)], ETHER)).toBeGreaterThanOrEqual(ETHER)
  })

  it("is little where most is bid far below: locked or not, nobody is paid that at the price", () => {
    const [few, many] = [band(1, 0.97, ETHER / 1000), band(0.55, 0.5, ETHER)]
    // Until the price has fallen to three quarters, and to a half, there is a thousandth.
    expect(withinReach([few, many], ETHER)).toBeLessThan(ETHER / 100)
  })

  it("is what its liquidity is worth", () => {
    const worth = (curve: SaleCurve) =>
      pricePool({ ...pool({ kind: "v4", quoteReserve: BigInt(ETHER), curve }), ratio: 1 }, 18, () => ({
        usd: 3_000,
        decimals: 18,
        maxCreditUsd: Infinity
      })).quoteUsd
    expect(worth([band(1, 0, ETHER)])).toBeCloseTo(3_000, 3)
    expect(worth([band(1, 0.97, ETHER / 1000), band(0.55, 0.5, ETHER)])).toBeLessThan(30)
  })
})
