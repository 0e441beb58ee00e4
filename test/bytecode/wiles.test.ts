import { describe, expect, it } from "@effect/vitest"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import type { SlotValue } from "../../src/screening/base/power/proof/slot-value.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"

const { codeOf, isCurrent, names, ways } = compiled("Wiles.sol", "wiles.json")

/** Over a storage in which nobody is the owner, no list has begun and every table is empty. */
const holes = (way: string, name: string) => {
  const code = codeOf(way, name)
  const { settledBy, tables } = analyseCode(code).proof
  const state: ReadonlyArray<SlotValue> = [
    ...settledBy.map((slot) => ({ slot, value: 0n })),
    ...tables.map(({ field, keys, slot }) => ({ slot, value: 0n, entries: { keys, field } }))
  ]
  const { conservation, transferPath } = analyseCode(code, { state }).proof
  return [...transferPath.holes, ...conservation.holes]
}

it("has the artifacts that belong to it", () => {
  expect(isCurrent).toBe(true)
})

describe.each(ways)("code compiled %s, whose owner has left", (way) => {
  it.each(names.filter(isHonest))("%s is proven", (name) => {
    expect(holes(way, name)).toEqual([])
  })

  it.each(names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
    expect(holes(way, name)).not.toEqual([])
  })
})
