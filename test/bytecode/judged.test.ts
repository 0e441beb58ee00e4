import { describe, expect, it } from "@effect/vitest"
import { compiled } from "../support/bytecode/artifacts.ts"
import { firstLook } from "../support/bytecode/looks.ts"

const judged = compiled("Judged.sol", "judged.json")

type Power = "hiddenMint" | "limitingSell" | "unboundedFee"

/** What must be found in each contract of `Judged.sol`, and nothing else of the three. */
const EXPECTED: Readonly<Record<string, ReadonlyArray<Power>>> = {
  AsksOther: ["limitingSell"],
  AsksOtherOfSales: ["limitingSell"],
  ChecksSalesByOther: ["limitingSell"],
  ChecksByOther: ["limitingSell"],
  StopsWithOther: ["limitingSell"],
  InnocentTold: [],
  InnocentSale: [],
  InnocentSaleBySales: [],
  AsksLowBits: ["limitingSell", "unboundedFee"],
  AsksLowByte: ["limitingSell", "unboundedFee"],
  InnocentByte: [],
  InnocentLowByte: [],
  InnocentSixteen: [],
  InnocentPacked: []
}

const POWERS: ReadonlyArray<Power> = ["hiddenMint", "limitingSell", "unboundedFee"]

it("has the artifacts that belong to it, and an expectation of each contract", () => {
  expect(judged.isCurrent).toBe(true)
  expect(judged.names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
})

describe.each(judged.allWays)("what decides beside the code's own words, compiled %s", (way) => {
  it.each(Object.entries(EXPECTED))("%s shows exactly %j", (name, powers) => {
    const findings = firstLook(judged.codeOf(way, name))
    expect(POWERS.filter((power) => findings[power].state === "found")).toEqual(powers)
  })
})
