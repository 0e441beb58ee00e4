import { describe, expect, it } from "@effect/vitest"
import { type Address, type Hex, concat, keccak256, pad, toHex } from "viem"
import { known } from "../../../../src/domain/fact.ts"
import type { EntryForm } from "../../../../src/screening/base/entries.ts"
import type { Places } from "../../../../src/screening/base/holders/storage-places.ts"
import { unaskedBalances } from "../../../../src/screening/base/holders/unasked.ts"

const word = (value: bigint | number): Hex => toHex(value, { size: 32 })
const hash = (first: Hex, second: Hex): Hex => keccak256(concat([first, second]))

const FRIEND: Address = "0x52908400098527886e0f7030069857d2e4169ee7"
const OTHER: Address = "0x7a11ce5e1f00d5c0ffee5e1f00d5c0ffee5e1f00"
const SEVEN: Address = "0x0000000000000000000000000000000000000007"
const SLOT = word(1)
const RICH = 10n ** 30n

const places = (change: Partial<Places>): Places => ({
  scalars: [],
  bases: [word(0), SLOT, word(7)],
  keys: [],
  pairs: [],
  ...change
})

const form = (change: Partial<EntryForm> = {}): EntryForm => ({
  order: "key-first",
  slot: SLOT,
  field: 0,
  ...change
})

const found = (
  place: Hex,
  looked: Places,
  balances: EntryForm | null = form(),
  value = RICH,
  told: ReadonlyArray<Address> = []
) =>
  unaskedBalances(
    { balances, allowances: form({ slot: word(2) }), mask: word((1n << 128n) - 1n) },
    [{ slot: BigInt(place), value }],
    [looked],
    new Map(told.map((account) => [account, 0n]))
  )

const holds = (...accounts: ReadonlyArray<Address>) =>
  known(new Map(accounts.map((account) => [account, RICH])))

describe("a balance that storage holds and nobody asked about", () => {
  it("counts, whether the account is a key, one of a pair, or the number of a slot", () => {
    const [friend, seven] = [pad(FRIEND), pad(SEVEN)]
    expect(found(hash(friend, SLOT), places({ keys: [friend] }))).toEqual(holds(FRIEND))
    expect(found(hash(friend, SLOT), places({ pairs: [[word(0), friend]] }))).toEqual(holds(FRIEND))
    expect(found(hash(seven, SLOT), places({}))).toEqual(holds(SEVEN))
  })

  it("counts in Vyper's order, in a struct, and as Solady hashes it, whatever stands above the account", () => {
    const friend = pad(FRIEND)
    const keys = { keys: [friend] }
    expect(found(hash(SLOT, friend), places(keys), form({ order: "slot-first" }))).toEqual(holds(FRIEND))
    const behind = word(BigInt(hash(friend, SLOT)) + 2n)
    expect(found(behind, places(keys), form({ field: 2 }))).toEqual(holds(FRIEND))
    const seeded = keccak256(concat([FRIEND, "0x0000000000000000", "0x87a211a2"]))
    const solady = form({ order: "solady", slot: word(0) })
    expect(found(seeded, places({ keys: [`0x${"ee".repeat(12)}${FRIEND.slice(2)}`] }), solady)).toEqual(
      holds(FRIEND)
    )
  })

  it("is the part of the word that is the balance", () => {
    const friend = pad(FRIEND)
    const packed = (5n << 128n) | RICH
    expect(found(hash(friend, SLOT), places({ keys: [friend] }), form(), packed)).toEqual(holds(FRIEND))
    expect(found(hash(friend, SLOT), places({ keys: [friend] }), form(), 5n << 128n)).toEqual(holds())
  })

  it("is not there where the token told it already, or the word is another table's", () => {
    const keys = { keys: [pad(FRIEND), pad(OTHER)] }
    expect(found(hash(pad(FRIEND), SLOT), places(keys), form(), RICH, [FRIEND])).toEqual(holds())
    expect(found(hash(pad(FRIEND), word(7)), places(keys))).toEqual(holds())
  })

  it("leaves the storage unexplained where it is no account's, or the way to places is not known", () => {
    const moved: Hex = `0x${FRIEND.slice(2)}${"00".repeat(12)}`
    expect(found(hash(moved, SLOT), places({ keys: [moved] })).known).toBe(false)
    expect(found(hash(pad(FRIEND), SLOT), places({ keys: [pad(FRIEND)] }), null).known).toBe(false)
  })
})
