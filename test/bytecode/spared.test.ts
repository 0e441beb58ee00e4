import { describe, expect, it } from "@effect/vitest"
import { compiled } from "../support/bytecode/artifacts.ts"
import { firstLook, lookOver } from "../support/bytecode/looks.ts"

const spared = compiled("Spared.sol", "spared.json")

type Power = "hiddenMint" | "limitingSell" | "blacklist"

/** What must be found in each contract of `Spared.sol`, and nothing else of the three. */
const EXPECTED: Readonly<Record<string, ReadonlyArray<Power>>> = {
  InnocentOrOwner: [],
  InnocentSparing: [],
  InnocentBoth: [],
  LittleOrOwner: ["limitingSell"],
  LeastOrOwner: ["limitingSell"],
  HeldOrOwner: ["limitingSell"],
  LittleForOthers: ["limitingSell", "blacklist"],
  BornForOthers: ["limitingSell", "blacklist"],
  OpenToSpared: ["limitingSell", "blacklist"],
  HeldByPools: ["limitingSell", "blacklist"],
  RoomForOthers: ["limitingSell", "blacklist"],
  DatedForOthers: ["limitingSell", "blacklist"],
  TrifleForOthers: ["limitingSell", "blacklist"],
  TrifleToPair: ["limitingSell", "blacklist"],
  PartForOthers: ["limitingSell", "blacklist"],
  ShareForOthers: ["limitingSell", "blacklist"],
  TrifleHeldByPools: ["limitingSell", "blacklist"],
  TrifleOrOwner: ["limitingSell"],
  TrifleOfOthers: ["limitingSell"],
  InnocentTenthForOthers: [],
  InnocentShareForOthers: [],
  InnocentWidth: [],
  InnocentPurchases: [],
  InnocentWhereRead: ["limitingSell", "blacklist"]
}

const POWERS: ReadonlyArray<Power> = ["hiddenMint", "limitingSell", "blacklist"]

it("has the artifacts that belong to it, and an expectation of each contract", () => {
  expect(spared.isCurrent).toBe(true)
  expect(spared.names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
})

describe.each(spared.allWays)("limits of which some are spared, compiled %s", (way) => {
  it.each(Object.entries(EXPECTED))("%s shows exactly %j", (name, powers) => {
    const findings = firstLook(spared.codeOf(way, name))
    expect(POWERS.filter((power) => findings[power].state === "found")).toEqual(powers)
  })
})

describe.each(spared.allWays)("a most that the code fixes, compiled %s", (way) => {
  const SUPPLY_SLOT = 2n
  const limiting = (name: string) =>
    lookOver(spared.codeOf(way, name), (slot) => (slot === SUPPLY_SLOT ? 10n ** 27n : 1n << 159n))
      .limitingSell.state

  it("limits nobody where the supply was read and is no thousand times of it", () => {
    expect(limiting("InnocentWhereRead")).toBe("not-found")
    expect(limiting("TrifleForOthers")).toBe("found")
  })
})
