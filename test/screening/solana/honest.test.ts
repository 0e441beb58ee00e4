/** Whole screenings of made-up tokens that an expert would buy or watch: none is avoided, most are allowed. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { honest } from "../../support/solana/honest/honest.ts"
import { screened } from "../../support/solana/screened.ts"

describe("an honest token is never avoided", () => {
  const verdicts: Array<string> = []
  for (const [name, scenario] of Object.entries(honest)) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const { safe, verdict } = yield* screened(scenario)
        verdicts.push(verdict)
        expect(verdict).not.toBe("avoid")
        expect(safe === true).toBe(verdict === "allow")
      })
    )
  }
  it("and nine tenths of them are allowed", () => {
    expect(verdicts.length).toBeGreaterThanOrEqual(25)
    expect(verdicts.filter((verdict) => verdict === "allow").length / verdicts.length).toBeGreaterThanOrEqual(
      0.9
    )
  })
})
