import { expect, it } from "@effect/vitest"
import { isBelow, ownWidth } from "../../src/bytecode/evm/apart.ts"
import { Arena, type Expr, WORD_MASK } from "../../src/bytecode/evm/expression.ts"
import { add, and } from "../../src/bytecode/evm/simplify.ts"

const arena = new Arena(true)
const number = (value: bigint): Expr => arena.constant(value)
const small = (at: bigint): Expr => and(arena, number((1n << 64n) - 1n), arena.node("calldata", [number(at)]))
const [length, other] = [small(4n), small(36n)]
const large = arena.node("calldata", [number(68n)])
const padded = (word: Expr, by: bigint): Expr =>
  and(arena, number(WORD_MASK ^ 31n), add(arena, word, number(by)))

const below = (low: Expr | undefined, from: number, high: Expr | undefined, to: number): boolean =>
  isBelow({ base: low, offset: from }, 32, { base: high, offset: to }, ownWidth)

it("a constant place is before one that lies a small number behind it", () => {
  expect(below(undefined, 64, length, 96)).toBe(true)
  expect(below(undefined, 64, length, 95)).toBe(false)
  expect(below(length, 64, undefined, 96)).toBe(false)
})

it("a number that may wrap around is before and behind nothing", () => {
  expect(below(undefined, 64, large, 128)).toBe(false)
  expect(below(length, 0, add(arena, length, large), 128)).toBe(false)
})

it("two small numbers say nothing of one another, nor one of its double", () => {
  expect(below(length, 0, other, 64)).toBe(false)
  expect(below(length, 0, add(arena, length, other), 32)).toBe(true)
  expect(below(add(arena, length, other), 0, length, 64)).toBe(false)
  expect(below(add(arena, length, length), 0, length, 64)).toBe(false)
})

it("what is rounded up lies a whole word behind where more than a word was added", () => {
  expect(below(undefined, 0, padded(length, 63n), 0)).toBe(true)
  expect(below(undefined, 0, padded(length, 31n), 0)).toBe(false)
  expect(below(padded(length, 31n), 0, padded(length, 63n), 0)).toBe(true)
  expect(below(padded(length, 30n), 0, padded(length, 63n), 0)).toBe(false)
  expect(below(padded(padded(length, 31n), 63n), 0, padded(length, 31n), 32)).toBe(false)
})

it("a sum of sums that is endless when written out is one word, and compared as such", () => {
  let [doubled, rounded] = [length, length]
  for (let turn = 0; turn < 64; turn++) {
    doubled = add(arena, doubled, doubled)
    rounded = padded(add(arena, rounded, rounded), 33n)
  }
  expect(below(undefined, 64, doubled, 96)).toBe(true)
  expect(below(doubled, 64, rounded, 96)).toBe(false)
  expect(below(rounded, 64, add(arena, rounded, other), 96)).toBe(false)
})
