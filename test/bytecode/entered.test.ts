import { describe, expect, it } from "@effect/vitest"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { compiled } from "../support/bytecode/artifacts.ts"
import { firstLook, lookOver } from "../support/bytecode/looks.ts"

const entered = compiled("Entered.sol", "entered.json")

type Power = "hiddenMint" | "limitingSell" | "balanceSeizure"

/** What must be found in each contract of `Entered.sol`, and nothing else of the three. */
const EXPECTED: Readonly<Record<string, ReadonlyArray<Power>>> = {
  StopsAsSetUp: ["limitingSell"],
  StopsAsCallerSetUp: ["limitingSell"],
  StopsAsInitialized: ["limitingSell"],
  StopsAsOwnerSetUp: ["limitingSell"],
  StopsUntilGivenUp: ["limitingSell"],
  StopsUntilTakenOut: ["limitingSell"],
  StopsUntilLowered: ["limitingSell"],
  InnocentJoining: [],
  InnocentJoiningOnceOpen: [],
  InnocentWrapping: [],
  InnocentSetUp: [],
  InnocentInitialized: [],
  MintsWhileUnlatched: ["hiddenMint"],
  MintsWhenUnlatched: ["hiddenMint"],
  MintsWhenRenounced: ["hiddenMint"],
  MintsByOwnerOnce: ["hiddenMint"],
  StopsBySigner: ["limitingSell"],
  StopsOnOrder: ["limitingSell"],
  InnocentOrder: [],
  MintsByQuota: ["hiddenMint"],
  InnocentQuota: [],
  AllowsBeside: ["balanceSeizure"],
  InnocentBeside: [],
  ChargesDebts: ["limitingSell"],
  TaxesAskedAgain: ["limitingSell"],
  InnocentAskedAgain: [],
  NamesOperators: ["balanceSeizure"],
  InnocentByteOfTenThousand: [],
  TaxesByteOfHundred: ["limitingSell"]
}

const POWERS: ReadonlyArray<Power> = ["hiddenMint", "limitingSell", "balanceSeizure"]

it("has the artifacts that belong to it, and an expectation of each contract", () => {
  expect(entered.isCurrent).toBe(true)
  expect(entered.names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
})

describe.each(entered.allWays)("entries, compiled %s", (way) => {
  it.each(Object.entries(EXPECTED))("%s shows exactly %j", (name, powers) => {
    const findings = firstLook(entered.codeOf(way, name))
    expect(POWERS.filter((power) => findings[power].state === "found")).toEqual(powers)
  })
})

describe.each(["InnocentSetUp", "InnocentInitialized"])("%s", (name) => {
  const code = entered.codeOf("optimized", name)

  it("mints for whoever comes first, where it is read never to have been set up", () => {
    expect(lookOver(code, () => 0n).hiddenMint.state).toBe("found")
  })

  it("may mint where storage was read, but not whether it was set up", () => {
    const state = [{ slot: `0x${"77".repeat(32)}`, value: 1n }]
    expect(analyseCode(code, { state }).hiddenMint.state).toBe("undecided")
  })

  it("mints for nobody where it is read to have been set up", () => {
    expect(lookOver(code, () => 2n ** 256n - 1n).hiddenMint.state).toBe("not-found")
  })
})
