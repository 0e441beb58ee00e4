import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { compiled } from "../support/bytecode/artifacts.ts"

const { codeOf, names, ways } = compiled("Classes.sol", "classes.json")
const further = compiled("Further.sol", "further.json")
const early = compiled("Early.sol", "early.json")

type Expected = Readonly<Record<string, ReadonlyArray<"mint" | "limit" | "leak">>>

/** What must be found in each contract of `Classes.sol`, and nothing else of the three. */
const EXPECTED: Expected = {
  OpensOnce: ["limit"],
  ShutUntilOpened: ["limit"],
  RefusesChosenPair: ["limit"],
  AsksStranger: ["limit"],
  TellsStranger: ["limit"],
  SetsAside: ["limit"],
  ThawsNothing: ["mint"],
  PacksFreeze: ["limit", "leak"],
  Diverts: ["limit", "leak"],
  KeepsNearlyAll: ["limit"],
  ScalesBalances: ["mint", "limit"],
  AnsweredElsewhere: ["mint", "limit"],
  SetsBalances: ["mint", "leak"],
  MintsLessFee: ["mint"],
  DebitsLess: ["mint"],
  Agents: ["leak"],
  SellsOwners: ["leak"],
  BurnsFromPair: ["leak"],
  CallsAnything: ["leak"],
  ReservesTransfers: ["limit"],
  ReservesApprovals: ["limit"],
  ReservesRouting: ["limit"],
  IgnoresApprovals: ["limit"],
  EmptiesApprovals: ["limit"],
  SellsForItself: ["limit"],
  RefusesContracts: ["limit"],
  AllowsForBuyers: ["leak"],
  SwapsHoldings: ["leak"],
  LeavesDust: ["leak"],
  CutsHoldings: ["leak"],
  CutsPair: ["leak"],
  MintsEven: ["mint"],
  MintsRound: ["mint"],
  SetsMost: ["mint"],
  AsksNoAllowance: ["leak"],
  AsksNoAllowanceForOne: ["leak"],
  WrapsAllowance: ["leak"],
  MintsProduct: ["mint"],
  KeepsFromChosen: ["limit"],
  MintsInBatch: ["mint"],
  MovesInBatch: ["leak"],
  AllotsNewSupply: ["mint"],
  TaxesMarked: ["limit"],
  TaxesTwice: ["limit"],
  BoundsNothing: ["limit"],
  BoundsAtBirth: ["limit"],
  MintsByName: ["mint"],
  SeizesByName: ["leak"],
  BurnsNarrow: ["leak"],
  MintsForTrifles: ["mint"],
  SeizesForTrifles: ["leak"],
  RaisesItsMost: ["limit"],
  SaysItsMost: ["limit"],
  KeepsFlagBeside: ["limit"],
  SwitchedByAddress: ["limit"],
  RefillsQuota: ["limit"],
  CreditsMore: ["mint"],
  ChangesLedger: ["mint", "limit"],
  ExemptsFromAll: ["limit"],
  TaxesByNumber: ["limit"],
  StopsByNumber: ["limit"],
  HidesHoldings: ["limit"],
  EmitsToOwner: ["mint"],
  ReservesSales: ["limit"],
  CountsFromChosen: ["limit"],
  InnocentNumbers: [],
  InnocentNobody: [],
  InnocentReleaseToTeam: [],
  InnocentBurning: [],
  InnocentCounter: [],
  InnocentThreshold: [],
  InnocentShares: [],
  InnocentLocks: [],
  InnocentEpochs: [],
  InnocentExemption: [],
  InnocentMirror: [],
  TaxesUnchecked: ["limit"],
  TurnsAsOftenAsSaid: ["limit"],
  InnocentVesting: [],
  InnocentBatch: [],
  InnocentAllotment: [],
  InnocentRates: [],
  InnocentStep: [],
  InnocentMost: [],
  InnocentDivisor: [],
  InnocentNames: [],
  InnocentUpdate: [],
  InnocentReflection: [],
  InnocentWrapper: [],
  InnocentMembers: [],
  InnocentRace: [],
  InnocentOwnSale: [],
  InnocentNotice: [],
  InnocentStake: [],
  InnocentFeeWallet: [],
  InnocentMutex: [],
  InnocentRouting: []
}

