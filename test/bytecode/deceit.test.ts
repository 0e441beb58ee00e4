import { describe, expect, it } from "@effect/vitest"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"

const { codeOf, isCurrent, names, ways } = compiled("Deceit.sol", "deceit.json")

const holes = (way: string, name: string) => {
  const { conservation, transferPath } = analyseCode(codeOf(way, name)).proof
  return [...transferPath.holes, ...conservation.holes]
}

it("has the artifacts that belong to it", () => {
  expect(isCurrent).toBe(true)
})

describe.each(ways)("code that is trusted by others, or asked by them, compiled %s", (way) => {
  it.each(names.filter(isHonest))("%s is proven", (name) => {
    expect(holes(way, name)).toEqual([])
  })

  it.each(names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
    expect(holes(way, name)).not.toEqual([])
  })
})
