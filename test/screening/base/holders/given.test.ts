import { describe, expect, it } from "@effect/vitest"
import { type Address, type Hex, concat, keccak256, pad, toHex } from "viem"
import { PERMIT2 } from "../../../../src/domain/base-contracts.ts"
import type { Sent } from "../../../../src/screening/base/holders/birth.ts"
import { hasForcedAllowance } from "../../../../src/screening/base/holders/given.ts"
import type { Naming } from "../../../../src/screening/base/holders/history.ts"
import { OWNER, POOL, TOKEN } from "../../../support/base/fixtures.ts"

const word = (value: number): Hex => toHex(value, { size: 32 })
const hash = (first: Hex, second: Hex): Hex => keccak256(concat([first, second]))

const BUYER: Address = "0x52908400098527886e0f7030069857d2e4169ee7"
const FRIEND: Address = "0x7a11ce5e1f00d5c0ffee5e1f00d5c0ffee5e1f00"
const SENT: Hex = `0x${"5e".repeat(32)}`
const APPROVE = "0x095ea7b3"

const pairOf = (owner: Address, spender: Address): Naming["pair"] => [pad(owner), pad(spender)]

/** Whether an allowance in storage is taken for forced, told of in such a transaction, or in none that is known. */
const isForced = (
  sent: Sent | null,
  pair = pairOf(BUYER, FRIEND),
  { isStored = true }: { readonly isStored?: boolean } = {}
): boolean => {
  const place = hash(pair[1], hash(pair[0], word(2)))
  return hasForcedAllowance(
    { token: TOKEN, blockNumber: 1n, pools: [POOL], lockers: [], now: 1n },
    {
      balances: { order: "key-first", slot: word(1), field: 0 },
      mask: word(1),
      allowances: { order: "key-first", slot: word(2), field: 0 }
    },
    isStored ? [{ slot: BigInt(place), value: 1n }] : [],
    [{ scalars: [], bases: [], keys: [], pairs: [pair] }],
    {
      naming: [{ event: "approval", pair, transaction: SENT }],
      transactions: new Map(sent === null ? [] : [[SENT, sent]])
    }
  )
}

const approving = (spender: Address): Hex => concat([APPROVE, pad(spender), word(5)])

describe("an allowance that stands in storage", () => {
  it("was given where its owner sent a transaction to allow that spender", () => {
    expect(isForced({ from: BUYER, to: TOKEN, input: approving(FRIEND) })).toBe(false)
    expect(isForced({ from: BUYER, to: FRIEND, input: "0x12345678" })).toBe(false)
    expect(isForced({ from: BUYER, to: null, input: "0x" })).toBe(false)
    expect(isForced({ from: BUYER, to: BUYER, input: "0x" })).toBe(false)
  })

  it("was not where others made a contract do something", () => {
    expect(isForced({ from: OWNER, to: BUYER, input: "0x" })).toBe(true)
  })

  it("was not where somebody else sent it, the owner sent something else, or nobody knows", () => {
    expect(isForced({ from: FRIEND, to: TOKEN, input: approving(FRIEND) })).toBe(true)
    expect(isForced({ from: OWNER, to: null, input: "0x" })).toBe(true)
    expect(isForced({ from: BUYER, to: TOKEN, input: approving(OWNER) })).toBe(true)
    expect(isForced({ from: BUYER, to: TOKEN, input: concat(["0xa9059cbb", pad(FRIEND), word(5)]) })).toBe(
      true
    )
    expect(isForced({ from: BUYER, to: OWNER, input: approving(FRIEND) })).toBe(true)
    expect(isForced(null)).toBe(true)
  })

  it("matters only where it stands, and neither to Permit2 nor of pools, which are judged by themselves", () => {
    expect(isForced(null, pairOf(BUYER, FRIEND), { isStored: false })).toBe(false)
    expect(isForced(null, pairOf(BUYER, PERMIT2))).toBe(false)
    expect(isForced(null, pairOf(POOL, FRIEND))).toBe(false)
    expect(isForced(null, pairOf(TOKEN, FRIEND))).toBe(false)
  })
})
