import { concat, keccak256, toHex } from "viem"
import type { Arena, Expr } from "../evm/expression.ts"

/**
 * One word of every entry of a mapping: the mapping at `slot`, or a mapping of mappings there. `field` is the word's offset
 * within the entry. Source: Solidity, "Layout of State Variables in Storage".
 */
export interface Table {
  readonly slot: bigint
  /** The keys that lead to an entry, outermost first; undefined stands for any key. */
  readonly keys: readonly [undefined] | readonly [bigint | undefined, undefined]
  readonly field: bigint
}

export type Tables = ReadonlyArray<Table>

/** Structs with more words are not recognised as entries. */
const MAX_FIELD = 16n

const toWord = (value: bigint) => toHex(value, { size: 32 })

/** The storage slot of an entry in the mapping at `slot`. */
export const placeIn = (key: bigint, slot: bigint): bigint =>
  BigInt(keccak256(concat([toWord(key), toWord(slot)])))

/** The constant value of an expression; undefined where it is not known. */
export type ValueOf = (word: Expr) => bigint | undefined

/** Key and slot, where the word is the hash of two words. */
const hashedPair = ({ args, op, value }: Expr): readonly [Expr, Expr] | undefined => {
  const [key, slot] = args
  return op === "keccak" && value === 64n && args.length === 2 && key !== undefined && slot !== undefined
    ? [key, slot]
    : undefined
}

/** Splits a place into the hash it starts from and its offset from there. */
const fieldAt = (place: Expr): readonly [Expr, bigint] => {
  const [a, b] = place.args
  if (place.op !== "add" || a === undefined || b === undefined) return [place, 0n]
  if (b.op === "const") return [a, b.value]
  return a.op === "const" ? [b, a.value] : [place, 0n]
}

/** The tables that a place may belong to; none where it is not the place of an entry. */
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

/** The place of an arbitrary entry: keys that are not given become unknown words. */
export const somePlaceIn = (arena: Arena, { field, keys, slot }: Table): Expr => {
  const hash = keys.reduce<Expr>((at, key) => {
    const word = key === undefined ? arena.unknown() : arena.constant(key)
    return arena.node("keccak", [word, at], 64n)
  }, arena.constant(slot))
  return field === 0n ? hash : arena.node("add", [hash, arena.constant(field)])
}
