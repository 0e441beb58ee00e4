import { describe, expect, it } from "@effect/vitest"
import { baseSignals } from "../../src/screening/base/signals/table.ts"
import { tableErrors } from "../../src/screening/signal-table.ts"
import { solanaSignals } from "../../src/screening/solana/signals/index.ts"

describe("the signal tables", () => {
  it("keep the rules the scorer's monotony rests on", () => {
    expect(tableErrors(baseSignals)).toEqual([])
    expect(tableErrors(solanaSignals)).toEqual([])
  })

  it("have critical signals: a chain without any could never call a token safe", () => {
    expect(baseSignals.some(({ critical }) => critical === true)).toBe(true)
    expect(solanaSignals.some(({ critical }) => critical === true)).toBe(true)
  })
})
