/** Shares of an amount, several at a time: what is said of their sum holds for every amount. */
import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { Arena, type Expr } from "../../src/bytecode/evm/expression.ts"
import { Facts, type Sum } from "../../src/bytecode/exact/linear.ts"
import { tried } from "../support/properties.ts"

const WORD = 1n << 256n

/** A share of the amount, or of an earlier share. */
interface Share {
  readonly ofEarlier: number | null
  readonly part: bigint
  readonly whole: bigint
  readonly count: bigint
}

const share: fc.Arbitrary<Share> = fc.record({
  ofEarlier: fc.option(fc.nat(3)),
  part: fc.bigInt({ min: 2n, max: 120n }),
  whole: fc.bigInt({ min: 3n, max: 130n }),
  count: fc.bigInt({ min: 1n, max: 3n })
})

/** The amount so many times, less the shares; with what every word of it is for a given amount. */
const sumOver = (held: bigint, shares: ReadonlyArray<Share>) => {
  const arena = new Arena(true)
  const amount = arena.unknown()
  const words: Array<{
    readonly word: Expr
    readonly at: (amount: bigint) => bigint
    readonly most: number
  }> = []
  const terms = new Map<Expr, bigint>([[amount, held]])
  let owed = 0
  for (const { count, ofEarlier, part, whole } of shares) {
    const earlier = ofEarlier === null ? undefined : words[ofEarlier]
    const of = earlier ?? { word: amount, at: (n: bigint) => n, most: 1 }
    const product = arena.node("mul", [arena.constant(part), of.word])
    const word = arena.node("div", [product, arena.constant(whole)])
    const most = (of.most * Number(part)) / Number(whole)
    words.push({ word, most, at: (n) => ((of.at(n) * part) % WORD) / whole })
    terms.set(word, (terms.get(word) ?? 0n) - count)
    owed += Number(count) * most
  }
  const sum: Sum = { terms, constant: 0n }
  const valueAt = (n: bigint): bigint => {
    const values = new Map([[amount, n], ...words.map(({ at, word }) => [word, at(n)] as const)])
    return [...terms].reduce((total, [word, count]) => total + (values.get(word) ?? 0n) * count, 0n)
  }
  return { owed, sum, valueAt }
}

const isProven = (sum: Sum): boolean => new Facts(undefined, () => undefined).atLeastZero(sum)

describe("an amount less shares of it", () => {
  const amounts = fc.array(
    fc.oneof(fc.bigInt({ min: 0n, max: 1000n }), fc.bigInt({ min: 0n, max: WORD - 1n })),
    {
      minLength: 5,
      maxLength: 5
    }
  )
  const shares = fc.array(share, { minLength: 1, maxLength: 4 })

  it("is never below nothing where that is proven", () => {
    let proven = 0
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 4n }), shares, amounts, (held, owed, of) => {
        const { sum, valueAt } = sumOver(held, owed)
        if (!isProven(sum)) return
        proven++
        for (const amount of of) expect(valueAt(amount)).toBeGreaterThanOrEqual(0n)
      }),
      tried(20_000, 500)
    )
    expect(proven).toBeGreaterThan(50)
  })

  it("is proven to be none where all of them together are less than there is", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 4n }), shares, (held, owed) => {
        const made = sumOver(held, owed)
        if (made.owed < Number(held) * 0.999) expect(isProven(made.sum)).toBe(true)
      }),
      tried(20_000, 500)
    )
  })
})
