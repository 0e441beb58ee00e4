import { describe, expect, it } from "@effect/vitest"
import { compiled } from "../support/bytecode/artifacts.ts"
import { firstLook } from "../support/bytecode/looks.ts"

const unasked = compiled("Unasked.sol", "unasked.json")

type Power = "hiddenMint" | "limitingSell" | "balanceSeizure"

/** What must be found in each contract of `Unasked.sol`, and nothing else of the three. */
const EXPECTED: Readonly<Record<string, ReadonlyArray<Power>>> = {
  SparesOwner: ["hiddenMint"],
  SparesMarked: ["hiddenMint"],
  AsksForSome: ["hiddenMint"],
  BurnsBelowZero: ["hiddenMint"],
  AsksSumThatWraps: ["hiddenMint"],
  InnocentUnchecked: [],
  InnocentPool: [],
  InnocentBatchAsked: [],
  InnocentParts: [],
  BoundsSumThatWraps: ["limitingSell"],
  BoundsStepThatWraps: ["limitingSell"],
  BoundsRest: ["limitingSell"],
  BoundsDifference: ["limitingSell"],
  BoundsProduct: ["limitingSell"],
  BoundsQuotient: ["limitingSell"],
  BoundsDisguised: ["limitingSell"],
  InnocentSum: [],
  InnocentSmallSum: [],
  InnocentDouble: [],
  InnocentNext: []
}

const POWERS: ReadonlyArray<Power> = ["hiddenMint", "limitingSell", "balanceSeizure"]

it("has the artifacts that belong to it, and an expectation of each contract", () => {
  expect(unasked.isCurrent).toBe(true)
  expect(unasked.names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
})

describe.each(unasked.allWays)("numbers that nothing asks for, compiled %s", (way) => {
  it.each(Object.entries(EXPECTED))("%s shows exactly %j", (name, powers) => {
    const findings = firstLook(unasked.codeOf(way, name))
    expect(POWERS.filter((power) => findings[power].state === "found")).toEqual(powers)
  })
})
