import { describe, expect, it } from "@effect/vitest"
import { known } from "../../src/domain/fact.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"
import { lookOver } from "../support/bytecode/looks.ts"
import { POOL, clean, judge } from "../support/base/fixtures.ts"

const { codeOf, names, ways } = compiled("Bounded.sol", "bounded.json")

const OWNER = 0x7a11ce5e1f00d5c0ffee5e1f00d5c0ffee5e1f00n
/** Slots of `Bounded.sol`; the pair is the fixtures' pool, whose token has a supply of ten million. */
const SLOTS: ReadonlyMap<bigint, bigint> = new Map([
  [0n, 10n ** 25n],
  [3n, OWNER],
  [4n, 1_700_000_000n],
  [5n, 10n ** 23n],
  [6n, BigInt(POOL)],
  [7n, 1n]
])

const screened = (way: string, name: string) =>
  judge({
    ...clean,
    code: { ...clean.code, findings: known(lookOver(codeOf(way, name), (slot) => SLOTS.get(slot) ?? 0n)) },
    owner: { ...clean.owner, status: "held", owner: `0x${OWNER.toString(16)}`, holder: { kind: "eoa" } }
  })

describe.each(ways)("code compiled %s, with its storage", (way) => {
  it.each(names.filter(isHonest))("%s is allowed: what its owner can do is bounded", (name) => {
    expect(screened(way, name)).toMatchObject({ verdict: "allow", safe: true })
  })

  it.each(names.filter((name) => !isHonest(name)))("%s is not: its bound is none", (name) => {
    const { safe, verdict } = screened(way, name)
    expect(verdict).not.toBe("allow")
    expect(safe).not.toBe(true)
  })
})

describe("a bound", () => {
  it("is named in the report", () => {
    expect(screened("optimized", "HonestYearly").message("MINT_POWER")).toContain(
      "at most 1 % of the supply a year"
    )
    expect(screened("optimized", "HonestMaxAmount").message("TRANSFER_PROVEN")).toContain(
      "up to 0.5 % of the supply"
    )
    expect(screened("optimized", "HonestMaxWallet").message("TRANSFER_PROVEN")).toContain("hold up to 1 %")
  })
})
