import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isWithinBounds, parseBounded } from "../../src/domain/bounded-json.ts"

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe("bounds of JSON from outside", () => {
  it("hold exactly for the depth of any JSON, whatever its texts contain", () => {
    const text = fc.string({ unit: fc.constantFrom("[", "]", "{", "}", ",", '"', "\\", "a") })
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(text, tie("value"), { maxKeys: 4 })
      )
    })).value
    fc.assert(
      fc.property(json, (value) => {
        const depth = depthOf(value)
        const serialised = JSON.stringify(value)
        expect(isWithinBounds(serialised, { depth, values: 10_000 })).toBe(true)
        if (depth > 0) expect(isWithinBounds(serialised, { depth: depth - 1, values: 10_000 })).toBe(false)
      })
    )
  })

  it("count arrays, objects and members", () => {
    expect(isWithinBounds("[1,2,3]", { depth: 1, values: 3 })).toBe(true)
    expect(isWithinBounds("[1,2,3,4]", { depth: 1, values: 3 })).toBe(false)
  })

  it("leave what is no JSON to the parser", () => {
    expect(() => parseBounded('["')).toThrow(SyntaxError)
    expect(() => parseBounded("[".repeat(1_000))).toThrow(/too deep/)
  })
})
