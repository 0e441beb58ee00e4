import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { playFaults } from "./faults.ts"

/** One of the kills that `npm run test:faults` plays by the hundred, on both databases. */
describe("a service that is killed while it sells", () => {
  it("answers every payment once and moves its money once", { timeout: 240_000 }, async () => {
    const report = await Effect.runPromise(playFaults({ database: "sqlite", kills: 1, seed: 1 }))
    expect(report.violations).toEqual([])
    expect(report.cutShort).toBeUndefined()
    expect(report.payments).toBe(2)
  })
})
