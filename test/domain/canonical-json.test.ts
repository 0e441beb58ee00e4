import { describe, expect, it } from "@effect/vitest"
import { createRequire } from "node:module"
import * as fc from "fast-check"
import { canonicalJson } from "../../src/domain/canonical-json.ts"

// Its type declarations describe an ES module, its code is CommonJS: `require` is what works in both worlds.
const reference: unknown = createRequire(import.meta.url)("canonicalize")
const referenceText = (value: unknown): unknown => {
  if (typeof reference !== "function") throw new TypeError("canonicalize is no function")
  return reference(value)
}

describe("canonical JSON", () => {
  it("sorts members by UTF-16 code units, not by code points (RFC 8785 3.2.3)", () => {
    const value = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 }
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}'
    )
  })

  it("writes numbers as ECMAScript does (RFC 8785 appendix B)", () => {
    const rows: ReadonlyArray<readonly [number, string]> = [
      [-0, "0"],
      [1e21, "1e+21"],
      [1e20, "100000000000000000000"],
      [1e-7, "1e-7"],
      [0.000001, "0.000001"],
      [5e-324, "5e-324"],
      [1.7976931348623157e308, "1.7976931348623157e+308"],
      [1e9 / 3, "333333333.3333333"],
      [9007199254740992, "9007199254740992"],
      [4.5, "4.5"]
    ]
    for (const [number, text] of rows) expect(canonicalJson(number)).toBe(text)
  })

  it("keeps big integers that are texts as texts", () => {
    expect(canonicalJson({ amount: "123456789012345678901234567890" })).toBe(
      '{"amount":"123456789012345678901234567890"}'
    )
  })

  it("escapes only what JSON must", () => {
    expect(canonicalJson('\u0000\b\t\n\f\r"\\/\u2028é')).toBe('"\\u0000\\b\\t\\n\\f\\r\\"\\\\/\u2028é"')
  })

  it("does not normalize Unicode: what looks equal stays different", () => {
    expect(canonicalJson("e\u0301")).not.toBe(canonicalJson("\u00e9"))
  })

  it.each([
    ["a lone surrogate in a text", "\ud800"],
    ["a lone surrogate in a name", { "\udc00": 1 }],
    ["NaN", Number.NaN],
    ["Infinity", { a: [Number.POSITIVE_INFINITY] }],
    ["a bigint", 1n],
    ["undefined", undefined],
    ["undefined in an array", [undefined]],
    ["a function", () => 1]
  ])("has no text for %s", (_name, value) => {
    expect(canonicalJson(value)).toBeUndefined()
  })

  it("has no text for hostile nesting, and does not overflow", () => {
    let nested: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) nested = [nested]
    expect(canonicalJson(nested)).toBeUndefined()
  })

  it("keeps a member named __proto__", () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}')
  })

  it("agrees with an independent implementation on every JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
        expect(canonicalJson(value)).toBe(referenceText(value))
      })
    )
  })

  it("survives the wire: parsing and printing change nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const canonical = canonicalJson(value)
        fc.pre(canonical !== undefined)
        expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(canonical)
        expect(canonicalJson(JSON.parse(canonical))).toBe(canonical)
      })
    )
  })
})
