import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { bar, labelled, plain, printableJson, usd, wrap } from "../../src/cli/text.ts"

// oxlint-disable-next-line no-control-regex
const DANGEROUS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\u001b[2Jcleared", "a\rb", "\u202egpj.exe", "x\u200by", "\u009b31m", "line\nbreak")
)

describe("text from elsewhere", () => {
  it("reaches the terminal without control, invisible or direction characters, on one line", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(plain(text)).not.toMatch(DANGEROUS)
        expect(plain(text, 20).length).toBeLessThanOrEqual(20)
      })
    )
  })

  it("is printed as JSON that looks harmless and means the same", () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, hostile), (value) => {
        const json = printableJson(value)
        expect(json.replaceAll("\n", "")).not.toMatch(DANGEROUS)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
      })
    )
  })
})

describe("layout", () => {
  it("breaks lines at the width and loses no word", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[!-~]{1,30}$/), { maxLength: 40 }),
        fc.integer({ min: 10, max: 80 }),
        (words, width) => {
          const lines = wrap(words.join(" "), width)
          expect(lines.every((line) => line.length <= width)).toBe(true)
          expect(lines.join("").replaceAll(" ", "")).toBe(words.join(""))
        }
      )
    )
  })

  it("draws a bar of constant width that shows every score above zero", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const drawn = bar(share, 40)
        expect(drawn).toHaveLength(40)
        expect(drawn.startsWith("█")).toBe(share > 0)
      })
    )
  })

  it("writes money without exponents", () => {
    expect(usd(1_234_567.891)).toBe("1,234,567.89 USD")
    expect(usd(1.5e-9)).toBe("0.0000000015 USD")
    expect(usd(0)).toBe("0 USD")
  })
})

describe("a text under a label", () => {
  it("stands beside it, and below it where it is too long for its column", () => {
    expect(labelled("  clock", "is right", 10, 20)).toEqual(["  clock   is right"])
    expect(labelled("  node.example", "is of another chain", 10, 20)).toEqual([
      "  node.example",
      "          is of",
      "          another",
      "          chain"
    ])
  })
})
