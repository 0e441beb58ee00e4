import { keccak256, toHex } from "viem"
import { isInFirstList, isNamedSlot } from "../../../../bytecode/exact/named.ts"
import { type Width, ownWidth } from "../../../../bytecode/evm/apart.ts"
import { NEAR_BITS } from "../../../../bytecode/exact/same.ts"
import { ADDRESS_MASK, type Expr } from "../../../../bytecode/evm/expression.ts"

/** The constant part of a key that lies no further from it than any list is long. */
const constantPart = (key: Expr, width: Width): bigint | undefined => {
  if (key.op === "const") return key.value
  const [a, b] = key.args
  if (key.op !== "add" || a === undefined || b?.op !== "const") return undefined
  return width(a) <= NEAR_BITS ? b.value : undefined
}

const SMALL = 16

/** Entries that tables in the first slots have for the first numbers: as accounts these are nobody. */
let entries: ReadonlySet<bigint> | undefined
const firstEntries = (): ReadonlySet<bigint> => {
  entries ??= new Set(
    Array.from({ length: SMALL * SMALL }, (_, index) => {
      const [key, slot] = [index % SMALL, Math.floor(index / SMALL)].map((n) => toHex(n, { size: 32 }))
      return BigInt(keccak256(`0x${key?.slice(2)}${slot?.slice(2)}`))
    })
  )
  return entries
}

/**
 * A large constant slot that is known to be nobody's balance: of a standard, or where an array's data stands.
 * @param width what the branches taken say of a word's size: a text may be as long as they let it be
 */
export const isWellKnownSlot = (key: Expr, width: Width = ownWidth): boolean => {
  const constant = constantPart(key, width)
  if (constant === undefined) return false
  return (
    isInFirstList(constant) ||
    (key.op === "const" &&
      (isNamedSlot(constant) || (constant > ADDRESS_MASK && firstEntries().has(constant))))
  )
}
