import { concat, keccak256, toHex } from "viem"
import type { Arena, Expr } from "../evm/expression.ts"

/**
 * Words of storage: of every entry of a mapping at `slot`, or of one of mappings, the word that many behind its beginning.
 * Source: Solidity, "Layout of State Variables in Storage".
 */
export interface Table {
  readonly slot: bigint
  /** The keys that lead to an entry, the first one first; undefined for any. */
  readonly keys: readonly [undefined] | readonly [bigint | undefined, undefined]
  readonly field: bigint
}

export type Tables = ReadonlyArray<Table>

/** Structs in tables are no longer. */
const MAX_FIELD = 16n

const toWord = (value: bigint) => toHex(value, { size: 32 })

/** The place of an entry in a mapping. */
export const placeIn = (key: bigint, slot: bigint): bigint =>
  BigInt(keccak256(concat([toWord(key), toWord(slot)])))

/** What an expression comes to, where that is known. */
export type ValueOf = (word: Expr) => bigint | undefined

/** Key and slot, where the word is the hash of two words. */
const hashedPair = ({ args, op, value }: Expr): readonly [Expr, Expr] | undefined => {
  const [key, slot] = args
  return op === "keccak" && value === 64n && args.length === 2 && key !== undefined && slot !== undefined
    ? [key, slot]
    : undefined
}

/** The hash a place is counted from, and how far behind it the place is. */
const fieldAt = (place: Expr): readonly [Expr, bigint] => {
  const [a, b] = place.args
  if (place.op !== "add" || a === undefined || b === undefined) return [place, 0n]
  if (b.op === "const") return [a, b.value]
  return a.op === "const" ? [b, a.value] : [place, 0n]
}

/** The tables that a place stands in. */
export const tablesAt = (place: Expr, valueOf: ValueOf): Tables => {
  const [hash, field] = fieldAt(place)
  const outer = hashedPair(hash)
  if (outer === undefined || field >= MAX_FIELD) return []
  const inner = hashedPair(outer[1])
  const slot = valueOf(inner === undefined ? outer[1] : inner[1])
  if (slot === undefined) return []
  if (inner === undefined) return [{ slot, keys: [undefined], field }]
  const first = valueOf(inner[0])
  const all: Table = { slot, keys: [undefined, undefined], field }
  return first === undefined ? [all] : [{ slot, keys: [first, undefined], field }, all]
}

export const isSameTable = (a: Table, b: Table): boolean =>
  a.slot === b.slot && a.field === b.field && a.keys.length === b.keys.length && a.keys[0] === b.keys[0]

/** The place of some entry, whichever. */
export const somePlaceIn = (arena: Arena, { field, keys, slot }: Table): Expr => {
  const hash = keys.reduce<Expr>((at, key) => {
    const word = key === undefined ? arena.unknown() : arena.constant(key)
    return arena.node("keccak", [word, at], 64n)
  }, arena.constant(slot))
  return field === 0n ? hash : arena.node("add", [hash, arena.constant(field)])
}
