import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { parseStrictJson } from "../../src/domain/strict-json.ts"

/** JSON of any string, with each of its characters escaped where `escaped` says so. */
const written = (text: string, escaped: ReadonlyArray<boolean>): string =>
  `"${[...text]
    .flatMap((character) => character.split(""))
    .map((unit, at) =>
      escaped[at % escaped.length] === true
        ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
        : JSON.stringify(unit).slice(1, -1)
    )
    .join("")}"`

const text = fc.string({ unit: fc.constantFrom("a", "\\", '"', "{", "}", ":", ",", "é", "\n") })
const escapes = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 })

describe("strict JSON", () => {
  it("takes every value that JSON writes with unique keys", () => {
    fc.assert(
      fc.property(fc.dictionary(text, fc.jsonValue({ maxDepth: 3, noUnicodeString: false })), (value) => {
        const json = JSON.stringify(value)
        fc.pre(!json.includes("__proto__"))
        expect(parseStrictJson(json)).toEqual(JSON.parse(json))
      })
    )
  })

  it("refuses a key that is named twice, however it is escaped and whatever stands between", () => {
    fc.assert(
      fc.property(text, escapes, escapes, text, (key, once, twice, other) => {
        const between = key === other ? "" : `${written(other, once)}:{"${"\\\\".repeat(3)}":[]},`
        const json = `{${written(key, once)}:1,${between}${written(key, twice)}:2}`
        expect(() => JSON.parse(json)).not.toThrow()
        expect(parseStrictJson(json)).toBeUndefined()
        expect(parseStrictJson(`[${json.replace(/:2}$/, ':{"deep":2}}')}]`)).toBeUndefined()
      })
    )
  })

  it("refuses prototypes, nesting that no payment has, and what is no JSON", () => {
    for (const json of ['{"__proto__":1}', '{"\\u005f_proto__":1}', "[".repeat(25) + "]".repeat(25), "{", ""])
      expect(parseStrictJson(json)).toBeUndefined()
    expect(parseStrictJson("[".repeat(24) + "]".repeat(24))).toBeDefined()
  })
})
