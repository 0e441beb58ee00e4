import { constantValue } from "../../../../bytecode/exact/hash.ts"
import { type Sum, isNothing, minus, sumOf, widthWhere } from "../../../../bytecode/exact/linear.ts"
import { startOfList } from "../../../../bytecode/exact/named.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Arena, Expr } from "../../../../bytecode/evm/expression.ts"
import { type Condition, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"

/** Plain slots that hold the lengths of lists that are short, and change by one at a time. */
export type Counted = ReadonlySet<bigint>

/** No list that grows by one at a time gets this long. */
const MOST_NOW = 1n << 40n

/** The length of the list at a slot, whenever it was read. */
const isLengthOf = (word: Expr, slot: bigint): boolean =>
  word.op === "sload" && word.args[0]?.op === "const" && word.args[0].value === slot

/** The offset of a key from the list's first element; undefined where the key is not computed from there. */
const indexIn = (slot: bigint, key: Expr): Sum | undefined => {
  if (key.op !== "add") return undefined
  const start = startOfList(slot)
  const sum = sumOf(key)
  const root = [...sum.terms].find(
    ([word, count]) => count === 1n && word.op === "keccak" && constantValue(word) === start
  )
  if (root !== undefined) return minus(sum, { terms: new Map([root]), constant: 0n })
  const rest = BigInt.asIntN(256, sum.constant - start)
  return rest <= 0n && rest >= -1n ? { terms: sum.terms, constant: rest } : undefined
}

/** Whether the offset is the length or one less: the place behind the last element, or the last element. */
const isEnd = (slot: bigint, { constant, terms }: Sum): boolean => {
  const [[word, count] = []] = terms
  return (
    terms.size === 1 &&
    word !== undefined &&
    count === 1n &&
    isLengthOf(word, slot) &&
    (constant === 0n || constant === -1n)
  )
}

/** Whether the branches taken prove that the index is below the length. */
const isBelowLength = (conditions: Condition | undefined, slot: bigint, index: Sum): boolean =>
  [...listed(conditions)].some(({ expr: { args, op }, holds }) => {
    const [a, b] = args
    return (
      op === "lt" &&
      holds &&
      a !== undefined &&
      b !== undefined &&
      isLengthOf(b, slot) &&
      isNothing(minus(sumOf(a), index))
    )
  })

/** Whether a key lies in a counted list or right behind it, so that it cannot coincide with another variable. */
export const isInCountedList = (counted: Counted, conditions: Condition | undefined, key: Expr): boolean => {
  for (const slot of counted) {
    const index = indexIn(slot, key)
    if (index !== undefined && (isEnd(slot, index) || isBelowLength(conditions, slot, index))) return true
  }
  return false
}

const isKnownNonzero = (conditions: Condition | undefined, word: Expr): boolean =>
  [...listed(conditions)].some(({ expr, holds }) => holds && expr === word)

/** Whether the new length is one more or one less than it was at some point of the path, and never below zero. */
const isStep = (slot: bigint, value: Expr, conditions: Condition | undefined): boolean => {
  const { constant, terms } = sumOf(value)
  const [[word, count] = []] = terms
  if (terms.size !== 1 || word === undefined || count !== 1n || !isLengthOf(word, slot)) return false
  return constant === 1n || (constant === -1n && isKnownNonzero(conditions, word))
}

/** The counted lists that are still counted after a write. */
export const stillCounted = (
  arena: Arena,
  counted: Counted,
  conditions: Condition | undefined,
  { key, value }: StorageWrite
): Counted => {
  if (counted.size === 0 || isInCountedList(counted, conditions, key)) return counted
  const rest = [...counted].filter((slot) => {
    if (key.op === "const") return key.value !== slot || isStep(slot, value, conditions)
    return !mayBeSame(key, arena.constant(slot), widthWhere(conditions))
  })
  return rest.length === counted.size ? counted : new Set(rest)
}

/** Candidates: slots that hold a short length now, where some write goes to the list that belongs to the slot. */
export const mayBeCounted = (
  writes: ReadonlyArray<StorageWrite>,
  state: ReadonlyArray<{ readonly slot: string; readonly value: bigint }>
): Counted => {
  const keys = [...new Set(writes.map(({ key }) => key))].filter(({ op }) => op === "add")
  return new Set(
    state.flatMap(({ slot, value }) => {
      const at = BigInt(slot)
      return value < MOST_NOW && keys.some((key) => indexIn(at, key) !== undefined) ? [at] : []
    })
  )
}
