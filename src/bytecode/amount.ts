import { type Expr, WORD_MASK } from "./evm/expression.ts"
import { stripped } from "./guard.ts"
import type { Change } from "./location.ts"

/**
 * How a write changes an amount: what is added and taken away, or `replaced` where the new amount does not depend on
 * the old one.
 */
export interface Delta {
  readonly replaced: boolean
  readonly plus: ReadonlyArray<Expr>
  readonly minus: ReadonlyArray<Expr>
}

const MAX_DEPTH = 24

/** Shifts by fewer bits than that multiply or divide; fields of a word stand further apart. */
const FIELD_SHIFT = 32n

/** The word without what only cuts a field out of storage, or moves one to its place. */
const unpacked = (word: Expr): Expr => {
  const [a, b] = word.args
  if (b === undefined || a?.op !== "const") return word
  const isMoved = (word.op === "shr" || word.op === "shl") && a.value >= FIELD_SHIFT
  return word.op === "and" || isMoved ? unpacked(b) : word
}

const amountIn = (word: Expr): Expr => {
  const e = stripped(word)
  return e.op === "sload" ? e : unpacked(word)
}

const deltaOfParts = (key: Expr, parts: ReadonlyArray<Expr>): Delta => {
  const plus: Array<Expr> = []
  const minus: Array<Expr> = []
  let old = false
  const walk = (word: Expr, positive: boolean, depth: number): void => {
    const e = depth === 0 ? stripped(word) : amountIn(word)
    const [a, b] = e.args
    if (e.op === "sload" && a === key && positive) old = true
    else if ((e.op === "add" || e.op === "or") && a !== undefined && b !== undefined && depth < MAX_DEPTH) {
      walk(a, positive, depth + 1)
      walk(b, positive, depth + 1)
    } else if (e.op === "sub" && a !== undefined && b !== undefined && depth < MAX_DEPTH) {
      walk(a, positive, depth + 1)
      walk(b, !positive, depth + 1)
    } // A constant that is added may stand for a debt; one that is all there is does not.
    else if (e.op === "const" && e.value >= 1n << 255n && depth > 0) (positive ? minus : plus).push(e)
    else if (e.op !== "const" || e.value !== 0n) (positive ? plus : minus).push(e)
  }
  for (const part of parts) walk(part, true, 0)
  return { replaced: !old, plus, minus }
}

/** Splits `value` into terms; `key` is the storage key whose old content counts as the old amount. */
export const deltaOf = (key: Expr, value: Expr): Delta => deltaOfParts(key, [value])

const touches = (part: Expr, mask: bigint): boolean => {
  const [a] = part.args
  if (part.op === "const") return (part.value & mask) !== 0n
  if (part.op === "and" && a?.op === "const") return (a.value & mask) !== 0n
  if (part.op === "shl" && a?.op === "const" && a.value < 256n)
    return ((WORD_MASK << a.value) & WORD_MASK & mask) !== 0n
  return true
}

/** The same for an amount that is some bits of a word; undefined where the write leaves them alone. */
export const fieldDelta = (change: Change, value: Expr, mask: bigint): Delta | undefined => {
  if (mask === WORD_MASK) return deltaOf(change.key, value)
  if ((change.mask & mask) === 0n) return undefined
  return deltaOfParts(
    change.key,
    change.parts.filter((part) => touches(part, mask))
  )
}

/** Both lists without the terms they have in common. */
export const cancelled = ({ plus, minus }: Pick<Delta, "plus" | "minus">): Pick<Delta, "plus" | "minus"> => {
  const left = [...minus]
  const rest = plus.filter((term) => {
    const at = left.indexOf(term)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return { plus: rest, minus: left }
}
