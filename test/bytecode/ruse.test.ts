import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { SELECTOR } from "../../src/bytecode/selector.ts"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { beheaded, compiled, HEAD, isHonest } from "../support/bytecode/artifacts.ts"

const ruse = compiled("Ruse.sol", "ruse.json")

describe("Ruse.sol", () => {
  it("has the artifacts that belong to it", () => {
    expect(ruse.isCurrent).toBe(true)
  })

  describe.each(ruse.ways)("compiled %s", (way) => {
    it.each(ruse.names.filter(isHonest))("%s is proven", (name) => {
      expect(analyseCode(ruse.codeOf(way, name)).proof).toMatchObject({
        transferPath: { holes: [] },
        conservation: { holes: [] }
      })
    })

    it.each(ruse.names.filter((name) => !isHonest(name) && name !== "DomainAnywhere"))(
      "%s is not proven",
      (name) => {
        const { conservation, transferPath } = analyseCode(ruse.codeOf(way, name)).proof
        expect([...transferPath.holes, ...conservation.holes]).not.toEqual([])
      }
    )

    it.each([
      ["HonestDomained", "0x00000000000000000000000000000000000abcde"],
      ["DomainAnywhere", null]
    ])("%s takes the domain that it fixes at %s", (name, at) => {
      expect(analyseCode(ruse.codeOf(way, name)).proof.domains).toMatchObject([{ at }])
    })

    it.each([
      ["HonestRuse", true],
      ["HonestOwnFed", true],
      ["HonestOwnCleared", false],
      ["HonestOwnAllowed", false],
      ["HonestOwnCalled", false],
      ["GrantsInClaim", false]
    ])("%s keeps what the contract holds: %s", (name, keeps) => {
      expect(analyseCode(ruse.codeOf(way, name)).proof.keepsOwn).toBe(keeps)
    })
  })
})

describe("an instruction that the chain may not have yet", () => {
  const CLZ = "1e"
  const { rest, end } = beheaded(ruse.codeOf("optimized", "HonestRuse"))
  const begin = end.toString(16).padStart(4, "0")
  /** What is done before a function is chosen, and by one of its own. */
  const coin = (before: string, done: string): Hex => {
    const choice = `5f3560e01c8063aabbccdd1461${(end + before.length / 2 + 26).toString(16).padStart(4, "0")}57`
    const head = `5b${before}${choice}`
    return `0x61${begin}565b${rest}${head}50${HEAD.slice(2)}6004565b${done}00`
  }
  const NOTED = `600435${CLZ}60ff55`

  it("is followed in a function that moves nothing", () => {
    expect(analyseCode(coin("", NOTED.replace(CLZ, ""))).proof.conservation.holes).toEqual([])
    const { conservation, transferPath } = analyseCode(coin("", NOTED)).proof
    expect([...transferPath.holes, ...conservation.holes]).toEqual([])
  })

  it("is none that a transfer may hang on", () => {
    const { conservation, transferPath } = analyseCode(coin(`5f${CLZ}50`, NOTED)).proof
    expect(conservation.holes).toEqual([])
    expect(transferPath.holes.map(({ selector }) => selector)).toContain(SELECTOR.transfer)
  })
})
