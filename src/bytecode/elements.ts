import type { Arena, Expr } from "./evm/expression.ts"
import { type Condition, listed } from "./evm/path.ts"
import { substitute } from "./substitute.ts"

/**
 * Longest fixed-size array whose elements are told apart. A longer one counts as one place of its own: no finding comes of
 * a write to it, and no proof either.
 */
const MAX_ELEMENTS = 32n

interface Written {
  readonly key: Expr
  readonly value: Expr
}

const isHashed = (key: Expr): boolean => key.op === "keccak" || key.args.some(isHashed)

/** The index that a place is computed from, and its bound: compilers check it against the array's length. */
const indexOf = (key: Expr, conditions: Condition | undefined): { of: Expr; count: bigint } | undefined => {
  for (const { expr, holds } of listed(conditions)) {
    const [of, count] = expr.args
    if (expr.op !== "lt" || !holds || of === undefined || count?.op !== "const" || of.op === "const") continue
    if (count.value <= MAX_ELEMENTS && key.args.some((arg) => arg === of || arg.args.includes(of)))
      return { of, count: count.value }
  }
  return undefined
}

/**
 * A write to an element of a fixed-size array, whose index is an argument, as one write to each element: these are plain
 * slots, or fields of some. Any other write as it is.
 */
export const elementsOf = (
  arena: Arena,
  conditions: Condition | undefined,
  { key, value }: Written
): ReadonlyArray<Written> => {
  const index = key.op === "const" || isHashed(key) ? undefined : indexOf(key, conditions)
  if (index === undefined) return [{ key, value }]
  const elements = Array.from({ length: Number(index.count) }, (_, i) => {
    const number = arena.constant(BigInt(i))
    const at = (word: Expr): Expr => substitute(arena, word, (e) => (e === index.of ? number : undefined))
    const place = at(key)
    const old = arena.node("sload", [key])
    const kept = arena.node("sload", [place])
    return {
      key: place,
      value: substitute(arena, value, (e) => (e === old ? kept : e === index.of ? number : undefined))
    }
  })
  return elements.every(({ key: place }) => place.op === "const") ? elements : [{ key, value }]
}
