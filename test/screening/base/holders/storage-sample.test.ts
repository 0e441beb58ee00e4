import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Hex, numberToHex } from "viem"
import { keccakHex } from "../../../../src/chain/keccak.ts"
import { restOf, sampleOf } from "../../../../src/screening/base/holders/storage-sample.ts"

const word = (value: number | bigint): Hex => numberToHex(value, { size: 32 })
const hash = (first: Hex, second: Hex): Hex => keccakHex(`${first}${second.slice(2)}`)
const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => word(index + from))

const places = {
  scalars: [word(7)],
  bases: range(40),
  keys: range(300, 10_000),
  pairs: range(90, 20_000).map((owner) => [owner, word(30_000)] as const)
}
const sample = sampleOf(places)
const later = { keys: places.keys.slice(sample.keys.length), pairs: places.pairs.slice(sample.pairs.length) }
const behind = (slot: Hex, field: number): Hex => word(BigInt(slot) + BigInt(field))
const found = (...slots: ReadonlyArray<Hex>) => slots.map((slot) => ({ slot: BigInt(slot), value: 1n }))
const rest = (...slots: ReadonlyArray<Hex>) => restOf(places, sample, found(...slots))
const anyOf = <A>(values: ReadonlyArray<A>): A => {
  const value = values.at(-1)
  if (value === undefined) throw new Error("none")
  return value
}

it.live("of a large storage is looked at, for all who come later, what anybody of the sample has", () =>
  Effect.gen(function* () {
    const key = anyOf(sample.keys)
    const [owner, spender] = anyOf(sample.pairs)
    const allowance = (one: Hex) => hash(spender, hash(one, word(2)))
    const slots = yield* rest(
      hash(key, word(1)),
      behind(hash(key, word(5)), 2),
      hash(word(3), key),
      allowance(owner)
    )
    expect(new Set(slots)).toEqual(
      new Set([
        ...later.keys.flatMap((one) => [
          hash(one, word(1)),
          behind(hash(one, word(5)), 2),
          hash(word(3), one)
        ]),
        ...later.pairs.map(([one]) => allowance(one))
      ])
    )
  })
)

it.live(
  "a table that nobody of the sample is in is left out: what stands there keeps storage from being whole",
  () =>
    Effect.gen(function* () {
      expect(yield* rest(hash(anyOf(later.keys), word(1)), word(7))).toEqual([])
    })
)
