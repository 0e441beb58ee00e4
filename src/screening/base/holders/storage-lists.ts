import type { Hex } from "viem"
import { numberToHex } from "viem"
import { keccakHex } from "../../../chain/keccak.ts"
import { type Places, wordsOf } from "./storage-places.ts"
import { entry } from "./storage-proof.ts"
import type { StorageWord } from "./storage-root.ts"

/** Words of one text or list that are looked for; longer ones leave the storage unexplained. */
const MAX_WORDS = 24n
const MAX_LISTS = 24
/** No list that grows by one at a time is longer. */
const LONGEST = 1n << 40n

const word = (value: bigint): Hex => numberToHex(BigInt.asUintN(256, value), { size: 32 })

/** Where the words of a text or a list begin whose length stands in a slot. */
export const dataOf = (slot: bigint): bigint => BigInt(keccakHex(word(slot)))

/** Words of a text too long for its slot: twice its length and one stand there. Zero where it is none. */
const textWords = (value: bigint): bigint =>
  value % 2n === 1n && value >= 65n ? (value / 2n + 31n) / 32n : 0n

const isShort = (length: bigint): boolean => length > 0n && length <= MAX_WORDS

/**
 * Slots in which lengths of the lists may stand: of the contract's own, and of every word under which anything was looked
 * at, whether it is known as an account or not.
 */
const lengthsOf = (lists: ReadonlyArray<bigint>, places: Places): ReadonlySet<bigint> => {
  const words = lists.length === 0 ? [] : [...wordsOf([places])]
  return new Set([...lists, ...lists.flatMap((list) => words.map((key) => entry(key, list)))])
}

/** Where the words of texts and of short lists stand that were found by their lengths. */
export const dataPlaces = (
  words: ReadonlyArray<StorageWord>,
  places: Places,
  lists: ReadonlyArray<bigint>
): ReadonlyArray<Hex> => {
  const lengths = lengthsOf(lists, places)
  const own = new Set(places.scalars.map(BigInt))
  return words
    .flatMap(({ slot, value }) => {
      const count = lengths.has(slot) ? value : own.has(slot) ? textWords(value) : 0n
      return isShort(count) ? [{ slot, count }] : []
    })
    .slice(0, MAX_LISTS)
    .flatMap(({ slot, count }) =>
      Array.from({ length: Number(count) }, (_, index) => word(dataOf(slot) + BigInt(index)))
    )
}

/** A list is longer than any that grew entry by entry: its author chose the length, and with it the slot where it ends. */
export const hasEndlessList = (
  words: ReadonlyArray<StorageWord>,
  places: Places,
  lists: ReadonlyArray<bigint>
): boolean => {
  if (lists.length === 0) return false
  const lengths = lengthsOf(lists, places)
  return words.some(({ slot, value }) => value >= LONGEST && lengths.has(slot))
}
