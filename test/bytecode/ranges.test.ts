import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Arena, type Expr } from "../../src/bytecode/evm/expression.ts"
import { foldBinary } from "../../src/bytecode/evm/fold.ts"
import { binary, isZero } from "../../src/bytecode/evm/simplify.ts"
import { Ranges } from "../../src/bytecode/exact/ranges.ts"
import { bpsOf, shareOf } from "../../src/screening/base/pools/hook/shares.ts"

/** An operation on what was computed before: places of its two sides, counted from the last. */
interface Operation {
  readonly op: number
  readonly left: number
  readonly right: number
  readonly constant: bigint | null
}

const OPCODES = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0b, 0x10, 0x12, 0x14, 0x15, 0x16, 0x17, 0x1b, 0x1c, 0x1d
]

const operation: fc.Arbitrary<Operation> = fc.record({
  op: fc.constantFrom(...OPCODES),
  left: fc.nat(5),
  right: fc.nat(5),
  constant: fc.option(
    fc.oneof(
      fc.bigInt({ min: 0n, max: 300n }),
      fc.constantFrom(10_000n, (1n << 128n) - 1n, 2n ** 256n - 1n, 1n << 255n),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
    )
  )
})

const amount = fc.bigInt({ min: -(2n ** 120n), max: 2n ** 120n })

/** Builds words and computes them for one choice of the inputs, side by side. */
const build = (arena: Arena, inputs: ReadonlyArray<bigint>, operations: ReadonlyArray<Operation>) => {
  const words: Array<{ readonly word: Expr; readonly value: bigint }> = inputs.map((value, index) => ({
    word: arena.node("calldata", [arena.constant(BigInt(4 + 32 * index))]),
    value: BigInt.asUintN(256, value)
  }))
  for (const { constant, left, op, right } of operations) {
    const at = (back: number) => words[Math.max(0, words.length - 1 - back)] ?? words[0]
    const a = constant === null ? at(left) : { word: arena.constant(constant), value: constant }
    const b = at(right)
    if (a === undefined || b === undefined) continue
    const isUnary = op === 0x15
    words.push(
      isUnary
        ? { word: isZero(arena, b.word), value: b.value === 0n ? 1n : 0n }
        : { word: binary(arena, op, a.word, b.word), value: foldBinary(op, a.value, b.value) }
    )
  }
  return words
}

describe("ranges of words", () => {
  it("hold whatever is computed within them, signed, wrapped or shifted", () => {
    fc.assert(
      fc.property(amount, amount, fc.array(operation, { maxLength: 8 }), (x, y, operations) => {
        const arena = new Arena(true)
        const words = build(arena, [x, y], operations)
        const spread = 1000n
        const ranges = new Ranges((word) => {
          const index = words.slice(0, 2).findIndex((one) => one.word === word)
          const value = [x, y][index]
          return value === undefined ? undefined : { least: value - spread, most: value + spread }
        })
        for (const { value, word } of words) {
          const { least, most } = ranges.of(word)
          const signed = BigInt.asIntN(256, value)
          expect(least <= signed && signed <= most).toBe(true)
          expect(BigInt.asUintN(256, BigInt.asIntN(256, value))).toBe(value)
        }
      }),
      { numRuns: 400 }
    )
  })

  it("let a product's own test pass only where no product of theirs is too much for a word", () => {
    fc.assert(
      fc.property(
        amount,
        fc.bigInt({ min: 0n, max: 1_000n }),
        fc.constantFrom(0x04, 0x05),
        fc.boolean(),
        (size, factor, divide, isBySize) => {
          const arena = new Arena(true)
          const [[sized], [multiplied]] = [build(arena, [size], []), build(arena, [0n, factor], []).slice(1)]
          if (sized === undefined || multiplied === undefined) return
          const [divisor, other] = isBySize ? [sized, multiplied] : [multiplied, sized]
          const product = binary(arena, 0x02, sized.word, multiplied.word)
          const quotient = binary(arena, divide, product, divisor.word)
          const test = binary(
            arena,
            0x17,
            isZero(arena, divisor.word),
            binary(arena, 0x14, quotient, other.word)
          )
          const ranges = new Ranges((word) =>
            word === sized.word
              ? { least: size - 1_000n, most: size + 1_000n }
              : word === multiplied.word
                ? { least: 0n, most: 1_000n }
                : undefined
          )
          const real = foldBinary(divide, foldBinary(0x02, sized.value, multiplied.value), divisor.value)
          const passes = divisor.value === 0n || real === other.value
          expect([passes, undefined]).toContain(ranges.truth(test))
        }
      ),
      { numRuns: 400 }
    )
  })

  it("bound the share of an amount by no less than it is", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 10n ** 6n, max: 2n ** 110n }),
        fc.array(operation, { maxLength: 5 }),
        (whole, operations) => {
          const arena = new Arena(true)
          const words = build(arena, [whole], operations)
          const [input] = words
          const ranges = new Ranges((word) =>
            word === input?.word ? { least: 0n, most: 2n ** 120n } : undefined
          )
          for (const { value, word } of words) {
            const share = shareOf(word, (one) => one === input?.word, ranges)
            if (share === undefined) continue
            const signed = BigInt.asIntN(256, value)
            const size = signed < 0n ? -signed : signed
            expect(size * 10_000n <= whole * BigInt(bpsOf(share))).toBe(true)
          }
        }
      ),
      {
        numRuns: 400,
        examples: [
          [
            10n ** 6n,
            [
              { op: 0x1b, left: 0, right: 0, constant: 54n },
              { op: 0x01, left: 1, right: 0, constant: null }
            ]
          ]
        ]
      }
    )
  })
})
