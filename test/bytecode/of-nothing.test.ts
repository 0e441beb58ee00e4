import { describe, expect, it } from "@effect/vitest"
import { Arena } from "../../src/bytecode/evm/expression.ts"
import { trifleArgument, zeroArgument } from "../../src/bytecode/of-nothing.ts"

describe("a condition says that an argument is zero", () => {
  const arena = new Arena()
  const amount = arena.node("calldata", [arena.constant(4n)])

  it("where the whole of it is", () => {
    expect(zeroArgument(amount, false)).toBe(amount)
    expect(zeroArgument(amount, true)).toBeUndefined()
  })

  it("not where some of its bits are: a mint of even amounts is a mint", () => {
    const parity = arena.node("and", [arena.constant(1n), amount])
    const high = arena.node("shr", [arena.constant(8n), amount])
    for (const part of [parity, high]) expect(zeroArgument(part, false)).toBeUndefined()
  })

  it("not where a share of it is nothing: what is minted may be any multiple of it", () => {
    const product = arena.node("mul", [arena.constant(5n), amount])
    const share = arena.node("div", [product, arena.constant(100n)])
    expect(zeroArgument(share, false)).toBeUndefined()
    expect(trifleArgument(share, false)).toBe(amount)
    expect(trifleArgument(share, true)).toBeUndefined()
  })
})
