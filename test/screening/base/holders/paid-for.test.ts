import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { insiderSale } from "../../../../src/screening/base/holders/insider-sale.ts"
import { clean, judge, pool } from "../../../support/base/fixtures.ts"

const ONE = 10n ** 18n
const SUPPLY = clean.shape.supply ?? 0n

/** A constant product that began with all of the supply and so much money, out of which many wallets then bought. */
const boughtFrom = (beginningUsd: number, paidUsd: number) => {
  const usd = beginningUsd + paidUsd
  const whole = Number(SUPPLY / ONE)
  const left = (whole * beginningUsd) / usd
  const reserve = { quoteUsd: usd, priceUsd: usd / left, tokenReserve: BigInt(Math.floor(left)) * ONE }
  return { best: pool(reserve), bought: BigInt(Math.floor(whole - left)) * ONE }
}

/** All that was bought lies with many wallets, and so much was paid for it. */
const sale = ({ best, bought }: ReturnType<typeof boughtFrom>, paidUsd: number | null) => {
  const holders = { ...clean.holders, outside: bought, bought, paidUsd }
  return { ...clean, pools: [best], holders }
}

describe("what many wallets bought", () => {
  it("is nobody's gift where they paid what it takes, however much the price rose", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 100, max: 1e6, noNaN: true }),
        fc.double({ min: 1, max: 1e7, noNaN: true }),
        (beginningUsd, paidUsd) => {
          const market = boughtFrom(beginningUsd, paidUsd)
          expect(insiderSale(sale(market, paidUsd))).toEqual(insiderSale(sale(market, null)))
        }
      )
    )
  })

  it("may be one's where it was bought for next to nothing and takes other people's money", () => {
    const market = boughtFrom(9_000, 81_000)
    expect(judge(sale(market, 81_000))).toMatchObject({ verdict: "allow", safe: true })
    expect(judge(sale(market, null))).toMatchObject({ verdict: "allow", safe: true })
    expect(judge(sale(market, 3_000))).toMatchObject({ verdict: "caution", safe: null })
    expect(judge(sale(market, 0))).toMatchObject({ verdict: "caution", safe: null })
  })

  it("takes no more the more was paid for it", () => {
    const usd = fc.double({ min: 0, max: 1e5, noNaN: true })
    fc.assert(
      fc.property(usd, usd, (paid, more) => {
        const market = boughtFrom(9_000, 81_000)
        const possible = (usdPaid: number) => insiderSale(sale(market, usdPaid))?.possible ?? Number.NaN
        expect(possible(paid + more)).toBeLessThanOrEqual(possible(paid))
      })
    )
  })
})
