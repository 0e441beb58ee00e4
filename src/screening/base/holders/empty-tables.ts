import type { Hex } from "viem"
import { numberToHex } from "viem"
import type { StoredTable } from "../power/findings.ts"
import type { SlotValue } from "../power/proof/slot-value.ts"
import type { Places } from "./storage-places.ts"
import { entry } from "./storage-proof.ts"
import type { StorageWord } from "./storage-root.ts"

/** Storage of which an analysis would like to know what it holds. */
export interface Wanted {
  /** 0x, 32 bytes each. */
  readonly slots: ReadonlyArray<string>
  readonly tables: ReadonlyArray<StoredTable>
}

/** What was looked at, in the words of `Places`, each account, constant and slot once. */
interface Looked {
  readonly keys: ReadonlyArray<Hex>
  readonly bases: ReadonlyArray<Hex>
  readonly pairs: Places["pairs"]
}

const lookedAt = (all: ReadonlyArray<Places>): Looked => {
  const pairs = all.flatMap((places) => places.pairs)
  const bases = [...new Set(all.flatMap((places) => places.bases))]
  return { keys: [...new Set([...all.flatMap(({ keys }) => keys), ...pairs.flat(), ...bases])], bases, pairs }
}

const HIGH_ONES = (1n << 96n) - 1n

/** Nobody finds an input whose hash begins with 96 zero or one bits. */
const mayBeHash = (word: Hex): boolean => {
  const high = BigInt(word) >> 160n
  return high !== 0n && high !== HIGH_ONES
}

/**
 * Some word was found as an entry whose key comes last, and what was taken for the key may be the hash at which somebody's
 * own mapping begins: which table it is in cannot be told.
 */
const isAmbiguous = (stored: ReadonlySet<bigint>, { bases, keys }: Looked): boolean =>
  keys.filter(mayBeHash).some((inner) => bases.some((key) => stored.has(entry(key, BigInt(inner)))))

/** The places that were looked at and stand in the table. */
function* placesIn({ field, keys, slot }: StoredTable, looked: Looked): Generator<bigint> {
  const root = BigInt(slot)
  const behind = BigInt(field)
  const [first, second] = keys
  if (second === undefined || first !== null) {
    const own =
      second === undefined || first === null ? root : entry(numberToHex(BigInt(first), { size: 32 }), root)
    for (const key of looked.keys) yield entry(key, own) + behind
    return
  }
  for (const [outer, inner] of looked.pairs) yield entry(inner, entry(outer, root)) + behind
}

const isEmpty = (table: StoredTable, stored: ReadonlySet<bigint>, looked: Looked): boolean => {
  for (const place of placesIn(table, looked)) if (stored.has(place)) return false
  return true
}

/**
 * What a storage that was read whole holds of what is wanted: words of slots, and tables without an entry. All its words were
 * found at places worked out from slots, keys and pairs, and two unlike inputs have no hash in common: a word that stands in
 * a table was found as an entry of it, or nowhere.
 * @param words all words that are not zero
 * @param all everything that was looked at
 */
export const settlingIn = (
  { slots, tables }: Wanted,
  words: ReadonlyArray<StorageWord>,
  all: ReadonlyArray<Places>
): ReadonlyArray<SlotValue> => {
  const found = new Map(words.map(({ slot, value }) => [slot, value]))
  const plain = slots.map((slot): SlotValue => ({ slot, value: found.get(BigInt(slot)) ?? 0n }))
  if (tables.length === 0) return plain
  const stored = new Set(words.flatMap(({ slot, value }) => (value === 0n ? [] : [slot])))
  const looked = lookedAt(all)
  if (isAmbiguous(stored, looked)) return plain
  return [
    ...plain,
    ...tables
      .filter((table) => isEmpty(table, stored, looked))
      .map(({ field, keys, slot }): SlotValue => ({ slot, value: 0n, entries: { keys, field } }))
  ]
}
