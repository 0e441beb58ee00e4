/** Contracts that look alike: those named honest are proven, and none of the others is. */
import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import type { SlotValue } from "../../src/screening/base/power/proof/slot-value.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"

const holesOver = (code: Hex, state: ReadonlyArray<SlotValue> = []) => {
  const { conservation, transferPath } = analyseCode(code, { state }).proof
  return [...transferPath.holes, ...conservation.holes]
}

/** Over a storage in which nobody is the owner, no list has begun and every table is empty. */
const holesOnceLeft = (code: Hex) => {
  const { settledBy, tables } = analyseCode(code).proof
  return holesOver(code, [
    ...settledBy.map((slot) => ({ slot, value: 0n })),
    ...tables.map(({ field, keys, slot }) => ({ slot, value: 0n, entries: { keys, field } }))
  ])
}

interface Look {
  readonly source: string
  readonly artifacts: string
  readonly what: string
  readonly holes?: (code: Hex) => ReadonlyArray<unknown>
  /** Honest, and not proven yet. */
  readonly undecided?: ReadonlyArray<string>
}

const LOOKS: ReadonlyArray<Look> = [
  { source: "Craft.sol", artifacts: "craft.json", what: "code" },
  { source: "Guile.sol", artifacts: "guile.json", what: "code" },
  {
    source: "Wiles.sol",
    artifacts: "wiles.json",
    what: "code whose owner has left",
    holes: holesOnceLeft
  },
  {
    source: "Told.sol",
    artifacts: "told.json",
    what: "a coin that tells, or lends",
    // What is owed is the sum of two amounts.
    undecided: ["HonestLendsForFee", "HonestLendsForSomebody"]
  },
  {
    source: "Deceit.sol",
    artifacts: "deceit.json",
    what: "code that is trusted by others, or asked by them"
  },
  { source: "Shares.sol", artifacts: "shares.json", what: "code that keeps shares of what is paid" },
  {
    source: "Batched.sol",
    artifacts: "batched.json",
    what: "code that runs several of its functions at once"
  }
]

describe.each(LOOKS)(
  "$source, $what",
  ({ artifacts, holes = (code) => holesOver(code), source, undecided = [] }) => {
    const { codeOf, isCurrent, names, ways } = compiled(source, artifacts)

    it("has the artifacts that belong to it", () => {
      expect(isCurrent).toBe(true)
    })

    describe.each(ways)("compiled %s", (way) => {
      it.each(names.filter((name) => isHonest(name) && !undecided.includes(name)))("%s is proven", (name) => {
        expect(holes(codeOf(way, name))).toEqual([])
      })

      it.each(names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
        expect(holes(codeOf(way, name))).not.toEqual([])
      })
    })
  }
)

const craft = compiled("Craft.sol", "craft.json")

it.each(craft.ways)(
  "an approval that the next line may take back is not proven to stand, compiled %s",
  (way) => {
    const { transferPath } = analyseCode(craft.codeOf(way, "ApprovesAllButOne")).proof
    expect(transferPath.holes).not.toEqual([])
  }
)
