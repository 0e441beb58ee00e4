/** A path may have as many instructions as there are steps: what each of them looks at counts, and the path pauses. */
import { describe, expect, it } from "@effect/vitest"
import { DEFAULT_BUDGET, analyseInSlices } from "../../src/screening/base/power/analyse.ts"

const hex = (n: number, bytes = 2): string => n.toString(16).padStart(2 * bytes, "0")
const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join("")
/** An argument behind the first. */
const argument = (index: number): string => `61${hex(36 + 32 * index)}35`
/** PUSH16 of a mask: what it leaves can be added up without wrapping around. */
const SHORT = `6f${"ff".repeat(16)}`

/** Half a hundred arguments in one word, with a number below: a thousand such places are written, and one is read as often. */
const STORAGE = [
  "60043560081b",
  times(49, (index) => `${argument(index)}60081b17`),
  times(1_000, (index) => `5f8160${hex(index % 250, 1)}1755`),
  times(1_000, () => "8060fe175450")
]

/** Places behind a sum of many arguments are written, and places behind a larger one read. */
const MEMORY = [
  `600435${SHORT}16`,
  times(39, (index) => `${argument(index)}${SHORT}1601`),
  times(500, (index) => `338161${hex(32 * index)}0152`),
  "803460ff1601",
  times(400, () => "80619000015150")
]

const STACK = [times(1_000, () => "33"), times(20_000, () => "5b")]

describe("one path", () => {
  it.each([
    ["what it wrote to storage, each time it reads", STORAGE],
    ["how places in memory lie to one another", MEMORY],
    ["all of its stack, at each place it passes", STACK]
  ])("is not looked through without a pause, or for nothing: %s", (_, parts) => {
    let slices = 0
    const work = analyseInSlices(`0x${parts.join("")}00`, DEFAULT_BUDGET, () => 0)
    for (let next = work.next(); next.done !== true; next = work.next()) slices++
    expect(slices).toBeGreaterThan(10)
  })
})
