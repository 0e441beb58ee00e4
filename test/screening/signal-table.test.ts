import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { fail, pass, type Signal, unknown } from "../../src/domain/signal.ts"
import { judgeAll, judgeOne, tableErrors, toPoints } from "../../src/screening/signal-table.ts"

interface Evidence {
  readonly tax: number | null
}

const tax: Signal<Evidence> = {
  id: "SELL_TAX",
  source: "simulation",
  reads: "the tax of a simulated sell",
  group: "sell",
  hard: false,
  critical: true,
  points: 30,
  unknownPoints: 15,
  judge: ({ tax }) => {
    if (tax === null) return unknown("The tax could not be measured.")
    return tax === 0
      ? pass("No tax.")
      : fail("Selling is taxed.", tax >= 50 ? { points: 100, hard: true } : {})
  }
}

describe("judging a table", () => {
  it("gives a pass no points, an unknown and a failure the table's", () => {
    expect(judgeOne(tax, { tax: 0 })).toMatchObject({
      state: "pass",
      points: 0,
      critical: true,
      group: "sell"
    })
    expect(judgeOne(tax, { tax: null })).toMatchObject({ state: "unknown", points: 15, hard: false })
    expect(judgeOne(tax, { tax: 5 })).toMatchObject({ state: "fail", points: 30, hard: false })
  })

  it("lets a finding override its weight and harden the rule", () => {
    expect(judgeOne(tax, { tax: 60 })).toMatchObject({ points: 100, hard: true })
  })

  it("takes a judge that throws for unknown, and goes on", () => {
    const broken: Signal<Evidence> = {
      ...tax,
      id: "BROKEN",
      judge: () => {
        throw new Error("token name: <script>")
      }
    }
    const [first, second] = judgeAll([broken, tax], { tax: 0 })
    expect(first).toMatchObject({ id: "BROKEN", state: "unknown", points: 15, critical: true })
    expect(first?.message).not.toContain("script")
    expect(second?.state).toBe("pass")
  })

  it("takes a signal whose criticality cannot be told for critical", () => {
    const broken: Signal<Evidence> = {
      ...tax,
      critical: () => {
        throw new Error("no evidence")
      }
    }
    expect(judgeOne(broken, { tax: 0 }).critical).toBe(true)
  })

  it("asks the evidence where criticality depends on it", () => {
    const lock: Signal<Evidence> = { ...tax, critical: ({ tax }) => tax !== null }
    expect([judgeOne(lock, { tax: null }).critical, judgeOne(lock, { tax: 1 }).critical]).toEqual([
      false,
      true
    ])
  })

  it("lets no control, bidi or broken character out, and bounds the length", () => {
    const loud: Signal<Evidence> = { ...tax, judge: () => pass(`a\u202eb\nc\ud800${"x".repeat(500)}`) }
    const { message } = judgeOne(loud, { tax: 0 })
    expect(message.startsWith("a?b?c?xxx")).toBe(true)
    expect(message).toHaveLength(240)
  })

  it("keeps points within 0 and 100, in tenths, whatever a judge says", () => {
    fc.assert(
      fc.property(fc.double(), (points) => {
        const kept = toPoints(points)
        expect(kept >= 0 && kept <= 100).toBe(true)
        expect(Math.abs(kept * 10 - Math.round(kept * 10))).toBeLessThan(1e-9)
      })
    )
    expect([toPoints(Number.NaN), toPoints(-1), toPoints(Infinity), toPoints(12.34)]).toEqual([
      100, 0, 100, 12.3
    ])
  })

  it("finds the faults of a table", () => {
    expect(tableErrors([tax])).toEqual([])
    const faulty: Signal<Evidence> = { ...tax, id: "sell-tax", points: 5, unknownPoints: 101, reads: " " }
    expect(tableErrors([faulty, faulty])).toEqual([
      "sell-tax: id is not upper snake case",
      "sell-tax: unknownPoints is not within 0 and 100",
      "sell-tax: unknown weighs more than failed",
      "sell-tax: does not say what it reads",
      "sell-tax: id is not upper snake case",
      "sell-tax: id is used twice",
      "sell-tax: unknownPoints is not within 0 and 100",
      "sell-tax: unknown weighs more than failed",
      "sell-tax: does not say what it reads"
    ])
  })
})
