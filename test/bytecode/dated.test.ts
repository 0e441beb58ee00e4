/** Dates in a coin's code: what they decided once they have passed, and what they may still decide. */
import { describe, expect, it } from "@effect/vitest"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { sinceAt } from "../../src/screening/base/power/proof/dates.ts"
import type { SlotValue } from "../../src/screening/base/power/proof/slot-value.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"
import { firstLook } from "../support/bytecode/looks.ts"

const { codeOf, isCurrent, names, ways } = compiled("Dated.sol", "dated.json")

/** Slots of `Dated.sol`: somebody is the boss, and the date in storage has passed. */
const WORDS: Readonly<Record<string, bigint>> = {
  0: 0x7a11ce5e1f00d5c0ffee5e1f00d5c0ffee5e1f00n,
  1: 10n ** 24n,
  4: 1_700_000_000n
}
const NOW = { blockTime: 1_800_000_000n, blockNumber: 30_000_000n }
/** Before any of the dates that have passed by then. */
const BEFORE = { blockTime: 1_699_999_999n, blockNumber: 19_999_999n }

/** As the service does it: what is found names slots and says whether the time is asked, and is found again with both. */
const holesAt = (way: string, name: string, at: typeof NOW) => {
  const code = codeOf(way, name)
  const { asksMoment, settledBy } = firstLook(code).proof
  const state = settledBy.map((slot): SlotValue => ({ slot, value: WORDS[String(BigInt(slot))] ?? 0n }))
  const { conservation, transferPath } = analyseCode(code, {
    state,
    ...(asksMoment ? { since: sinceAt(at) } : {})
  }).proof
  return [...transferPath.holes, ...conservation.holes]
}

it("the artifacts belong to the source", () => {
  expect(isCurrent).toBe(true)
})

describe.each(ways)("a coin with a date in it, compiled %s", (way) => {
  it.each(names.filter(isHonest))("%s is proven once the date has passed", (name) => {
    expect(holesAt(way, name, NOW)).toEqual([])
  })

  it.each(names.filter(isHonest))("%s is not proven before", (name) => {
    expect(holesAt(way, name, BEFORE)).not.toEqual([])
  })

  it.each(names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
    expect(holesAt(way, name, NOW)).not.toEqual([])
  })
})

it("the moment from which on code is looked at is no later than its block, and stays for a while", () => {
  const at = sinceAt({ blockTime: 1_800_000_599n, blockNumber: 30_000_599n })
  expect(at).toEqual({ time: 1_800_000_000n, block: 30_000_000n })
  expect(sinceAt(NOW)).toEqual(at)
})
