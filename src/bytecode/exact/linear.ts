import { type Expr, WORD_MASK } from "../evm/expression.ts"
import { type Budget, isOver } from "../evm/explore.ts"
import { type Condition, listed } from "../evm/path.ts"
import { type Width, ownWidth } from "../evm/apart.ts"
import { type Most, constantOnly, withoutFractions } from "../fraction.ts"

/** A linear sum of words with integer factors, and a constant: the value of a word as long as nothing wraps. */
export interface Sum {
  readonly terms: ReadonlyMap<Expr, bigint>
  readonly constant: bigint
}

const MAX_DEPTH = 32
/** Parts a word is split into at most. Honest sums have a few; what goes beyond stays a part as it is. */
const MAX_PARTS = 256

const signed = (value: bigint): bigint => BigInt.asIntN(256, value)

export const ZERO: Sum = { terms: new Map(), constant: 0n }

export const plus = (a: Sum, b: Sum, factor = 1n): Sum => {
  const terms = new Map(a.terms)
  for (const [word, count] of b.terms) {
    const sum = (terms.get(word) ?? 0n) + factor * count
    if (sum === 0n) terms.delete(word)
    else terms.set(word, sum)
  }
  // Not cut to a word: three large gains would look like a loss.
  return { terms, constant: a.constant + factor * b.constant }
}

export const minus = (a: Sum, b: Sum): Sum => plus(a, b, -1n)
export const negated = (a: Sum): Sum => minus(ZERO, a)

/**
 * The word as a sum. `replace` gives the sum that a word stands for, for instance what was written to the slot it reads.
 */
export const sumOf = (word: Expr, replace: (e: Expr) => Sum | undefined = () => undefined): Sum => {
  const terms = new Map<Expr, bigint>()
  let constant = 0n
  let parts = 0
  const put = (term: Expr, count: bigint): void => {
    const sum = (terms.get(term) ?? 0n) + count
    if (sum === 0n) terms.delete(term)
    else terms.set(term, sum)
  }
  const walk = (part: Expr, factor: bigint, depth: number): void => {
    const known = replace(part)
    const [a, b] = part.args
    if (known !== undefined) {
      for (const [term, count] of known.terms) put(term, factor * count)
      constant += factor * known.constant
    } else if (part.op === "const") constant += factor * signed(part.value)
    else if (depth >= MAX_DEPTH || a === undefined || ++parts > MAX_PARTS) put(part, factor)
    else if ((part.op === "add" || part.op === "sub") && b !== undefined) {
      walk(a, factor, depth + 1)
      walk(b, part.op === "add" ? factor : -factor, depth + 1)
    } else if (part.op === "not") {
      constant -= factor
      walk(a, -factor, depth + 1)
    } else put(part, factor)
  }
  walk(word, 1n, 0)
  return { terms, constant }
}

/** Whether no factor is negative: then the sum is at least zero as long as nothing wraps upward. */
const hasNoDebt = ({ terms, constant }: Sum): boolean => {
  if (constant < 0n) return false
  for (const count of terms.values()) if (count <= 0n) return false
  return true
}

export const isNothing = ({ terms, constant }: Sum): boolean => constant === 0n && terms.size === 0

const MAX_NARROWED = 24

/** The words a branch speaks of: where `or` is zero, both of its sides are. */
const saidIn = ({ expr, holds }: Pick<Condition, "expr" | "holds">): ReadonlyArray<Expr> =>
  !holds && expr.op === "or" ? expr.args.flatMap((side) => saidIn({ expr: side, holds })) : [expr]

/** Upper bound of the significant bits of anything below this word. */
const bitsBelow = ({ bits, op, value }: Expr): number =>
  op === "const" && value > 0n && (value & (value - 1n)) === 0n ? bits - 1 : bits

const boundsIn = (conditions: Condition): ReadonlyMap<Expr, number> => {
  const bounds = new Map<Expr, number>()
  const bound = (word: Expr, bits: number): void => {
    if (bits < word.bits) bounds.set(word, Math.min(bounds.get(word) ?? 256, bits))
  }
  for (const condition of listed(conditions))
    for (const { args, op } of saidIn(condition)) {
      const [a, b] = args
      const { holds } = condition
      if (a === undefined || b === undefined) continue
      if (op === "lt" && holds) bound(a, bitsBelow(b))
      if (op === "lt" && !holds) bound(b, a.bits)
      if (op === "shr" && !holds && a.op === "const") bound(b, Number(a.value))
      if (op === "eq" && holds) {
        bound(a, b.bits)
        bound(b, a.bits)
      }
    }
  return bounds
}

