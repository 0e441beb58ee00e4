import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { toHex } from "viem"
import { compileDirectory } from "../../../../scripts/attacks/compile.ts"
import { SELECTOR } from "../../../../src/bytecode/selector.ts"
import { analyseCode } from "../../../../src/screening/base/power/analyse.ts"
import { compiled } from "../../../support/bytecode/artifacts.ts"

const SETS = join(import.meta.dirname, "..", "..", "..", "support", "base", "attacks")
const tokens = compiled("Tokens.sol", "artifacts.json")

const proofIn = (set: string) => {
  const contracts = compileDirectory(join(SETS, set))
  return (contract: string) => analyseCode(contracts.get(contract)?.deployedBytecode ?? "0x").proof
}

const proofOf = proofIn("names")

const keyFirst = (slot: number) => ({ order: "key-first", slot: toHex(slot, { size: 32 }), field: 0 })

describe("where a token keeps what is an account's", () => {
  it.each(tokens.ways)("is told of ordinary code compiled %s", (way) => {
    for (const name of ["Plain", "OwnerMint", "Permit"]) {
      const { ledger } = analyseCode(tokens.codeOf(way, name)).proof
      expect(ledger?.balances).toMatchObject({ order: "key-first", field: 0 })
      expect(ledger?.allowances).toMatchObject({ order: "key-first", field: 0 })
      expect(ledger?.allowances?.slot).not.toBe(ledger?.balances?.slot)
    }
  })

  it("is told of Solidity's tables and of Solady's, and of no others", () => {
    expect(proofOf("Fixed").ledger).toMatchObject({ balances: keyFirst(1), allowances: keyFirst(2) })
    expect(proofOf("Seeded").ledger).toMatchObject({
      balances: { order: "solady" },
      allowances: { order: "solady" }
    })
    expect(proofOf("GhostByBytes").ledger).toMatchObject({ balances: null, allowances: keyFirst(0) })
  })

  it("is told of delegates, and of the lists of their votes", () => {
    expect(proofIn("votes")("HonestVotes").votes).toMatchObject({
      delegates: keyFirst(5),
      tables: [keyFirst(6).slot],
      dateBits: 48,
      clock: "block",
      told: true
    })
  })
})

describe("an approval that is refused while another stands", () => {
  const refuses = (contract: string) =>
    proofOf(contract).transferPath.holes.some(({ selector }) => selector === SELECTOR.approve)

  it("is as good as any where an approval of nothing takes that back", () => {
    expect(refuses("TakenBackFirst")).toBe(false)
  })

  it("is not where nothing takes it back: a constructor can write one for whoever will buy", () => {
    expect(refuses("BuyerIsKeptFromApproving")).toBe(true)
    expect(refuses("BuyerCannotTakeBack")).toBe(true)
  })
})
