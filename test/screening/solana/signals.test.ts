import { describe, expect, it } from "@effect/vitest"
import { solanaSignals } from "../../../src/screening/solana/signals/index.ts"
import { tableFaults } from "../../../src/screening/signal-table.ts"

describe("the Solana signal table", () => {
  it("keeps the rules the scorer rests on", () => {
    expect(tableFaults(solanaSignals)).toEqual([])
  })
  it("lets every hard rule alone reach avoid", () => {
    for (const { hard, id, points } of solanaSignals)
      if (hard) expect({ id, reaches: points >= 70 }).toEqual({ id, reaches: true })
  })
})
