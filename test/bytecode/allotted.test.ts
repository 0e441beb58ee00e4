import { describe, expect, it } from "@effect/vitest"
import { drawsJudged } from "../../src/screening/base/power/drawn.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"
import { lookOver } from "../support/bytecode/looks.ts"

const allotted = compiled("Allotted.sol", "allotted.json")
const { codeOf, names, ways } = allotted

const BOSS = 0x7a11ce5e1f00d5c0ffee5e1f00d5c0ffee5e1f00n
const FUND = 0x1f00d5c0ffee5e1f00d5c0ffee5e1f007a11ce5en
const DONE = 1n << 160n
const BOSS_SLOT = 0n
const FUND_SLOT = 4n

/** The findings as the service has them, with a fund that somebody named, or nobody did. */
const screened = (way: string, name: string, fund: bigint) => {
  const done = name === "NamedOnce" || name === "Either" ? DONE : 0n
  const words = new Map([
    [BOSS_SLOT, BOSS],
    [FUND_SLOT, fund | done]
  ])
  const findings = lookOver(codeOf(way, name), (slot) => words.get(slot) ?? 0n)
  return drawsJudged(findings, (account) => BigInt(account) === FUND)
}

const isBurn = (name: string): boolean => name.startsWith("Burnt")

it("has the artifacts that belong to it", () => {
  expect(allotted.isCurrent).toBe(true)
})

describe.each(ways)("a fund that storage names, compiled %s", (way) => {
  it.each(names.filter(isHonest))("%s draws on the project's own account, and on no holder's", (name) => {
    const { balanceSeizure, leakingToken, proof } = screened(way, name, FUND)
    expect([balanceSeizure.state, leakingToken.state]).toEqual(["not-found", "found"])
    expect(proof.conservation.holes).toMatchObject([{ kind: "draws", from: [`0x${FUND.toString(16)}`] }])
  })

  it.each(names.filter(isHonest))("%s draws nothing on nobody, who never gets anything", (name) => {
    const { balanceSeizure, leakingToken, proof } = screened(way, name, 0n)
    expect([balanceSeizure.state, leakingToken.state]).toEqual(["not-found", "not-found"])
    expect(proof.conservation.holes).toEqual([])
  })

  it.each(names.filter((name) => !isHonest(name) && !isBurn(name)))(
    "%s draws on whom somebody named later",
    (name) => {
      expect(screened(way, name, FUND).balanceSeizure.state).toBe("found")
    }
  )

  it.each(names.filter(isBurn))("%s brings back what was burnt", (name) => {
    expect(screened(way, name, 0n).balanceSeizure.state).toBe("found")
  })

  it.each(names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
    expect(screened(way, name, isBurn(name) ? 0n : FUND).proof.conservation.holes).not.toEqual([])
  })
})
