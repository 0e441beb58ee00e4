import { describe, expect, it } from "@effect/vitest"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import type { CodeFindings, RuleName } from "../../src/screening/base/power/findings.ts"
import { compiled } from "../support/bytecode/artifacts.ts"

type Power = RuleName

const POWERS: ReadonlyArray<Power> = [
  "hiddenMint",
  "limitingSell",
  "leakingToken",
  "balanceSeizure",
  "blacklist",
  "pause",
  "unboundedFee",
  "hiddenOwner",
  "replaceableCode",
  "environmentGate"
]

const { codeOf, names, ways } = compiled("Tokens.sol", "artifacts.json")

/** Exactly the powers each contract of `Tokens.sol` has; look-alikes have none. */
const EXPECTED: Readonly<Record<string, ReadonlyArray<Power>>> = {
  Plain: [],
  OwnedPlain: [],
  Burnable: [],
  Airdrop: [],
  Permit: [],
  Wrapper: [],
  SelfRegistered: [],
  OneWayTrading: ["limitingSell", "pause"],
  LimitsRemoved: [],
  BoundedFee: [],
  Reflection: [],
  OwnerMint: ["hiddenMint"],
  SilentMint: ["hiddenMint"],
  FixedAccountMint: ["hiddenMint", "hiddenOwner"],
  RoleMint: ["hiddenMint", "hiddenOwner"],
  MintInTransfer: ["hiddenMint", "hiddenOwner"],
  Namespaced: ["hiddenMint", "hiddenOwner"],
  Hashed: ["hiddenMint", "hiddenOwner"],
  Unlockable: ["hiddenMint"],
  OpenMint: ["hiddenMint"],
  ObscureMint: ["hiddenMint", "hiddenOwner"],
  ObscurePause: ["limitingSell", "pause", "hiddenOwner"],
  Blacklist: ["limitingSell", "blacklist"],
  Pausable: ["limitingSell", "pause"],
  SilentStop: ["limitingSell", "pause"],
  MaxTransaction: ["limitingSell"],
  UnboundedFee: ["limitingSell", "unboundedFee"],
  Seizure: ["leakingToken", "balanceSeizure"],
  BurnOther: ["leakingToken", "balanceSeizure"],
  Rescue: ["leakingToken"],
  ChosenPrice: ["leakingToken"],
  Destroyable: ["replaceableCode"],
  Extensible: ["replaceableCode"],
  OriginGate: ["environmentGate"]
}

const found = (findings: CodeFindings): ReadonlyArray<Power> =>
  POWERS.filter((power) => findings[power].state === "found")

it("every contract has its expectation", () => {
  expect(names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
})

describe.each(ways)("code compiled %s", (way) => {
  it.each(Object.entries(EXPECTED))("%s shows exactly %j", (name, powers) => {
    expect(found(analyseCode(codeOf(way, name)))).toEqual(powers)
  })
})

describe("answers", () => {
  it("names the functions through which a power is used", () => {
    const { pause } = analyseCode(codeOf("optimized", "Pausable"))
    expect(pause).toMatchObject({ state: "found", selectors: ["0x16c38b3c"] })
  })

  it("lists the owner's slot as the gate of an owner's power", () => {
    const { gateSlots } = analyseCode(codeOf("optimized", "OwnerMint"))
    expect(gateSlots).toEqual([`0x${"3".padStart(64, "0")}`])
  })

  it("lists the previous owner's slot too where ownership can come back", () => {
    const { gateSlots } = analyseCode(codeOf("optimized", "Unlockable"))
    expect(gateSlots.map(BigInt)).toEqual([3n, 4n])
  })

  it("lists no gate where one path is open through a role or a fixed account", () => {
    for (const name of ["RoleMint", "FixedAccountMint"])
      expect(analyseCode(codeOf("optimized", name)).gateSlots).toEqual([])
  })

  it("is undecided about every rule without code", () => {
    const findings = analyseCode("0x")
    for (const power of POWERS) expect(findings[power].state).toBe("undecided")
  })

  it("is undecided, never clean, when the budget does not suffice", () => {
    const findings = analyseCode(codeOf("plain", "OwnerMint"), {
      budget: { steps: 300, milliseconds: 1_000 }
    })
    expect(findings.hiddenMint.state).toBe("undecided")
    expect(findings.limitingSell.state).toBe("undecided")
  })

  it("does not call a contract clean whose code is partly elsewhere", () => {
    expect(analyseCode(codeOf("optimized", "Extensible")).hiddenMint.state).toBe("undecided")
  })

  it("does not call a contract clean whose transfer cannot be followed to the balances", () => {
    // transfer(address,uint256) that does nothing, balanceOf(address) that answers from storage.
    const code =
      "0x5f3560e01c8063a9059cbb14601b576370a08231146021575f5ffd5b60015f5260205ff35b6004355f525f60205260405f20545f5260205ff3"
    expect(analyseCode(code).limitingSell.state).toBe("undecided")
  })
})
