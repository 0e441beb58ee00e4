import type { Arena, Expr, Operator } from "./expression.ts"
import { equal } from "./simplify.ts"

const SELECTOR_SHIFT = 224n
/** Vyper sorts functions into about as many buckets as there are functions. */
const MAX_BUCKETS = 64n
/** Largest expression, in nodes, that is taken for the computation of a bucket from a selector. */
const MAX_SIZE = 16

/** The word is the selector of the function that is called. */
export const isSelector = ({ args: [by, word], op }: Expr): boolean =>
  op === "shr" &&
  by?.value === SELECTOR_SHIFT &&
  word?.op === "calldata" &&
  word.args[0]?.op === "const" &&
  word.args[0].value === 0n

/** What a selector is reckoned with. Arguments and storage have places of constants, and are none of it. */
const RECKONED: ReadonlySet<Operator> = new Set([
  "add",
  "sub",
  "mul",
  "div",
  "mod",
  "shl",
  "shr",
  "and",
  "or",
  "xor"
])

const isOfSelector = (word: Expr): boolean =>
  isSelector(word) || word.op === "const" || (RECKONED.has(word.op) && word.args.every(isOfSelector))

/**
 * How many numbers a word can be that says in which bucket of a table the called function is found: a small remainder of
 * something that the selector alone decides. Source: vyperlang/vyper, jump tables.
 */
export const bucketsOf = ({ args, op, size }: Expr): number | undefined => {
  const [whole, count] = args
  if (op !== "mod" || args.length !== 2 || size > MAX_SIZE || whole === undefined) return undefined
  if (count?.op !== "const" || count.value === 0n || count.value > MAX_BUCKETS) return undefined
  return isOfSelector(whole) ? Number(count.value) : undefined
}

/** What the word may be, each with the condition that says so. */
export const bucketsIn = (
  arena: Arena,
  word: Expr,
  count: number
): ReadonlyArray<{ readonly bucket: Expr; readonly expr: Expr }> =>
  Array.from({ length: count }, (_, index) => {
    const bucket = arena.constant(BigInt(index))
    return { bucket, expr: equal(arena, word, bucket) }
  })
