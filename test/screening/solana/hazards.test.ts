/** Whole screenings of made-up tokens that an expert would refuse: none is allowed. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { hazards } from "../../support/solana/hazards/hazards.ts"
import { screened } from "../../support/solana/screened.ts"

describe("a hazard is never allowed, and a ping never calls it safe", () => {
  for (const [name, scenario] of Object.entries(hazards)) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const { safe, verdict } = yield* screened(scenario)
        expect(verdict).not.toBe("allow")
        expect(safe).not.toBe(true)
      })
    )
  }
  it("there are forty and more", () => expect(Object.keys(hazards).length).toBeGreaterThanOrEqual(40))
})
