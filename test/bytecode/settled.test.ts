import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { BRIDGES, lower } from "../../src/screening/base/addresses.ts"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { leakOf } from "../../src/screening/base/power/power.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"
import { firstLook, lookOver } from "../support/bytecode/looks.ts"

const { codeOf, names, ways } = compiled("Settled.sol", "settled.json")

const SOMEBODY = 0x7a11ce5e1f00d5c0ffee5e1f00d5c0ffee5e1f00n
const BRIDGE = 0x4200000000000000000000000000000000000010n
const BOSS = 0n
const MARKET = 4n
const RATE = 5n
const SECOND = 6n
const BOTH = 9n
const OPEN = 1n << 160n
const SUPPLY = 1n
/** The most that `Capped` lets the supply be. */
const MOST = 10n ** 27n
const MINTED = { [`${BOSS}`]: SOMEBODY, [`${SUPPLY}`]: MOST }

/** Slots of `Settled.sol` where they are not zero. */
const STATE: Readonly<Record<string, Readonly<Record<string, bigint>>>> = {
  HonestOpened: { [`${BOSS}`]: SOMEBODY },
  HonestNeighbour: { [`${BOSS}`]: SOMEBODY },
  Reopens: { [`${RATE}`]: 7n },
  ComesBack: { [`${SECOND}`]: SOMEBODY },
  HonestPackedOwner: { [`${MARKET}`]: OPEN },
  PackedOwnerTouched: { [`${MARKET}`]: OPEN },
  // Eight bits up stands somebody whose address ends with zeros.
  PackedOwnerAbove: { [`${BOTH}`]: OPEN << 1n },
  HeirComesBack: { [`${SECOND}`]: SOMEBODY },
  HonestFee: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  HonestPackedFee: { [`${BOSS}`]: SOMEBODY },
  HonestFixedFee: { [`${RATE}`]: 300n },
  HighFee: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  TwoSetters: { [`${SECOND}`]: SOMEBODY, [`${RATE}`]: 300n },
  GrowingFee: { [`${RATE}`]: 300n },
  UncheckedBound: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  HonestLowered: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  HonestLoweredBelow: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  HonestLoweredBy: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  LoweredTooLate: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  LoweredAfterACall: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  HonestLoweredByCall: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  LoweredByMore: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  LoweredToAnother: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  LoweredBesideRaise: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  LoweredWhereItWas: { [`${BOSS}`]: SOMEBODY, [`${RATE}`]: 300n },
  HonestLoweredPacked: { [`${BOSS}`]: SOMEBODY, [`${MARKET}`]: SOMEBODY | OPEN | (3n << 168n) },
  LoweredToNeighbour: { [`${BOSS}`]: SOMEBODY, [`${MARKET}`]: SOMEBODY | OPEN | (3n << 168n) },
  HonestLock: { [`${RATE}`]: 1n },
  LockStays: { [`${RATE}`]: 1n },
  MintsWhileLocked: { [`${RATE}`]: 1n },
  StopsWhileLocked: { [`${RATE}`]: 1n },
  MintsBehindList: { [`${RATE}`]: 1n },
  LocksByLoop: { [`${RATE}`]: 1n },
  HonestStoredBridge: { [`${MARKET}`]: BRIDGE },
  SettableBridge: { [`${BOSS}`]: SOMEBODY, [`${MARKET}`]: BRIDGE },
  BridgeOrFriend: { [`${MARKET}`]: SOMEBODY },
  HonestMintEnded: { [`${BOSS}`]: SOMEBODY },
  MintResumes: { [`${BOSS}`]: SOMEBODY },
  HonestRescue: { [`${BOSS}`]: SOMEBODY },
  HonestBacked: { [`${BOSS}`]: SOMEBODY },
  HonestBackedByName: { [`${BOSS}`]: SOMEBODY },
  HonestBackedByTwoNames: { [`${BOSS}`]: SOMEBODY },
  Picture: { [`${BOSS}`]: SOMEBODY },
  HonestAtStoredMost: { ...MINTED, [`${RATE}`]: MOST },
  AtMostRaised: { ...MINTED, [`${RATE}`]: MOST },
  HonestAtMostCounted: { ...MINTED, [`${BOTH}`]: MOST },
  BelowMost: { [`${BOSS}`]: SOMEBODY, [`${SUPPLY}`]: MOST - 1n },
  HonestAtMost: MINTED,
  HonestAtMostAsked: MINTED,
  AtMostBurnt: MINTED,
  AtMostLowered: MINTED,
  AtMostWraps: MINTED,
  HonestAtMostAlone: MINTED,
  AtMostTwoAmounts: MINTED,
  AtMostHalf: MINTED,
  AtMostGivesMore: MINTED,
  AtMostAskedBefore: MINTED,
  AtMostReadBack: MINTED,
  AtMostWhileCalled: MINTED
}

