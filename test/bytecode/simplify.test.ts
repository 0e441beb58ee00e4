import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { normalised } from "../../src/bytecode/evm/branch.ts"
import { Arena, type Expr, WORD_MASK } from "../../src/bytecode/evm/expression.ts"
import { binary, complement, isZero } from "../../src/bytecode/evm/simplify.ts"
import { KnownBits } from "../../src/bytecode/exact/bits.ts"
import { sumOf } from "../../src/bytecode/exact/linear.ts"
import { mayBeSame } from "../../src/bytecode/exact/same.ts"
import { tried } from "../support/properties.ts"

const word = (value: bigint): bigint => BigInt.asUintN(256, value)
const signed = (value: bigint): bigint => BigInt.asIntN(256, value)
const truth = (is: boolean): bigint => (is ? 1n : 0n)

const power = (base: bigint, exponent: bigint): bigint =>
  exponent === 0n ? 1n : word(power(word(base * base), exponent >> 1n) * (exponent % 2n === 1n ? base : 1n))

const extended = (a: bigint, b: bigint): bigint => word(BigInt.asIntN(8 * Number(a) + 8, b))

/** What instructions leave for the two words on top, as the Yellow Paper says: appendix H. */
const MEANING = {
  add: [0x01, (a, b) => word(a + b)],
  mul: [0x02, (a, b) => word(a * b)],
  sub: [0x03, (a, b) => word(a - b)],
  div: [0x04, (a, b) => (b === 0n ? 0n : a / b)],
  sdiv: [0x05, (a, b) => (b === 0n ? 0n : word(signed(a) / signed(b)))],
  mod: [0x06, (a, b) => (b === 0n ? 0n : a % b)],
  smod: [0x07, (a, b) => (b === 0n ? 0n : word(signed(a) % signed(b)))],
  exp: [0x0a, power],
  signextend: [0x0b, (a, b) => (a > 30n ? b : extended(a, b))],
  lt: [0x10, (a, b) => truth(a < b)],
  gt: [0x11, (a, b) => truth(a > b)],
  slt: [0x12, (a, b) => truth(signed(a) < signed(b))],
  sgt: [0x13, (a, b) => truth(signed(a) > signed(b))],
  eq: [0x14, (a, b) => truth(a === b)],
  and: [0x16, (a, b) => a & b],
  or: [0x17, (a, b) => a | b],
  xor: [0x18, (a, b) => a ^ b],
  byte: [0x1a, (a, b) => (a > 31n ? 0n : (b >> (248n - 8n * a)) & 255n)],
  shl: [0x1b, (a, b) => (a > 255n ? 0n : word(b << a))],
  shr: [0x1c, (a, b) => (a > 255n ? 0n : b >> a)],
  sar: [0x1d, (a, b) => word(signed(b) >> (a > 255n ? 255n : a))]
} as const satisfies Record<string, readonly [number, (a: bigint, b: bigint) => bigint]>

const NAMES = [...Object.keys(MEANING), "iszero", "not"]
const meaning = new Map<string, readonly [number, (a: bigint, b: bigint) => bigint]>(Object.entries(MEANING))

const anyWord = fc.oneof(
  fc.constantFrom(0n, 1n, 96n, 1n << 255n, (1n << 160n) - 1n, WORD_MASK),
  fc.bigInt(0n, 300n),
  fc.bigInt(0n, WORD_MASK),
  fc.nat(256).map((bits) => word(1n << BigInt(bits))),
  fc.nat(256).map((bits) => (1n << BigInt(bits)) - 1n),
  fc.nat(256).map((bits) => WORD_MASK ^ ((1n << BigInt(bits)) - 1n))
)

/** An operand: one of the words that are there already, or a constant. */
const operand = fc.oneof({ weight: 2, arbitrary: fc.nat(63) }, { weight: 1, arbitrary: anyWord })
const steps = fc.array(fc.tuple(fc.constantFrom(...NAMES), operand, operand), { minLength: 1, maxLength: 14 })

const worthOf = (known: ReadonlyMap<Expr, bigint>, e: Expr): bigint => {
  const { args, op, value } = e
  const given = known.get(e)
  if (given !== undefined) return given
  if (op === "const") return value
  const [a = 0n, b = 0n] = args.map((arg) => worthOf(known, arg))
  if (op === "iszero") return truth(a === 0n)
  if (op === "not") return WORD_MASK ^ a
  const [, of] = meaning.get(op) ?? []
  if (of === undefined) throw new Error(`no meaning of ${op}`)
  return of(a, b)
}

describe("words that are worked out and simplified", () => {
  it("are worth what instructions leave, and no more is said of them than is so", () => {
    fc.assert(
      fc.property(
        fc.array(anyWord, { minLength: 3, maxLength: 3 }),
        anyWord,
        steps,
        (given, mask, program) => {
          const arena = new Arena(true)
          const stored = arena.node("sload", [arena.constant(5n)])
          const [first = 0n] = given
          const leaves = given.map(
            (value, n) => [arena.node("calldata", [arena.constant(BigInt(n))]), value] as const
          )
          const values = new Map<Expr, bigint>([[stored, first], ...leaves])
          const bits = new KnownBits({ words: new Map([[5n, { mask, value: first & mask }]]), empty: [] })
          const there: Array<readonly [Expr, bigint]> = [...values]
          const take = (from: number | bigint): readonly [Expr, bigint] =>
            typeof from === "bigint"
              ? [arena.constant(from), from]
              : (there[from % there.length] ?? [arena.zero, 0n])
          for (const [name, left, right] of program) {
            const [[a, x], [b, y]] = [take(left), take(right)]
            const [opcode, of] = meaning.get(name) ?? []
            const [made, value] =
              opcode !== undefined && of !== undefined
                ? [binary(arena, opcode, a, b), of(x, y)]
                : name === "not"
                  ? [complement(arena, a), WORD_MASK ^ x]
                  : [isZero(arena, a), truth(x === 0n)]
            const worth = (e: Expr): bigint => worthOf(values, e)
            expect(worth(made)).toBe(value)
            expect(value >> BigInt(made.bits)).toBe(0n)
            const known = bits.of(made)
            expect(value & known.mask).toBe(known.value)
            const branch = normalised(arena, made)
            expect((worth(branch.expr) !== 0n) === branch.positive).toBe(value !== 0n)
            const { constant, terms } = sumOf(made)
            expect(word([...terms].reduce((sum, [e, count]) => sum + count * worth(e), constant))).toBe(value)
            for (const [other, same] of there) expect(same !== value || mayBeSame(other, made)).toBe(true)
            there.push([made, value])
          }
        }
      ),
      tried(10_000, 300)
    )
  })
})
