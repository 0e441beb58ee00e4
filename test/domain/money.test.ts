import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { AtomicAmount, formatUsd, parseUsd } from "../../src/domain/money.ts"

const amounts = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })

describe("USD amounts", () => {
  it("are exact: 0.005 is 5000 smallest units", () => {
    expect([parseUsd("0.005"), parseUsd("0.04"), parseUsd("0"), parseUsd("999999999999.999999")]).toEqual([
      5000n,
      40_000n,
      0n,
      10n ** 18n - 1n
    ])
  })

  it("survive printing and parsing", () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseUsd(formatUsd(amount))).toBe(amount)
      })
    )
  })

  it("have one shortest text", () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(formatUsd(amount)).toMatch(/^(?:0|[1-9]\d*)(?:\.\d{0,5}[1-9])?$/)
      })
    )
  })

  it("mean the same with trailing zeros", () => {
    fc.assert(
      fc.property(fc.nat({ max: 999_999 }), fc.integer({ min: 1, max: 6 }), (whole, zeros) => {
        expect(parseUsd(`${whole}.${"0".repeat(zeros)}`)).toBe(parseUsd(String(whole)))
      })
    )
  })

  it.each([
    ..."1e3|-1|+1|0.0000001|1.| 1|1 |\u0661|01|00|.5|1,000|0x10|1_000|NaN|Infinity|1.2.3|\u22121|1\n|1n|$1".split(
      "|"
    ),
    "",
    "1".repeat(13),
    "0.1\u0000"
  ])("are not %j", (text) => {
    expect(parseUsd(text)).toBeUndefined()
  })

  it("parse nothing but plain decimals, and never throw", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."0123456789.-+e xn_,".split("")), maxLength: 16 }),
        (text) => {
          expect(parseUsd(text) !== undefined).toBe(/^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?$/.test(text))
        }
      )
    )
  })
})

describe("AtomicAmount", () => {
  const isAtomic = Schema.is(AtomicAmount)

  it("takes every canonical integer up to 39 digits", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 39n - 1n }), (amount) => {
        expect(isAtomic(amount.toString())).toBe(true)
      })
    )
  })

  it.each([
    "",
    "00",
    "01",
    "-1",
    "+1",
    "1.0",
    "1e3",
    " 1",
    "0x1",
    "\u0661",
    "1".repeat(40),
    5000,
    5000n,
    null
  ])("refuses %s", (value) => {
    expect(isAtomic(value)).toBe(false)
  })
})