const NARROWED: ReadonlySet<Expr["op"]> = new Set<Expr["op"]>(["add", "and", "shl", "shr"])

const widthOf = ({ op }: Expr, a: Expr, b: Expr, width: Width): number => {
  if (op === "add") return Math.max(width(a), width(b)) + 1
  if (op === "and") return Math.min(width(a), width(b))
  if (a.op !== "const" || a.value > 256n) return 256
  return op === "shr" ? Math.max(0, width(b) - Number(a.value)) : width(b) + Number(a.value)
}

const widths = new WeakMap<Condition, Width>()

const narrowed = (conditions: Condition): Width => {
  let bounds: ReadonlyMap<Expr, number> | undefined
  const seen = new Map<Expr, number>()
  const width = (word: Expr, depth = 0): number => {
    const [a, b] = word.args
    bounds ??= boundsIn(conditions)
    const bound = Math.min(word.bits, bounds.get(word) ?? 256)
    if (depth > MAX_NARROWED || a === undefined || b === undefined || !NARROWED.has(word.op)) return bound
    const found =
      seen.get(word) ??
      Math.min(
        bound,
        widthOf(word, a, b, (part) => width(part, depth + 1))
      )
    seen.set(word, found)
    return found
  }
  return (word) => width(word)
}

/** Upper bound of a word's significant bits where the branches taken bound its parts: lengths mostly. */
export const widthWhere = (conditions: Condition | undefined): Width => {
  if (conditions === undefined) return ownWidth
  const width = widths.get(conditions) ?? narrowed(conditions)
  widths.set(conditions, width)
  return width
}

/** The sides of `a < b`; `a < a - c`, the compiler's test for a borrow, is read as `a < c`. */
export const sidesOf = (comparison: Expr): readonly [Expr, Expr] | undefined => {
  const [a, b] = comparison.args
  if (a === undefined || b === undefined) return undefined
  const [from, taken] = b.args
  return b.op === "sub" && from === a && taken !== undefined ? [a, taken] : [a, b]
}

/**
 * What a word lacks of all words where `a < a + c` asks whether the sum is one, with a number: `a < a - c` is the compiler's
 * test for a borrow, and simplified it is that sum.
 */
const missingIn = (a: Expr, { args: [x, y], op }: Expr): bigint | undefined => {
  const number = op !== "add" ? undefined : x === a ? y : y === a ? x : undefined
  return number?.op === "const" && number.value > 0n ? WORD_MASK - number.value + 1n : undefined
}

/**
 * The sides of `x - y` where it is within a limit that a wrapped difference would exceed: the compiler's test for a borrow
 * between words shorter than 256 bits.
 */
const notBorrowed = (limit: Expr, difference: Expr): readonly [Expr, Expr] | undefined => {
  const [x, y] = difference.args
  if (difference.op !== "sub" || x === undefined || y === undefined || limit.op !== "const") return undefined
  return limit.value + (1n << BigInt(y.bits)) <= 1n << 256n ? [x, y] : undefined
}

/** The sums that the compiler's test for a carry, `a + b < a`, was passed for: they do not wrap. */
const carriedNothing = (conditions: Condition | undefined): ReadonlySet<Expr> =>
  new Set(
    [...listed(conditions)].flatMap(({ expr: { args, op }, holds }) => {
      const [sum, part] = args
      const isTest =
        op === "lt" && !holds && sum?.op === "add" && part !== undefined && sum.args.includes(part)
      return isTest ? [sum] : []
    })
  )

/** Whether subtracting the fact would cancel a negative term of the sum. */
const sharesDebt = (fact: Sum, { terms }: Sum): boolean => {
  for (const [word, count] of fact.terms) if (count < 0n && (terms.get(word) ?? 0n) < 0n) return true
  return false
}

/** Comparisons with known facts that are charged as one step of the budget. */
const LOOKS_A_STEP = 128

/**
 * What the branches taken prove: sums that are at least zero. Once the budget is spent no facts are collected: fewer facts
 * prove less, and never more.
 */
