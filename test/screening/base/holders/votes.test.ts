import { describe, expect, it } from "@effect/vitest"
import { type Address, type Hex, concat, keccak256, pad, toHex } from "viem"
import type { Places } from "../../../../src/screening/base/holders/storage-places.ts"
import { votesAddUp } from "../../../../src/screening/base/holders/votes.ts"
import type { LedgerForm, VotesForm } from "../../../../src/screening/base/power/findings.ts"

const word = (value: bigint | number): Hex => toHex(value, { size: 32 })
const hash = (first: Hex, second: Hex): Hex => keccak256(concat([first, second]))
const [BALANCES, ALLOWANCES, DELEGATES, LISTS] = [word(1), word(2), word(5), word(6)]

const HOLDER: Address = "0x52908400098527886e0f7030069857d2e4169ee7"
const BUYER: Address = "0x7a11ce5e1f00d5c0ffee5e1f00d5c0ffee5e1f00"
const DELEGATE: Address = "0xde1e9a7ede1e9a7ede1e9a7ede1e9a7ede1e9a7e"
const TODAY = 1000n
const DATE_BITS = 48

const ledger: LedgerForm = {
  balances: { order: "key-first", slot: BALANCES, field: 0 },
  allowances: { order: "key-first", slot: ALLOWANCES, field: 0 },
  mask: word((1n << 256n) - 1n)
}
const form: VotesForm = {
  delegates: { order: "key-first", slot: DELEGATES, field: 0 },
  tables: [LISTS],
  dateBits: DATE_BITS,
  clock: "block"
}
const places: Places = {
  scalars: [],
  bases: [],
  keys: [HOLDER, BUYER, DELEGATE].map((account) => pad(account)),
  pairs: []
}

const holds = (account: Address, value: bigint) => ({ slot: BigInt(hash(pad(account), BALANCES)), value })
const names = (account: Address, delegate: Address) => ({
  slot: BigInt(hash(pad(account), DELEGATES)),
  value: BigInt(delegate)
})
/** A list of two checkpoints, of which the last counts. */
const ends = (delegate: Address, votes: bigint, date = TODAY) => {
  const place = hash(pad(delegate), LISTS)
  const data = BigInt(keccak256(place))
  return [
    { slot: BigInt(place), value: 2n },
    { slot: data, value: (77n << BigInt(DATE_BITS)) | 1n },
    { slot: data + 1n, value: (votes << BigInt(DATE_BITS)) | date }
  ]
}

const addUp = (
  words: ReadonlyArray<{ slot: bigint; value: bigint }>,
  votes: VotesForm | null = form,
  where: LedgerForm | null = ledger
) => votesAddUp({ blockNumber: TODAY, now: 0n }, where, votes, words, [places])

describe("votes in storage that was read whole", () => {
  it("add up where every delegate has those of whoever named him", () => {
    expect(addUp([])).toBe(true)
    const named = [names(HOLDER, DELEGATE), names(BUYER, DELEGATE)]
    expect(addUp([...named, holds(HOLDER, 5n), holds(BUYER, 3n), ...ends(DELEGATE, 8n)])).toBe(true)
    expect(addUp([names(BUYER, DELEGATE)])).toBe(true)
  })

  it("do not where somebody named a delegate who was given no votes, or others", () => {
    const named = [names(HOLDER, DELEGATE), holds(HOLDER, 5n)]
    expect(addUp(named)).toBe(false)
    expect(addUp([...named, ...ends(DELEGATE, 4n)])).toBe(false)
    expect(addUp([...named, ...ends(DELEGATE, 6n)])).toBe(false)
    expect(addUp(ends(DELEGATE, 1n))).toBe(false)
    const [length] = ends(DELEGATE, 0n)
    expect(addUp(length === undefined ? [] : [{ ...length, value: 1n << 200n }])).toBe(false)
  })

  it("do not where the last of them is of a day to come", () => {
    const named = [names(HOLDER, DELEGATE), holds(HOLDER, 5n)]
    expect(addUp([...named, ...ends(DELEGATE, 5n, TODAY + 1n)])).toBe(false)
    expect(addUp([...named, ...ends(DELEGATE, 5n, 5n)], { ...form, clock: "time" })).toBe(false)
  })

  it("do not where it is not known where they stand, and are no matter of a token without any", () => {
    expect(addUp([], { ...form, delegates: null })).toBe(false)
    expect(addUp([], form, null)).toBe(false)
    expect(addUp(ends(DELEGATE, 1n), null)).toBe(true)
  })
})
