import { describe, expect, it } from "@effect/vitest"
import { compiled } from "../support/bytecode/artifacts.ts"
import { firstLook } from "../support/bytecode/looks.ts"

const keyed = compiled("Keyed.sol", "keyed.json")

type Power = "hiddenMint" | "limitingSell" | "leakingToken"

/** What must be found in each contract of `Keyed.sol`, and nothing else of the three. */
const EXPECTED: Readonly<Record<string, ReadonlyArray<Power>>> = {
  StopsByHash: ["limitingSell"],
  StopsByHashNested: ["limitingSell"],
  StopsByHashedNumber: ["limitingSell"],
  InnocentMarks: [],
  BurnsPairForAnybody: ["leakingToken"],
  BuriesPairForAnybody: ["leakingToken"],
  InnocentTreasury: [],
  SetsUpForAnybody: ["hiddenMint"],
  GivesToAnybody: ["hiddenMint"],
  GivesForTrifle: ["hiddenMint"],
  GrowsForCaller: ["hiddenMint"],
  InnocentGift: [],
  InnocentDeposit: []
}

const POWERS: ReadonlyArray<Power> = ["hiddenMint", "limitingSell", "leakingToken"]

it("has the artifacts that belong to it, and an expectation of each contract", () => {
  expect(keyed.isCurrent).toBe(true)
  expect(keyed.names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
})

describe.each(keyed.allWays)("entries by their keys, compiled %s", (way) => {
  it.each(Object.entries(EXPECTED))("%s shows exactly %j", (name, powers) => {
    const findings = firstLook(keyed.codeOf(way, name))
    expect(POWERS.filter((power) => findings[power].state === "found")).toEqual(powers)
  })
})
