import { describe, expect, it } from "@effect/vitest"
import { solanaSignals } from "../../../src/screening/solana/signals/index.ts"
import { tableErrors } from "../../../src/screening/signal-table.ts"

describe("the Solana signal table", () => {
  it("keeps the rules the scorer rests on", () => {
    expect(tableErrors(solanaSignals)).toEqual([])
  })
  it("lets every hard rule alone reach avoid", () => {
    const weak = solanaSignals.filter(({ hard, points }) => hard && points < 70).map(({ id }) => id)
    expect(weak).toEqual([])
  })
})
