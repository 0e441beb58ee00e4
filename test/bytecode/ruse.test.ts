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

const { rest, end } = beheaded(ruse.codeOf("optimized", "HonestRuse"))
const place = (at: number): string => at.toString(16).padStart(4, "0")
/** Where a function begins that does nothing before it is chosen. */
const FIRST = end + 27

/** An honest coin with something more: what is done before a function is chosen, and by one of its own. */
const coin = (before: string, done: string): Hex => {
  const choice = `5f3560e01c8063aabbccdd1461${place(FIRST - 1 + before.length / 2)}57`
  return `0x61${place(end)}565b${rest}5b${before}${choice}50${HEAD.slice(2)}6004565b${done}00`
}

describe("an instruction that the chain may not have yet", () => {
  const CLZ = "1e"
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

describe("a copy to a place too deep to be followed", () => {
  /** A byte of the input, mixed so often with another; beside that byte on the stack. */
  const mixed = (times: number): string =>
    `60443560ff1660243560ff16${Array.from({ length: times }, (_, n) => (n % 2 === 0 ? "8118" : "8117")).join("")}`
  const MINT = `335f52600160205269d3c21bcecceda100000060405f2055`
  /** Zero is put at 0x80, the input copied behind, and after fifty turns seven put at 0x80; whoever finds it there mints. */
  const counting = (times: number): string => {
    const start = `5f608052${mixed(times)}365f8261040001375f`
    const head = FIRST + start.length / 2
    const [skip, out, last] = [head + 25, head + 33, head + 45 + MINT.length / 2]
    const turn = `5b60043581101561${place(out)}57603281111561${place(skip)}576007608052`
    const next = `5b60010161${place(head)}56`
    return `${start}${turn}${next}5b6080516007141561${place(last)}57${MINT}5b`
  }

  it("is not taken for one to everywhere, behind which a loop may write what it likes", () => {
    for (let times = 394; times < 403; times++) {
      const { conservation } = analyseCode(coin("", counting(times))).proof
      expect(conservation.holes).toMatchObject([{ kind: "creates" }])
    }
  })
})
