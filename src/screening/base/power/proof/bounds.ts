import { Facts, type Sum, minus, sumOf } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Budget } from "../../../../bytecode/evm/explore.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Arena, Expr } from "../../../../bytecode/evm/expression.ts"
import { type Condition, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { and, binary } from "../../../../bytecode/evm/simplify.ts"
import { type Field, fieldOf } from "./field.ts"
import { type Supply, shareNow } from "./supply.ts"

/** What a path does to storage. */
export interface Change {
  readonly leaf: Leaf
  readonly writes: ReadonlyArray<StorageWrite>
  /** It could do anything: it was lost, or runs code from elsewhere. */
  readonly isWild: boolean
}

/** The field's part of a word written to its slot. */
const partOf = (arena: Arena, { mask, shift }: Field, value: Expr): Expr =>
  binary(arena, 0x1c, arena.constant(shift), and(arena, arena.constant(mask), value))

const CONSTANT_TESTS: ReadonlySet<string> = new Set(["lt", "eq"])

const constantsIn = (conditions: Condition | undefined): ReadonlyArray<bigint> => [
  ...new Set(
    [...listed(conditions)].flatMap(({ expr }) =>
      CONSTANT_TESTS.has(expr.op) ? expr.args.flatMap(({ op, value }) => (op === "const" ? [value] : [])) : []
    )
  )
]

const bare = (word: Expr): Expr => {
  const [mask, inner] = word.args
  return word.op === "and" && mask?.op === "const" && inner !== undefined ? inner : word
}

const factsOf = (conditions: Condition | undefined, budget: Budget): Facts =>
  new Facts(conditions, () => undefined, undefined, budget)

/** The least constant that the branches taken say the word does not exceed. */
const boundBy = (conditions: Condition | undefined, word: Expr, budget: Budget): bigint | undefined => {
  const facts = factsOf(conditions, budget)
  const words: ReadonlyArray<Sum> = [sumOf(word), sumOf(bare(word))]
  return constantsIn(conditions)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .find((constant) =>
      words.some(
        (sum) => facts.atLeastZero(sum) && facts.atLeastZero(minus({ terms: new Map(), constant }, sum))
      )
    )
}

/** The words that paths put into a field, with what their branches say; `undefined` where one may put in anything. */
const putInto = (
  arena: Arena,
  changes: ReadonlyArray<Change>,
  field: Field
): ReadonlyArray<Put> | undefined => {
  const slot = arena.constant(field.slot)
  const found: Array<Put> = []
  for (const { leaf, writes, isWild } of changes) {
    if (isWild) return undefined
    for (const { id, key, value } of writes) {
      if (key !== slot) {
        if (key.op !== "const" && mayBeSame(key, slot)) return undefined
        continue
      }
      const part = partOf(arena, field, value)
      const kept = fieldOf(part)
      if (kept?.slot === field.slot && kept.mask === field.mask) continue
      found.push({ part, conditions: leaf.state.conditions, id: BigInt(id) })
    }
  }
  return found
}

interface Put {
  readonly part: Expr
  readonly conditions: Condition | undefined
  /** The write's own number. */
  readonly id: bigint
}

/** The read that a field was cut out of. */
const readIn = (word: Expr): Expr => {
  const [, inner] = word.args
  return word.op === "sload" || inner === undefined ? word : readIn(inner)
}

/**
 * What the field held before a word was put into it, as the branches taken name it. Read afterwards, it would be the word
 * itself: after a call nobody knows whose.
 */
const before = ({ conditions, id }: Put, { mask, slot }: Field): ReadonlyArray<Expr> => [
  ...new Set(
    [...listed(conditions)]
      .flatMap(({ expr }) => (CONSTANT_TESTS.has(expr.op) ? expr.args : []))
      .filter((side) => {
        const field = fieldOf(side)
        return field?.slot === slot && field.mask === mask && readIn(side).value < id
      })
  )
]

/** No more than the field held before: whatever bounded that bounds it. */
const isLowered = (put: Put, field: Field, budget: Budget): boolean => {
  const held = before(put, field)
  if (held.length === 0) return false
  const facts = factsOf(put.conditions, budget)
  const words = [sumOf(put.part), sumOf(bare(put.part))]
  return held.some((old) =>
    words.some((sum) => facts.atLeastZero(sum) && facts.atLeastZero(minus(sumOf(old), sum)))
  )
}

/** No less than the field held before. */
const isRaised = (put: Put, field: Field, budget: Budget): boolean => {
  const held = before(put, field)
  if (held.length === 0) return false
  const facts = factsOf(put.conditions, budget)
  const whole = uncut(facts, put.part).filter((sum) => facts.isExact(sum))
  return held.some((old) => whole.some((sum) => facts.atLeastZero(minus(sum, sumOf(old)))))
}

const startOf = ({ mask, shift }: Field, word: bigint): bigint => (word & mask) >> shift

/**
 * The largest number a field will ever hold; `undefined` where nothing bounds it.
 * @param changes what every path that can still be taken does
 * @param word the slot's word now
 */
export const largestIn = (
  arena: Arena,
  changes: ReadonlyArray<Change>,
  word: bigint,
  field: Field,
  budget: Budget
): bigint | undefined => {
  const puts = putInto(arena, changes, field)
  if (puts === undefined) return undefined
  let limit = startOf(field, word)
  for (const put of puts) {
    const { conditions, part } = put
    const bound = part.op === "const" ? part.value : boundBy(conditions, part, budget)
    if (bound === undefined && !isLowered(put, field, budget)) return undefined
    if (bound !== undefined && bound > limit) limit = bound
  }
  return limit
}

/** The product does not wrap: the compiler's own test of it was passed, which asks nothing of a factor of zero. */
const isWhole = (conditions: Condition | undefined, product: Expr, x: Expr, y: Expr): boolean => {
  const isQuotient = ({ op, args: [whole, divisor] }: Expr, factor: Expr): boolean =>
    op === "div" && whole === product && ((divisor === x && factor === y) || (divisor === y && factor === x))
  const says = ({ op, args: [a, b] }: Expr): boolean => {
    if (a === undefined || b === undefined) return op === "iszero" && (a === x || a === y)
    if (op === "or") return says(a) && says(b)
    return op === "eq" && (isQuotient(a, b) || isQuotient(b, a))
  }
  return [...listed(conditions)].some(({ expr, holds }) => holds && expr.op !== "iszero" && says(expr))
}

/** A word's value, and the value below a mask that removes none of its bits. */
const uncut = (facts: Facts, word: Expr): ReadonlyArray<Sum> => {
  const [mask] = word.args
  const inner = sumOf(bare(word))
  const isCut =
    word.op !== "and" ||
    mask === undefined ||
    (mask.value & (mask.value + 1n)) !== 0n ||
    !facts.atLeastZero(minus({ terms: new Map(), constant: mask.value }, inner))
  return isCut ? [sumOf(word)] : [sumOf(word), inner]
}

/** The largest constant, or share of the supply as it is now, that the branches taken say the word reaches. */
const floorBy = (
  conditions: Condition | undefined,
  word: Expr,
  supply: Supply | undefined,
  budget: Budget
): bigint | undefined => {
  const [a, b] = word.args
  if (word.op === "mul" && a !== undefined && b !== undefined) {
    const [factor, other] = a.op === "const" ? [a, b] : [b, a]
    const rest =
      factor.op === "const" && isWhole(conditions, word, factor, other)
        ? floorBy(conditions, other, supply, budget)
        : undefined
    return rest === undefined ? undefined : rest * factor.value
  }
  const facts = factsOf(conditions, budget)
  const whole = uncut(facts, word).filter((sum) => facts.isExact(sum))
  let floor: bigint | undefined
  for (const { expr } of listed(conditions))
    for (const side of CONSTANT_TESTS.has(expr.op) ? expr.args : []) {
      const now = shareNow(supply, side)
      if (now === undefined || (floor !== undefined && now <= floor)) continue
      if (whole.some((sum) => facts.atLeastZero(minus(sum, sumOf(side))))) floor = now
    }
  return floor
}

/**
 * The least number a field will ever hold, as the supply is now; `undefined` where nothing bounds it from below. A floor
 * that is a share of the supply falls with it, and remains that share.
 */
export const leastIn = (
  arena: Arena,
  changes: ReadonlyArray<Change>,
  word: bigint,
  field: Field,
  supply: Supply | undefined,
  budget: Budget
): bigint | undefined => {
  const puts = putInto(arena, changes, field)
  if (puts === undefined) return undefined
  let least = startOf(field, word)
  for (const put of puts) {
    const { conditions, part } = put
    const floor = shareNow(supply, part) ?? floorBy(conditions, part, supply, budget)
    if (floor === undefined && !isRaised(put, field, budget)) return undefined
    if (floor !== undefined && floor < least) least = floor
  }
  return least
}
