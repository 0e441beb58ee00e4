import { describe, expect, it } from "@effect/vitest"
import { type Hex, concat, keccak256, pad, toHex } from "viem"
import { settlingIn } from "../../../../src/screening/base/holders/empty-tables.ts"
import type { Places } from "../../../../src/screening/base/holders/storage-places.ts"
import type { StoredTable } from "../../../../src/screening/base/power/findings.ts"

const word = (value: bigint | number): Hex => toHex(value, { size: 32 })
const hash = (first: Hex, second: Hex): Hex => keccak256(concat([first, second]))

const ADMIN = word(0)
const MINTER = keccak256("0x11")
const FRIEND = pad("0x52908400098527886e0f7030069857d2e4169ee7")
const OTHER = pad("0x7a11ce5e1f00d5c0ffee5e1f00d5c0ffee5e1f00")
const ROLES = word(5)

const places: Places = {
  scalars: [word(2)],
  bases: [word(0), ROLES],
  keys: [FRIEND, MINTER],
  pairs: [
    [ADMIN, FRIEND],
    [MINTER, FRIEND]
  ]
}

const all: StoredTable = { slot: ROLES, keys: [null, null], field: 0 }
const minters: StoredTable = { slot: ROLES, keys: [MINTER, null], field: 0 }
const administrators: StoredTable = { slot: ROLES, keys: [null], field: 1 }
const tables = [all, minters, administrators]

const at = (slot: Hex, value = 1n) => ({ slot: BigInt(slot), value })

/** The tables found to be empty. */
const emptyIn = (words: ReadonlyArray<{ slot: bigint; value: bigint }>, looked = [places]) =>
  settlingIn({ slots: [], tables }, words, looked).map(({ entries, slot }) => ({ slot, ...entries }))

describe("tables in a storage that was read whole", () => {
  it("are empty where no word stands in them", () => {
    expect(emptyIn([at(word(2)), at(hash(FRIEND, word(0)))])).toEqual(tables)
  })

  it("are not where a member was found, whichever look found it", () => {
    const member = at(hash(FRIEND, hash(MINTER, ROLES)))
    expect(emptyIn([member])).toEqual([administrators])
    const later: Places = { ...places, pairs: [[MINTER, OTHER]] }
    expect(emptyIn([at(hash(OTHER, hash(MINTER, ROLES)))], [places, later])).toEqual([administrators])
  })

  it("tell one role's members from another's", () => {
    expect(emptyIn([at(hash(FRIEND, hash(ADMIN, ROLES)))])).toEqual([minters, administrators])
  })

  it("count fields behind an entry as their own", () => {
    const chosen = { slot: BigInt(hash(MINTER, ROLES)) + 1n, value: 7n }
    expect(emptyIn([chosen])).toEqual([all, minters])
  })

  it("hold nothing where only zeros stand", () => {
    expect(emptyIn([at(hash(FRIEND, hash(MINTER, ROLES)), 0n)])).toEqual(tables)
  })

  it("are left open where a word may be an entry whose key is a table's own beginning", () => {
    const inner = hash(OTHER, ROLES)
    const named: Places = { ...places, keys: [...places.keys, inner] }
    expect(emptyIn([at(hash(word(0), inner))], [named])).toEqual([])
  })

  it("come with the words of the slots, zero where nothing stands", () => {
    const wanted = { slots: [word(2), word(3)], tables: [] }
    expect(settlingIn(wanted, [at(word(2), 9n)], [places])).toEqual([
      { slot: word(2), value: 9n },
      { slot: word(3), value: 0n }
    ])
  })
})
