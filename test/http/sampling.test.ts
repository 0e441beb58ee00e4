import { describe, expect, it } from "@effect/vitest"
import { makeSampled } from "../../src/http/sampling.ts"

const ALONE = { headers: {} }
const inTrace = (flags: string) => ({
  headers: { traceparent: `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}` }
})

describe("requests are traced", () => {
  it.each([
    [1, "1111111111"],
    [0.5, "1010101010"],
    [0.25, "1000100010"],
    [0.1, "1000000000"]
  ])("the first and then evenly, at a share of %d", (ratio, expected) => {
    const isSampled = makeSampled(ratio)
    const sampled = Array.from({ length: 10 }, () => (isSampled(ALONE) ? 1 : 0))
    expect(sampled.join("")).toBe(expected)
  })

  it("as their caller says, where they are part of its trace, and those take nobody's turn", () => {
    const isSampled = makeSampled(0.5)
    expect([isSampled(inTrace("01")), isSampled(inTrace("00"))]).toEqual([true, false])
    expect([isSampled(ALONE), isSampled(inTrace("00")), isSampled(ALONE)]).toEqual([true, false, false])
    expect(isSampled({ headers: { b3: "0" } })).toBe(true)
  })
})
