import { describe, expect, it } from "@effect/vitest"
import { type Hex, keccak256, pad, stringToHex, toHex } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import type { CodeProof, StoredTable } from "../../src/screening/base/power/findings.ts"
import type { SlotValue } from "../../src/screening/base/power/proof/slot-value.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"
import { firstLook, lookOver } from "../support/bytecode/looks.ts"

const { codeOf, isCurrent, names, ways } = compiled("Roles.sol", "roles.json")

const word = (value: bigint | number): Hex => toHex(value, { size: 32 })
const ADMIN = word(0)
const MINTER = keccak256(stringToHex("MINTER_ROLE"))
const BURNER = keccak256(stringToHex("BURNER_ROLE"))
const FRIEND = pad("0x52908400098527886e0f7030069857d2e4169ee7")
const ROLES = word(5)

/** An entry that is not zero: its keys, from the outermost mapping to the word, and the field it is. */
interface Entry {
  readonly keys: readonly [Hex] | readonly [Hex, Hex]
  readonly slot: Hex
  readonly field: number
}

const member = (role: Hex, account: Hex): Entry => ({ keys: [role, account], slot: ROLES, field: 0 })
const adminOf = (role: Hex): Entry => ({ keys: [role], slot: ROLES, field: 1 })

const isIn = ({ field, keys, slot }: StoredTable, entry: Entry): boolean =>
  field === entry.field &&
  slot === entry.slot &&
  keys.length === entry.keys.length &&
  keys.every((key, index) => key === null || key === entry.keys[index])

interface Storage {
  readonly entries?: ReadonlyArray<Entry>
  readonly words?: Readonly<Record<string, bigint>>
}

/** As the service does it where a storage was read whole: what is not in it is zero. */
const screened = (way: string, name: string, { entries = [], words = {} }: Storage = {}): CodeProof => {
  const code = codeOf(way, name)
  const { settledBy, tables } = firstLook(code).proof
  const state: ReadonlyArray<SlotValue> = [
    ...settledBy.map((slot) => ({ slot, value: words[`${BigInt(slot)}`] ?? 0n })),
    ...tables
      .filter((table) => !entries.some((entry) => isIn(table, entry)))
      .map(({ field, keys, slot }) => ({ slot, value: 0n, entries: { keys, field } }))
  ]
  return analyseCode(code, { state }).proof
}

const holes = ({ conservation, transferPath }: CodeProof) => [...transferPath.holes, ...conservation.holes]

const BURNER_LIVES: Storage = { entries: [member(BURNER, FRIEND)] }

/** What the storages hold, where it is something. */
const STORED: Readonly<Record<string, Storage>> = {
  HonestBurner: BURNER_LIVES,
  ChoosesAdmin: BURNER_LIVES,
  WritesBehindList: {
    words: { "7": BigInt("0x8e9b1ffae0f09c42a88eed4cb45b1a95d2c281a25094145b8aa997f9dfda16b3") }
  },
  OpenRole: { entries: [adminOf(MINTER)] }
}

it("has the artifacts that belong to it", () => {
  expect(isCurrent).toBe(true)
})

describe.each(ways)("code compiled %s, over a storage that was read whole", (way) => {
  it.each(names.filter(isHonest))(
    "%s is proven: nobody is in its tables, and nobody comes into them",
    (name) => {
      expect(holes(screened(way, name, STORED[name]))).toEqual([])
    }
  )

  it.each(names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
    expect(holes(screened(way, name, STORED[name]))).not.toEqual([])
  })

  it("a member granted without an event is one", () => {
    for (const name of ["HonestRoles", "HonestOldRoles"]) {
      expect(holes(screened(way, name, { entries: [member(MINTER, FRIEND)] }))).not.toEqual([])
    }
  })

  it("an administrator who stays can make members, and so can one of a role of its own", () => {
    for (const name of ["HonestRoles", "HonestOldRoles"]) {
      expect(holes(screened(way, name, { entries: [member(ADMIN, FRIEND)] }))).not.toEqual([])
      const chained = [adminOf(MINTER), member(BURNER, FRIEND)]
      expect(holes(screened(way, name, { entries: chained }))).not.toEqual([])
    }
  })

  it("an administrator who may still accept is one", () => {
    const pending = { "6": BigInt(FRIEND) | (1n << 160n) }
    expect(holes(screened(way, "HonestAdminRules", { words: pending }))).not.toEqual([])
  })

  it("without the tables nothing is settled", () => {
    expect(holes(lookOver(codeOf(way, "HonestRoles"), () => 0n).proof)).not.toEqual([])
  })

  it("nobody has a role where no table has a member", () => {
    expect(screened(way, "HonestRoles").hasNoRoles).toBe(true)
    expect(screened(way, "HonestBurner", BURNER_LIVES).hasNoRoles).toBe(false)
    expect(screened(way, "HonestMinters").hasNoRoles).toBe(false)
  })
})
