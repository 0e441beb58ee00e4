import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { normalised } from "../../src/bytecode/evm/branch.ts"
import { Arena, type Expr, WORD_MASK } from "../../src/bytecode/evm/expression.ts"
import { binary, complement, isZero } from "../../src/bytecode/evm/simplify.ts"
import { KnownBits } from "../../src/bytecode/exact/bits.ts"
import { sumOf } from "../../src/bytecode/exact/linear.ts"
import { mayBeSame } from "../../src/bytecode/exact/same.ts"
import { MEANING, truth, word } from "../support/evm/meaning.ts"
import { tried } from "../support/properties.ts"

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
