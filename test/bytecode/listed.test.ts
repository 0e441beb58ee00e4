import { describe, expect, it } from "@effect/vitest"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"
import { lookOver } from "../support/bytecode/looks.ts"

const listed = compiled("Listed.sol", "listed.json")
const { codeOf, names, ways } = listed

const FRIEND = 0x7a11ce5e1f00d5c0ffee5e1f00d5c0ffee5e1f00n
const NAME = BigInt(`0x${Buffer.from("Coin").toString("hex").padEnd(62, "0")}08`)
/** Slots of `Listed.sol` that are not zero: three members, who may change them, the name, and that it was set up. */
const WORDS: ReadonlyMap<bigint, bigint> = new Map([
  [0n, 3n],
  [2n, FRIEND],
  [0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace03n, NAME],
  [0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00n, 1n]
])

const holesOf = (way: string, name: string, words = WORDS) => {
  const { conservation, transferPath } = lookOver(codeOf(way, name), (slot) => words.get(slot) ?? 0n).proof
  return [...transferPath.holes, ...conservation.holes]
}

const isTrap = (name: string): boolean => !isHonest(name) && name !== "Text"

it("has the artifacts that belong to it", () => {
  expect(listed.isCurrent).toBe(true)
})

describe.each(ways)("coins with lists and names in storage, compiled %s", (way) => {
  it.each(names.filter(isHonest))("%s is proven", (name) => {
    expect(holesOf(way, name)).toEqual([])
  })

  it.each(names.filter(isTrap))("%s is not proven", (name) => {
    expect(holesOf(way, name)).not.toEqual([])
  })

  it("is not proven where the list is long already", () => {
    expect(holesOf(way, "HonestMembers", new Map([...WORDS, [0n, 1n << 200n]]))).not.toEqual([])
  })

  it("is not proven where it may still be set up", () => {
    const unset = new Map([...WORDS].filter(([, word]) => word !== 1n))
    expect(holesOf(way, "HonestSigned", unset)).not.toEqual([])
  })
})

it("a text of any length, told together with a name that stays, is written where no balance stands", () => {
  expect(holesOf("optimized", "Text")).toEqual([])
})
