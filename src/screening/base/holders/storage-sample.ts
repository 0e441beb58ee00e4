import { Effect } from "effect"
import type { Hex } from "viem"
import { numberToHex } from "viem"
import type { EntryForm } from "../entries.ts"
import { type Places, balancePlace } from "./storage-places.ts"
import type { StorageWord } from "./storage-root.ts"

/**
 * A storage too large to be looked at everywhere. A sample tells which tables are in use, and of the rest only entries of
 * these are looked at. Whatever that misses keeps the words from making up the storage root, so that nothing is lost but
 * the proof.
 */

/** Keys and pairs that are looked at in every table: those that come first. */
const SAMPLE_KEYS = 120
const SAMPLE_PAIRS = 30
/** Words of a struct that are looked at. */
const FIELDS = [0, 1, 2, 3]
/** Accounts, or tables of the sample, whose hashes are worked out in one go, before others are served. */
const ACCOUNTS_AT_ONCE = 1_000
const TABLES_AT_ONCE = 8

export const sampleOf = ({ bases, keys, pairs, scalars }: Places): Places => ({
  scalars,
  bases,
  keys: keys.slice(0, SAMPLE_KEYS),
  pairs: pairs.slice(0, SAMPLE_PAIRS)
})

/** Results of a function for each value, others being served in between. */
const inTurns = <A, B>(
  values: ReadonlyArray<A>,
  atOnce: number,
  of: (value: A) => ReadonlyArray<B>
): Effect.Effect<ReadonlyArray<B>> => {
  const turns = Array.from({ length: Math.ceil(values.length / atOnce) }, (_, turn) =>
    values.slice(turn * atOnce, (turn + 1) * atOnce)
  )
  return Effect.map(
    Effect.forEach(turns, (some) =>
      Effect.zipLeft(
        Effect.sync(() => some.flatMap(of)),
        Effect.sleep(0)
      )
    ),
    (found) => found.flat()
  )
}

const word = (value: bigint): Hex => numberToHex(value, { size: 32 })

/** Where an entry of a table of tables begins. */
const pairPlace = (slot: Hex, [first, second]: Places["pairs"][number]): bigint => {
  const own = balancePlace({ order: "key-first", slot, field: 0 }, first)
  return balancePlace({ order: "key-first", slot: word(own), field: 0 }, second)
}

/** The words of entries, by how far behind their beginning they stand, that are in use. */
const usedFields = (stored: ReadonlySet<bigint>, beginnings: ReadonlyArray<bigint>) =>
  FIELDS.filter((field) => beginnings.some((slot) => stored.has(slot + BigInt(field))))

/** How the sample's entries of a table are placed. */
const waysIn =
  (stored: ReadonlySet<bigint>, keys: Places["keys"]) =>
  (slot: Hex): ReadonlyArray<EntryForm> => {
    const placed = (order: EntryForm["order"]) =>
      keys.map((key) => balancePlace({ order, slot, field: 0 }, key))
    const fields = usedFields(stored, placed("key-first"))
    const isSlotFirst = placed("slot-first").some((place) => stored.has(place))
    return [
      ...fields.map((field): EntryForm => ({ order: "key-first", slot, field })),
      ...(isSlotFirst ? [{ order: "slot-first", slot, field: 0 } as const] : [])
    ]
  }

/** The slots of the rest in tables of which the sample has an entry. */
export const restOf = Effect.fnUntraced(function* (
  all: Places,
  sampled: Places,
  words: ReadonlyArray<StorageWord>
) {
  const stored = new Set(words.map(({ slot }) => slot))
  const ways = yield* inTurns(all.bases, TABLES_AT_ONCE, waysIn(stored, sampled.keys))
  const doubles = yield* inTurns(all.bases, TABLES_AT_ONCE * 2, (slot) =>
    usedFields(
      stored,
      sampled.pairs.map((pair) => pairPlace(slot, pair))
    ).map((field) => ({ field, slot }))
  )
  const single = yield* inTurns(all.keys.slice(sampled.keys.length), ACCOUNTS_AT_ONCE, (key) =>
    ways.map((way) => balancePlace(way, key))
  )
  const double = yield* inTurns(all.pairs.slice(sampled.pairs.length), ACCOUNTS_AT_ONCE, (pair) =>
    doubles.map(({ field, slot }) => pairPlace(slot, pair) + BigInt(field))
  )
  return [...new Set([...single, ...double])].map(word)
})