const found = (code: Hex): ReadonlyArray<string> => {
  const { hiddenMint, leakingToken, limitingSell } = analyseCode(code)
  const named = [
    ["mint", hiddenMint],
    ["limit", limitingSell],
    ["leak", leakingToken]
  ] as const
  return named.flatMap(([name, finding]) => (finding.state === "found" ? [name] : []))
}

/** The same of `Further.sol`. */
const EXPECTED_FURTHER: Expected = {
  InnocentWraps: [],
  InnocentUnits: [],
  InnocentVault: [],
  InnocentSwap: [],
  InnocentDues: [],
  WrapsChosen: ["mint"],
  WrapsAny: ["mint"],
  WrapsLess: ["mint"],
  WrapsUnasked: ["mint"],
  WrapsBackToSender: ["mint"],
  WrapsForProject: ["mint"],
  WrapsFreeForOne: ["mint"],
  PassesByPayment: ["mint"],
  InnocentFloor: [],
  InnocentPercent: [],
  InnocentHoldings: [],
  BoundsPoolsHoldings: ["limit"],
  LeavesDustToSell: ["limit"],
  WrapsTheMost: ["limit"],
  BoundsAnother: ["limit"],
  BoundsTheLeast: ["limit"],
  InnocentShift: [],
  ShiftsByNothing: ["limit"],
  TaxesInParts: ["limit"],
  InnocentPutAside: [],
  PutsAsideMore: ["limit"],
  WrapsWhatIsTaken: ["mint"],
  InnocentMany: [],
  InnocentNumbered: [],
  MintsByPlace: ["mint"],
  SeizesByPlace: ["leak"],
  InnocentSixteenth: [],
  DoublesWhatArrives: ["mint"],
  InnocentWait: [],
  WaitsForYears: ["limit"],
  PaysAtItsRate: ["limit", "leak"]
}

/** The same of `Early.sol`, whose compilers were the first ones'. */
const EXPECTED_EARLY: Expected = {
  StandardToken: [],
  Burnable: [],
  Mintable: ["mint"],
  MintsByFirstProduct: ["mint"],
  SellsNewSupply: ["mint"],
  Pausable: ["limit"],
  Freezing: ["limit"],
  Released: ["limit"],
  ChosenFee: ["limit"],
  BurnsOthers: ["leak"],
  UncheckedAllowance: ["leak"],
  Airdrop: [],
  ReturnsFalse: []
}

it("every contract has its expectation", () => {
  expect(names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
  expect(further.names.toSorted()).toEqual(Object.keys(EXPECTED_FURTHER).toSorted())
  expect(early.names.toSorted()).toEqual(Object.keys(EXPECTED_EARLY).toSorted())
})

describe.each(early.allWays)("code of an early compiler, %s", (way) => {
  it.each(Object.entries(EXPECTED_EARLY))("%s shows exactly %j", (name, powers) => {
    expect(found(early.codeOf(way, name))).toEqual(powers)
  })
})

describe.each(further.ways)("further code compiled %s", (way) => {
  it.each(Object.entries(EXPECTED_FURTHER))("%s shows exactly %j", (name, powers) => {
    expect(found(further.codeOf(way, name))).toEqual(powers)
  })
})

describe.each(ways)("code compiled %s", (way) => {
  it.each(Object.entries(EXPECTED))("%s shows exactly %j", (name, powers) => {
    expect(found(codeOf(way, name))).toEqual(powers)
  })
})

it("a switch that was opened for good limits nobody: its slot says so", () => {
  const code = codeOf("optimized", "OpensOnce")
  const { settledBy } = analyseCode(code).proof
  const open = 1n << 160n
  const limits = (word: bigint): string => {
    const words = new Map([
      [3n, 1n << 150n],
      [4n, word]
    ])
    const state = settledBy.map((slot) => ({ slot, value: words.get(BigInt(slot)) ?? 0n }))
    return analyseCode(code, { state }).limitingSell.state
  }
  expect(limits(0n)).toBe("found")
  expect(limits(open)).toBe("not-found")
})
