import { describe, expect, it } from "@effect/vitest"
import { type Hex, toFunctionSelector } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { compiled } from "../support/bytecode/artifacts.ts"

const asking = compiled("Asking.sol", "asking.json")
const ASKED = "0xa5ceda5ceda5ceda5ceda5ceda5ceda5ceda5ced"

const COINS = asking.names.filter((name) => name.startsWith("Asks"))
const STANDING = asking.names.filter((name) => name.endsWith("Asked"))

/** Coins with what may stand where they ask. Whatever is ignored may be anything, if only it is always answered. */
const PROVEN: ReadonlySet<string> = new Set([
  ...["AsksShare", "AsksLeave", "AsksYes", "AsksAndIgnores"].map((coin) => `${coin} PureAsked`),
  ...["StoredAsked", "GreedyAsked", "TimedAsked"].map((asked) => `AsksAndIgnores ${asked}`)
])

const holesOf = (way: string, coin: string, code: Hex) => {
  const { proof } = analyseCode(asking.codeOf(way, coin), { others: [{ address: ASKED, code }] })
  return [...proof.transferPath.holes, ...proof.conservation.holes]
}

describe("Asking.sol", () => {
  it("has the artifacts that belong to it", () => {
    expect(asking.isCurrent).toBe(true)
  })

  describe.each(asking.ways)("compiled %s", (way) => {
    it.each(COINS)("%s says whom it asks, and is not proven by that", (coin) => {
      const { proof } = analyseCode(asking.codeOf(way, coin))
      expect(proof.asks).toEqual([ASKED])
      expect(proof.transferPath.holes).not.toEqual([])
    })

    it.each(
      COINS.flatMap((coin) =>
        STANDING.map((asked) => ({ coin, asked, proven: PROVEN.has(`${coin} ${asked}`) }))
      )
    )("$coin of $asked is proven: $proven", ({ asked, coin, proven }) => {
      expect(holesOf(way, coin, asking.codeOf(way, asked)).length === 0).toBe(proven)
    })
  })

  it.each(["33", "30", "34", "36", "3d"])(
    "code that may leave no room on its stack for 0x%s is not followed",
    (op) => {
      const selector = toFunctionSelector("ok(address,address,uint256)").slice(2)
      const chosen: Hex = `0x5f3560e01c63${selector}146011575f5ffd5b`
      const yes = "60015f5260205ff3"
      // A full stack, one word more, and back to where there is room again.
      const full = `${"5f".repeat(1_024)}${op}${"50".repeat(9)}${yes}`
      expect(holesOf("optimized", "AsksAndIgnores", `${chosen}5f54601f57${yes}5b${yes}`)).toEqual([])
      expect(holesOf("optimized", "AsksAndIgnores", `${chosen}5f54601f57${yes}5b${full}`)).not.toEqual([])
    }
  )

  it.each([
    ["tells something", "5f5fa0"],
    ["writes down something passing", "5f5f5d"],
    ["writes", "5f5f55"],
    ["creates", "5f5f5ff050"]
  ])("a question dies of code that %s before it comes to the function", (_, act) => {
    const selector = toFunctionSelector("ok(address,address,uint256)").slice(2)
    const answers = `5f3560e01c63${selector}14602057`
    // A switch of storage decides whether it acts; either way the function answers yes.
    const acting = (done: string): Hex => {
      const skip = (5 + done.length / 2).toString(16).padStart(2, "0")
      const before = `5f5460${skip}57${done}5b`
      const rest = before.length / 2 + answers.length / 2 + 3
      return `0x${before}${answers.replace("602057", `60${rest.toString(16).padStart(2, "0")}57`)}5f5ffd5b60015f5260205ff3`
    }
    expect(holesOf("optimized", "AsksAndIgnores", acting(""))).toEqual([])
    expect(holesOf("optimized", "AsksAndIgnores", acting(act))).not.toEqual([])
  })

  describe.each(asking.ways)("compiled %s", (way) => {
    it.each([
      ["returns", "f3"],
      ["reverts with", "fd"]
    ])("code that %s what lies beyond all memory is not followed", (_, end) => {
      const selector = toFunctionSelector("ok(address,address,uint256)").slice(2)
      const chosen: Hex = `0x5f3560e01c63${selector}146011575f5ffd5b60015f52`
      // No gas suffices for that: the question fails, and nothing is answered.
      const far = `602065ffffffffffff${end}`
      for (const coin of ["TakesUnanswered", "TakesUntold"]) {
        expect(holesOf(way, coin, `${chosen}60205ff3`)).toEqual([])
        expect(holesOf(way, coin, `${chosen}${far}`)).not.toEqual([])
      }
    })

    it("what is done where too little gas was left for an answer counts, however much memory the answer takes", () => {
      const selector = toFunctionSelector("ok(address,address,uint256)").slice(2)
      const chosen: Hex = `0x5f3560e01c63${selector}146011575f5ffd5b60015f52`
      const looks = Array.from(
        { length: 12 },
        (_, slot) => `60${(slot + 1).toString(16).padStart(2, "0")}5450`
      )
      const asked: Hex = `${chosen}${looks.join("")}5f61fde05260205ff3`
      expect(holesOf(way, "TakesStarved", asked)).not.toEqual([])
    })

    it("the answer that a loop asked for last is not known before it ended", () => {
      const selector = toFunctionSelector("ok(address,address,uint256)").slice(2)
      const echo: Hex = `0x5f3560e01c63${selector}146011575f5ffd5b6004355f5260205ff3`
      expect(holesOf(way, "TakesByLast", echo)).not.toEqual([])
    })

    it("two answers that were copied from where the asker says need not be the same", () => {
      const selector = toFunctionSelector("ok(address,address,uint256)").slice(2)
      const picks: Hex = `0x5f3560e01c63${selector}146011575f5ffd5b60206004355f3760205ff3`
      expect(holesOf(way, "TakesByDifference", picks)).not.toEqual([])
    })
  })

  it.each([
    ["no code, which may come", "0x"],
    ["an account that may have other code tomorrow", "0xef0100a5ceda5ceda5ceda5ceda5ceda5ceda5ceda5ced"],
    ["code that destroys itself", "0x33ff"],
    ["code without the function", "0x60006000fd"]
  ] as const)("what asks %s is not proven", (_, code) => {
    for (const coin of COINS) expect(holesOf("optimized", coin, code)).not.toEqual([])
  })
})
