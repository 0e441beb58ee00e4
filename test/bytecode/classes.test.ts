import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Hex, isHex, keccak256, stringToHex } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"

const HexText = Schema.String.pipe(Schema.filter((text): text is Hex => isHex(text)))
const Artifacts = Schema.parseJson(
  Schema.Struct({
    source: Schema.String,
    ways: Schema.Record({ key: Schema.String, value: Schema.Record({ key: Schema.String, value: HexText }) })
  })
)
const file = (name: string): string =>
  readFileSync(new URL(`../support/bytecode/${name}`, import.meta.url), "utf8")
const { source, ways } = Schema.decodeUnknownSync(Artifacts)(file("classes.json"))

/** What must be found in each contract of `Classes.sol`, and nothing else of the three. */
const EXPECTED: Readonly<Record<string, ReadonlyArray<"mint" | "limit" | "leak">>> = {
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

it("the artifacts belong to the source, and every contract has its expectation", () => {
  expect(source).toBe(keccak256(stringToHex(file("Classes.sol"))))
  for (const contracts of Object.values(ways))
    expect(Object.keys(contracts).toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
})

describe.each(Object.keys(ways))("code compiled %s", (way) => {
  it.each(Object.entries(EXPECTED))("%s shows exactly %j", (name, powers) => {
    expect(found(ways[way]?.[name] ?? "0x")).toEqual(powers)
  })
})

it("a switch that was opened for good limits nobody: its slot says so", () => {
  const code = ways["optimized"]?.["OpensOnce"] ?? "0x"
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
