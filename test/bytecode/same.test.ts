import { describe, expect, it } from "@effect/vitest"
import { keccak256, pad, toHex } from "viem"
import { Arena, type Expr } from "../../src/bytecode/evm/expression.ts"
import { mayBeSame } from "../../src/bytecode/exact/same.ts"

const arena = new Arena(true)
const hash = (...words: ReadonlyArray<Expr>): Expr => arena.node("keccak", words, BigInt(words.length * 32))
const shifted = (word: Expr, by: bigint): Expr => arena.node("add", [word, arena.constant(by)])
const argument = (n: number): Expr => arena.node("calldata", [arena.constant(BigInt(4 + 32 * n))])
/** A number of 40 bits that the caller chooses. */
const small = arena.node("and", [arena.constant((1n << 40n) - 1n), argument(1)])
const START_OF_TEXT = BigInt(keccak256(toHex(3, { size: 32 })))

describe("two places in storage", () => {
  const entry = hash(argument(0), arena.constant(1n))

  it("are apart where one lies in a text of a first slot and the other is an entry", () => {
    expect(mayBeSame(shifted(small, START_OF_TEXT), entry)).toBe(false)
    expect(mayBeSame(entry, shifted(small, START_OF_TEXT + 2n))).toBe(false)
  })

  it("may be one where the text's end is anywhere", () => {
    expect(mayBeSame(shifted(argument(1), START_OF_TEXT), entry)).toBe(true)
  })

  it("may be one where the branches taken alone would say how long the text is, and are not given", () => {
    const length = argument(2)
    const place = shifted(length, START_OF_TEXT)
    expect(mayBeSame(place, entry)).toBe(true)
    expect(mayBeSame(place, entry, (word) => (word === length ? 64 : word.bits))).toBe(false)
  })

  it("may be one where a constant that is no list's start has a number behind it", () => {
    expect(mayBeSame(shifted(small, BigInt(keccak256(pad("0x77")))), entry)).toBe(true)
  })

  it("may be one where a range reaches the neighbourhood of a hash that is known, from either side", () => {
    const known = hash(arena.constant(5n), arena.constant(1n))
    const value = BigInt(keccak256(`0x${[5n, 1n].map((n) => toHex(n, { size: 32 }).slice(2)).join("")}`))
    expect(mayBeSame(known, shifted(small, value - 5n))).toBe(true)
    expect(mayBeSame(known, shifted(small, value + 5n))).toBe(true)
    expect(mayBeSame(known, shifted(small, value - (1n << 41n)))).toBe(false)
    expect(mayBeSame(known, shifted(small, value + (1n << 65n)))).toBe(false)
  })
})
