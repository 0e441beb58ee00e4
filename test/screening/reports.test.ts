import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { canonicalJson } from "../../src/domain/canonical-json.ts"
import { PingResult, UnsignedReport } from "../../src/domain/report.ts"
import { assess } from "../../src/screening/risk-scorer-live.ts"
import { toPing, toPriceUsd, toReport } from "../../src/screening/reports.ts"
import { MINT, screeningOf } from "../support/screening/screenings.ts"

const delivery = { cacheHit: true, free: false, methodology: "m" }
const report = (over: Parameters<typeof screeningOf>[0] = {}) => {
  const screening = screeningOf(over)
  return toReport(screening, assess(screening), delivery)
}
const ping = (over: Parameters<typeof screeningOf>[0] = {}) => {
  const screening = screeningOf(over)
  return toPing(screening, assess(screening), false)
}

describe("the views of a screening", () => {
  it("the ping shows the contract's fields and no others", () => {
    expect(ping()).toEqual({
      safe: true,
      mintAuthorityOff: true,
      lpLocked: null,
      pairs: 2,
      priceUsd: 1.5,
      fetchedAt: 1_763_683_200_000,
      cacheHit: false
    })
  })

  it("the report names the token and the chain state it was read at", () => {
    expect(report()).toMatchObject({
      chain: "base",
      address: "0x4200000000000000000000000000000000000006",
      cacheHit: true,
      free: false,
      methodology: "m",
      evidence: {
        block: "1",
        slot: null,
        codeHash: "0xaa",
        implementation: null,
        implementationCodeHash: null
      }
    })
    const solana = report({ token: MINT, anchor: { chain: "solana", slot: "9", accountHash: "h" } })
    expect(solana.evidence).toEqual({
      block: null,
      slot: "9",
      codeHash: "h",
      implementation: null,
      implementationCodeHash: null
    })
  })

  it.each([Number.NaN, Infinity, -Infinity, -1, 0, -0])(
    "a price of %d is no price, such liquidity is none",
    (odd) => {
      expect(report({ priceUsd: odd, liquidityUsd: odd })).toMatchObject({ priceUsd: null, liquidityUsd: 0 })
      expect(ping({ priceUsd: odd, pairs: odd })).toMatchObject({ priceUsd: null, pairs: 0 })
    }
  )

  it("prices keep twelve significant digits, at every magnitude", () => {
    expect(toPriceUsd(0.1 + 0.2)).toBe(0.3)
    expect(toPriceUsd(1.23456789012345e-9)).toBe(1.23456789012e-9)
    expect(toPriceUsd(null)).toBeNull()
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (price) => {
        const shown = toPriceUsd(price) ?? 0
        expect(Math.abs(shown - price) / price).toBeLessThan(1e-11)
      })
    )
  })

  it("hold only what the schemas and canonical JSON take, whatever the numbers", () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), (priceUsd, liquidityUsd, pairs) => {
        const deep = report({ priceUsd, liquidityUsd, pairs })
        expect(Schema.is(UnsignedReport)(deep)).toBe(true)
        expect(Schema.is(PingResult)(ping({ priceUsd, liquidityUsd, pairs }))).toBe(true)
        expect(canonicalJson(deep)).toBeDefined()
      })
    )
  })
})
