import { describe, expect, it } from "@effect/vitest"
import { compiled } from "../support/bytecode/artifacts.ts"
import { firstLook } from "../support/bytecode/looks.ts"

const gated = compiled("Gated.sol", "gated.json")

type Power = "hiddenMint" | "limitingSell" | "balanceSeizure"

/** What must be found in each contract of `Gated.sol`, and nothing else of the three. */
const EXPECTED: Readonly<Record<string, ReadonlyArray<Power>>> = {
  StopsByBit: ["limitingSell"],
  StopsByFixedBit: ["limitingSell"],
  StopsByLevel: ["limitingSell"],
  StopsByFlagBeside: ["limitingSell"],
  MintsByLevel: ["hiddenMint"],
  RefusesOne: ["limitingSell"],
  SellsByOrigin: ["limitingSell"],
  EndsAtDate: ["limitingSell"],
  HidesPairs: ["limitingSell"],
  SignsForOthers: ["balanceSeizure"],
  InnocentPermit: [],
  InnocentRouter: [],
  InnocentTries: [],
  InnocentLevel: [],
  InnocentNarrowClock: [],
  InnocentStart: [],
  TaxesBySum: ["limitingSell"],
  SellsShifted: ["limitingSell"],
  SellsDivided: ["limitingSell"],
  InnocentHalving: [],
  TurnsForStrangers: ["limitingSell"]
}

const POWERS: ReadonlyArray<Power> = ["hiddenMint", "limitingSell", "balanceSeizure"]

it("has the artifacts that belong to it, and an expectation of each contract", () => {
  expect(gated.isCurrent).toBe(true)
  expect(gated.names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
})

describe.each(gated.allWays)("gates, compiled %s", (way) => {
  it.each(Object.entries(EXPECTED))("%s shows exactly %j", (name, powers) => {
    const findings = firstLook(gated.codeOf(way, name))
    expect(POWERS.filter((power) => findings[power].state === "found")).toEqual(powers)
  })
})

it("what a fee of a fixed sum leaves is not diverted", () => {
  expect(firstLook(gated.codeOf("optimized", "TaxesBySum")).leakingToken.state).toBe("not-found")
})