export class Facts {
  private readonly known: ReadonlyArray<Sum> = []
  private static readonly MAX_STEPS = 4
  /** Bound on the search: comparisons can be combined in exponentially many ways, and honest code needs a few. */
  private static readonly MAX_TRIES = 64
  private tries = 0
  private readonly most: Most
  private readonly budget: Budget | undefined

  constructor(
    conditions: Condition | undefined,
    replace: (e: Expr) => Sum | undefined,
    most: Most = constantOnly,
    budget?: Budget
  ) {
    this.most = most
    this.budget = budget
    const known: Array<Sum> = []
    if (budget !== undefined && isOver(budget)) return
    const whole = carriedNothing(conditions)
    const isWhole = (word: Expr): boolean =>
      whole.has(word) && word.args.every((part) => this.isPlain(sumOf(part, replace), known))
    for (const { expr, holds } of [...listed(conditions)].toReversed()) {
      if (expr.op !== "lt" && !(expr.op === "eq" && holds)) continue
      const [a, b] = expr.op === "lt" ? (sidesOf(expr) ?? []) : expr.args
      if (a === undefined || b === undefined) continue
      if (this.isSpent(1)) break
      const [more, less] = holds ? [] : (notBorrowed(a, b) ?? [])
      if (more !== undefined && less !== undefined) {
        const [all, part] = [sumOf(more, replace), sumOf(less, replace)]
        if (this.isPlain(all, known) && this.isPlain(part, known)) known.push(minus(all, part))
      }
      const [x, y] = [sumOf(a, replace), sumOf(b, replace)]
      const missing = expr.op === "lt" ? missingIn(a, b) : undefined
      if (missing !== undefined && this.isPlain(x, known))
        known.push(
          holds
            ? minus({ terms: new Map(), constant: missing - 1n }, x)
            : minus(x, { terms: new Map(), constant: missing })
        )
      // `a < b` on words says something about the sums only where neither side has wrapped.
      if (expr.op === "lt" && !holds && (this.isPlain(y, known) || isWhole(b)) && this.follows(x, known))
        known.push(minus(x, y))
      if (expr.op === "lt" && holds && this.isPlain(x, known) && this.follows(y, known))
        known.push(minus(y, x))
      if (expr.op === "eq" && this.isPlain(x, known) && this.isPlain(y, known))
        known.push(minus(x, y), minus(y, x))
    }
    this.known = known
  }

  /** Whether the sum is at least zero by the known facts, as far as a bounded search finds. */
  private follows(sum: Sum, known: ReadonlyArray<Sum>): boolean {
    this.tries = 0
    const isSo = this.isPositive(sum, known)
    this.isSpent(Math.floor((this.tries * known.length) / LOOKS_A_STEP))
    return isSo
  }

  private isSpent(cost: number): boolean {
    if (this.budget === undefined) return false
    this.budget.steps -= cost
    return this.budget.steps <= 0
  }

  /** Whether the sum is a single word or constant less something no larger, so that it wraps neither way. */
  private isPlain(sum: Sum, known: ReadonlyArray<Sum>): boolean {
    const positive = [...sum.terms.values()].filter((count) => count > 0n)
    if (sum.constant > WORD_MASK || positive.some((count) => count > 1n)) return false
    const single = positive.length + (sum.constant > 0n ? 1 : 0) <= 1
    return single && this.follows(sum, known)
  }

  private isPositive(sum: Sum, known: ReadonlyArray<Sum>, steps = 0): boolean {
    if (hasNoDebt(sum)) return true
    if (steps >= Facts.MAX_STEPS || this.tries++ > Facts.MAX_TRIES) return false
    const terms = withoutFractions(sum.terms, this.most)
    if (terms !== undefined && this.isPositive({ ...sum, terms }, known, steps + 1)) return true
    const mayHelp = (fact: Sum): boolean => sharesDebt(fact, sum) || (sum.constant < 0n && fact.constant < 0n)
    return known.some((fact) => mayHelp(fact) && this.isPositive(minus(sum, fact), known, steps + 1))
  }

  /** Whether a word computed as this sum has exactly its value: it wraps neither way. */
  isExact(sum: Sum): boolean {
    return this.isPlain(sum, this.known)
  }

  /** Whether the sum is proven to be at least zero on the path. */
  atLeastZero(sum: Sum): boolean {
    return this.follows(sum, this.known)
  }
}
