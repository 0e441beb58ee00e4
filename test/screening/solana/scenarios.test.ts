/** Whole screenings of made-up tokens: what an expert would refuse is never allowed, what he would buy mostly is. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { hazards } from "../../support/solana/hazards/hazards.ts"
import { honest } from "../../support/solana/honest/honest.ts"
import type { Scenario } from "../../support/solana/scenarios.ts"

const screened = (scenario: Scenario) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const mint = yield* scenario(world)
    const ping = yield* screenIn(world, mint, "ping")
    const deep = yield* screenIn(world, mint, "deep")
    return { ping, deep }
  })

describe("a hazard is never allowed, and a ping never calls it safe", () => {
  for (const [name, scenario] of Object.entries(hazards)) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const { deep, ping } = yield* screened(scenario)
        expect(deep.verdict).not.toBe("allow")
        expect(ping.safe).not.toBe(true)
        expect({ safe: ping.safe, verdict: ping.verdict }).toEqual({ safe: deep.safe, verdict: deep.verdict })
      })
    )
  }
  it("there are forty and more", () => expect(Object.keys(hazards).length).toBeGreaterThanOrEqual(40))
})

describe("an honest token is never avoided", () => {
  const verdicts: Array<string> = []
  for (const [name, scenario] of Object.entries(honest)) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const { deep, ping } = yield* screened(scenario)
        verdicts.push(deep.verdict)
        expect(deep.verdict).not.toBe("avoid")
        expect({ safe: ping.safe, verdict: ping.verdict }).toEqual({ safe: deep.safe, verdict: deep.verdict })
        expect(deep.safe === true).toBe(deep.verdict === "allow")
      })
    )
  }
  it("and four fifths of them are allowed", () => {
    expect(verdicts.length).toBeGreaterThanOrEqual(25)
    expect(verdicts.filter((verdict) => verdict === "allow").length / verdicts.length).toBeGreaterThanOrEqual(
      0.8
    )
  })
})