const wordAt = (name: string, slot: bigint): bigint =>
  STATE[name]?.[`${slot}`] ?? (slot === MARKET ? SOMEBODY | OPEN : 0n)

const screened = (way: string, name: string) =>
  lookOver(codeOf(way, name), (slot) => wordAt(name, slot)).proof

const openHoles = (way: string, name: string) => {
  const { conservation, transferPath } = screened(way, name)
  return [...transferPath.holes, ...conservation.holes].filter(
    ({ heldBy }) => !heldBy.some((account) => BRIDGES.has(lower(account)))
  )
}

const isTrap = (name: string): boolean => !isHonest(name) && name !== "Picture"

describe.each(ways)("code compiled %s, with its storage", (way) => {
  it.each(names.filter(isHonest))("%s is proven", (name) => {
    expect(openHoles(way, name)).toEqual([])
  })

  it.each(names.filter(isTrap))("%s is not proven", (name) => {
    expect(openHoles(way, name)).not.toEqual([])
  })
})

const withRate = (way: string, rate: bigint) => {
  const code = codeOf(way, "HonestFixedFee")
  const state = [{ slot: `0x${RATE.toString(16).padStart(64, "0")}`, value: rate }]
  return analyseCode(code, { state: [{ slot: `0x${"0".repeat(64)}`, value: 0n }, ...state] }).proof
    .transferPath.holes
}

describe.each(ways)("a fee of a power of two that nobody sets any more, compiled %s", (way) => {
  it.each([0n, 1n, 2n, 256n])("is proven as any other: %s in ten thousand", (rate) => {
    expect(withRate(way, rate)).toEqual([])
  })

  it("is not where it takes most: 8192 in ten thousand", () => {
    expect(withRate(way, 8192n)).not.toEqual([])
  })
})

it("a long word of text is written where no balance stands", () => {
  expect(openHoles("optimized", "Picture")).toEqual([])
})

describe("what storage does not show", () => {
  it("leaves the token unproven", () => {
    const { transferPath } = firstLook(codeOf("optimized", "HonestOpened")).proof
    expect(transferPath.holes).not.toEqual([])
  })

  it("settles nothing where another slot was read", () => {
    const code = codeOf("optimized", "HonestRenounced")
    const state = [{ slot: `0x${"0".repeat(63)}9`, value: 0n }]
    expect(analyseCode(code, { state }).proof.transferPath.holes).not.toEqual([])
  })
})

describe("functions that stand open to fixed accounts alone", () => {
  it("are named with these accounts", () => {
    const { held } = firstLook(codeOf("optimized", "HonestBridge")).proof
    expect(held).toMatchObject([{ by: [`0x${BRIDGE.toString(16)}`] }])
  })

  it("stand open to nobody where their owner is gone for good", () => {
    const code = codeOf("optimized", "HonestMintEnded")
    const state = [
      { slot: "0x0", value: SOMEBODY },
      { slot: "0x4", value: SOMEBODY | OPEN }
    ]
    expect(analyseCode(code, { state }).proof.held).toMatchObject([{ by: [] }])
  })
})

it("code from elsewhere that only an owner who left could run leaves nothing undecided", () => {
  const code = codeOf("optimized", "HonestGuestGone")
  const withBoss = (boss: bigint) => lookOver(code, () => boss)
  expect(withBoss(SOMEBODY).environmentGate.state).toBe("undecided")
  const { environmentGate, leakingToken } = withBoss(0n)
  expect([environmentGate.state, leakingToken.state]).toEqual(["not-found", "not-found"])
})

it("what an owner takes out of the contract is a leak only where others have a claim to it, named or not", () => {
  const leaks = (name: string) => leakOf(firstLook(codeOf("optimized", name))).state
  expect(leaks("HonestRescue")).toBe("not-found")
  expect(leaks("HonestBacked")).toBe("found")
  expect(leaks("HonestBackedByName")).toBe("found")
  // Who named himself names himself again.
  expect(leaks("HonestBackedByTwoNames")).toBe("found")
})

describe("code that is no token", () => {
  /** `owner()` alone, answered from the first slot. */
  const code: Hex = "0x5f3560e01c638da5cb5b146011575f5ffd5b5f545f5260205ff3"

  it("is told apart from a token that could not be read", () => {
    const { hiddenMint, isToken, limitingSell } = firstLook(code)
    expect(isToken).toBe(false)
    expect([hiddenMint.state, limitingSell.state]).toEqual(["not-found", "not-found"])
  })

  it("is never proven", () => {
    const { proof } = firstLook(code)
    expect(proof.transferPath.holes).not.toEqual([])
    expect(proof.conservation.holes).not.toEqual([])
  })
})
