import type { Expr } from "../evm/expression.ts"
import { type Condition, listed } from "../evm/path.ts"

/** A sum of words with whole factors, and a constant: what a word is worth where nothing wraps. */
export interface Sum {
  readonly terms: ReadonlyMap<Expr, bigint>
  readonly constant: bigint
}

const MAX_DEPTH = 32

const signed = (value: bigint): bigint => BigInt.asIntN(256, value)

export const ZERO: Sum = { terms: new Map(), constant: 0n }

export const plus = (a: Sum, b: Sum, factor = 1n): Sum => {
  const terms = new Map(a.terms)
  for (const [word, count] of b.terms) {
    const sum = (terms.get(word) ?? 0n) + factor * count
    if (sum === 0n) terms.delete(word)
    else terms.set(word, sum)
  }
  return { terms, constant: signed(BigInt.asUintN(256, a.constant + factor * b.constant)) }
}

export const minus = (a: Sum, b: Sum): Sum => plus(a, b, -1n)
export const negated = (a: Sum): Sum => minus(ZERO, a)

/**
 * The word as a sum. `replace` says what a word stands for (a read of storage for what was written there before).
 */
export const sumOf = (
  word: Expr,
  replace: (e: Expr) => Sum | undefined = () => undefined,
  depth = 0
): Sum => {
  const known = replace(word)
  if (known !== undefined) return known
  const [a, b] = word.args
  if (word.op === "const") return { terms: new Map(), constant: signed(word.value) }
  if (depth < MAX_DEPTH && a !== undefined) {
    if (word.op === "add" && b !== undefined)
      return plus(sumOf(a, replace, depth + 1), sumOf(b, replace, depth + 1))
    if (word.op === "sub" && b !== undefined)
      return minus(sumOf(a, replace, depth + 1), sumOf(b, replace, depth + 1))
    if (word.op === "not") return minus({ terms: new Map(), constant: -1n }, sumOf(a, replace, depth + 1))
  }
  return { terms: new Map([[word, 1n]]), constant: 0n }
}

/** No factor is negative: as long as nothing wraps upward, the sum is no less than zero. */
export const hasNoDebt = ({ terms, constant }: Sum): boolean =>
  constant >= 0n && [...terms.values()].every((count) => count > 0n)

export const isNothing = ({ terms, constant }: Sum): boolean => constant === 0n && terms.size === 0

/** `x * c / d` with constants: the fraction of `x` it is. */
export const fractionOf = (
  word: Expr
): { readonly of: Expr; readonly part: bigint; readonly whole: bigint } | undefined => {
  const [product, whole] = word.args
  if (word.op !== "div" && word.op !== "shr") return undefined
  const [numerator, divisor] =
    word.op === "div"
      ? [product, whole?.op === "const" ? whole.value : undefined]
      : [whole, product?.op === "const" && product.value < 256n ? 1n << product.value : undefined]
  if (numerator === undefined || divisor === undefined || divisor === 0n) return undefined
  const [x, y] = numerator.args
  if (numerator.op === "mul" && x !== undefined && y !== undefined) {
    if (x.op === "const") return { of: y, part: x.value, whole: divisor }
    if (y.op === "const") return { of: x, part: y.value, whole: divisor }
  }
  if (numerator.op === "shl" && x?.op === "const" && y !== undefined && x.value < 256n)
    return { of: y, part: 1n << x.value, whole: divisor }
  return { of: numerator, part: 1n, whole: divisor }
}

/** Fractions count as what they are at most: what remains is no more than the sum. */
const withoutFractions = ({ terms, constant }: Sum): Sum | undefined => {
  for (const [word, count] of terms) {
    const fraction = count === -1n ? fractionOf(word) : undefined
    const whole = fraction === undefined ? undefined : terms.get(fraction.of)
    if (fraction === undefined || whole === undefined || whole < 1n || fraction.part > fraction.whole)
      continue
    const rest = new Map(terms)
    rest.delete(word)
    rest.delete(fraction.of)
    if (whole > 1n) rest.set(fraction.of, whole - 1n)
    return { terms: rest, constant }
  }
  return undefined
}

/** The sides of `a < b`; `a < a - c`, the compiler's test for a borrow, is read as `a < c`. */
export const sidesOf = (comparison: Expr): readonly [Expr, Expr] | undefined => {
  const [a, b] = comparison.args
  if (a === undefined || b === undefined) return undefined
  const [from, taken] = b.args
  return b.op === "sub" && from === a && taken !== undefined ? [a, taken] : [a, b]
}

/** What the decided branches say: sums that are no less than zero. */
export class Facts {
  private readonly known: ReadonlyArray<Sum>
  private static readonly MAX_STEPS = 4

  constructor(conditions: Condition | undefined, replace: (e: Expr) => Sum | undefined) {
    const known: Array<Sum> = []
    for (const { expr, holds } of [...listed(conditions)].toReversed()) {
      if (expr.op !== "lt" && !(expr.op === "eq" && holds)) continue
      const [a, b] = expr.op === "lt" ? (sidesOf(expr) ?? []) : expr.args
      if (a === undefined || b === undefined) continue
      const [x, y] = [sumOf(a, replace), sumOf(b, replace)]
      // `a < b` on words says something about the sums only where neither side has wrapped.
      if (expr.op === "lt" && !holds && this.isPlain(y, known) && this.isPositive(x, known))
        known.push(minus(x, y))
      if (expr.op === "lt" && holds && this.isPlain(x, known) && this.isPositive(y, known))
        known.push(minus(y, x))
      if (expr.op === "eq" && this.isPlain(x, known) && this.isPlain(y, known))
        known.push(minus(x, y), minus(y, x))
    }
    this.known = known
  }

  /** One word, less something that is no more: it wraps neither way. */
  private isPlain(sum: Sum, known: ReadonlyArray<Sum>): boolean {
    const positive = [...sum.terms.values()].filter((count) => count > 0n)
    if (positive.some((count) => count > 1n)) return false
    const single = positive.length + (sum.constant > 0n ? 1 : 0) <= 1
    return single && this.isPositive(sum, known)
  }

  private isPositive(sum: Sum, known: ReadonlyArray<Sum>, steps = 0): boolean {
    if (hasNoDebt(sum)) return true
    if (steps >= Facts.MAX_STEPS) return false
    const whole = withoutFractions(sum)
    if (whole !== undefined && this.isPositive(whole, known, steps + 1)) return true
    return known.some((fact) => {
      const helps = [...fact.terms].some(([word, count]) => count < 0n && (sum.terms.get(word) ?? 0n) < 0n)
      return helps && this.isPositive(minus(sum, fact), known, steps + 1)
    })
  }

  /** Whether the sum is no less than zero wherever the path is taken. */
  atLeastZero(sum: Sum): boolean {
    return this.isPositive(sum, this.known)
  }
}
