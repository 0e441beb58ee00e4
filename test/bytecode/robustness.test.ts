import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import type { Hex } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { compiled } from "../support/bytecode/artifacts.ts"

const BUDGET = { steps: 20_000, milliseconds: 2_000 }

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`

/** Bytes that are mostly instructions, with jump destinations, forks and storage among them. */
const instructions = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(
      0x5b,
      0x57,
      0x56,
      0x54,
      0x55,
      0x35,
      0x33,
      0x14,
      0x20,
      0x52,
      0x51,
      0x60,
      0x80,
      0x90,
      0x15,
      0xf1,
      0x37
    )
  ),
  { maxLength: 600 }
)

describe("hostile code", () => {
  it("never makes the analysis throw or overrun its steps", () => {
    fc.assert(
      fc.property(instructions, (bytes) => {
        const { steps } = analyseCode(hexOf(Uint8Array.from(bytes)), { budget: BUDGET })
        expect(steps).toBeLessThanOrEqual(BUDGET.steps)
      }),
      { numRuns: 300 }
    )
  })

  it("cannot overflow the stack with words nested thousands deep", () => {
    for (const operator of ["01", "02", "18", "0a", "1b", "04"]) {
      // CALLER, then 8,000 times (CALLDATALOAD(0), operator), then a branch on it and a store of it.
      const code: Hex = `0x33${`5f35${operator}`.repeat(8_000)}8015615dd257805f555b00`
      expect(analyseCode(code).hiddenMint.state).toBe("undecided")
    }
  })

  it("cannot make words grow exponentially by doubling them", () => {
    for (const operator of ["01", "02", "17", "18", "03"]) {
      const code: Hex = `0x5f35${`80${operator}5f3590${operator}80600190${operator}`.repeat(2_000)}5f5500`
      expect(analyseCode(code).hiddenMint.state).toBe("undecided")
    }
  })

  it("cannot make words that proofs compare grow exponentially either", () => {
    const doubled = compiled("Doubled.sol", "doubled.json")
    expect(doubled.isCurrent).toBe(true)
    for (const way of doubled.ways)
      for (const name of doubled.names) {
        const { proof } = analyseCode(doubled.codeOf(way, name))
        expect(proof.conservation.holes, `${name} ${way}`).not.toEqual([])
      }
  })

  it("cannot keep it busy with an endless loop", () => {
    const { steps } = analyseCode("0x5b5f35600101565b5f56", { budget: BUDGET })
    expect(steps).toBeLessThanOrEqual(BUDGET.steps)
  })
})
