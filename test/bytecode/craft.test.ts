import { describe, expect, it } from "@effect/vitest"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"

const { codeOf, isCurrent, names, ways } = compiled("Craft.sol", "craft.json")

const holes = (way: string, name: string) => {
  const { conservation, transferPath } = analyseCode(codeOf(way, name)).proof
  return [...transferPath.holes, ...conservation.holes]
}

it("has the artifacts that belong to it", () => {
  expect(isCurrent).toBe(true)
})

describe.each(ways)("code compiled %s", (way) => {
  it.each(names.filter(isHonest))("%s is proven", (name) => {
    expect(holes(way, name)).toEqual([])
  })

  it.each(names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
    expect(holes(way, name)).not.toEqual([])
  })

  it("an approval that the next line may take back is not proven to stand", () => {
    const { transferPath } = analyseCode(codeOf(way, "ApprovesAllButOne")).proof
    expect(transferPath.holes).not.toEqual([])
  })
})
