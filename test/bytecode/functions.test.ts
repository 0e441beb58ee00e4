import { describe, expect, it } from "@effect/vitest"
import { bytesOfHex, decode } from "../../src/bytecode/evm/code.ts"
import { withoutPause } from "../../src/bytecode/evm/slices.ts"
import { readExactly } from "../../src/bytecode/exact/functions.ts"
import { selectorsOf } from "../../src/bytecode/selector.ts"
import { compiled } from "../support/bytecode/artifacts.ts"

const [MULTICALL = ""] = selectorsOf(["multicall(bytes[])"])

const read = (source: string, artifacts: string, name: string) => {
  const code = compiled(source, artifacts).codeOf("plain", name)
  return withoutPause(readExactly(decode(bytesOfHex(code)), { steps: 800_000, deadline: 1, now: () => 0 }))
}

describe("a function that a contract does not have", () => {
  it("is proven nothing of: neither that it answers alone nor that it runs nothing but the own code", () => {
    const has = read("Batched.sol", "batched.json", "HonestSolady")
    const lacks = read("Votes.sol", "votes.json", "HonestVotes")
    expect([has.runsItselfAlone(MULTICALL), lacks.selectors.includes(MULTICALL)]).toEqual([true, false])
    expect([lacks.runsItselfAlone(MULTICALL), lacks.answersAlone(MULTICALL)]).toEqual([false, false])
  })
})
