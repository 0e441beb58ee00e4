import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { beheaded, compiled, HEAD, isHonest } from "../support/bytecode/artifacts.ts"

const sly = compiled("Sly.sol", "sly.json")

describe("Sly.sol", () => {
  it("has the artifacts that belong to it", () => {
    expect(sly.isCurrent).toBe(true)
  })

  describe.each(sly.ways)("compiled %s", (way) => {
    it.each(sly.names.filter(isHonest))("%s is proven", (name) => {
      expect(analyseCode(sly.codeOf(way, name)).proof).toMatchObject({
        transferPath: { holes: [] },
        conservation: { holes: [] }
      })
    })
  })

  it.each(sly.names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
    const { conservation, transferPath } = analyseCode(sly.codeOf("optimized", name)).proof
    expect([...transferPath.holes, ...conservation.holes]).not.toEqual([])
  })
})

describe("a bridge of the chain", () => {
  const holders = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
    analyseCode(sly.codeOf("optimized", name)).proof.conservation.holes.map(({ heldBy }) => heldBy)

  it("alone holds a mint and a burn of what crosses", () => {
    const bridge = ["0x4200000000000000000000000000000000000010"]
    expect(holders("CrossesBoth")).toEqual([bridge, bridge])
  })

  it.each(sly.names.filter((name) => name.startsWith("Crosses") && name !== "CrossesBoth"))(
    "is no holder of what %s does, as anybody can make it call",
    (name) => {
      expect(holders(name)).not.toEqual([])
      expect(holders(name).flat()).toEqual([])
    }
  )
})

describe.each(sly.ways)("a mint before a function that only answers is chosen, compiled %s", (way) => {
  it("keeps balances from being proven", () => {
    const { rest, end } = beheaded(sly.codeOf(way, "HonestSly"))
    const hex = (n: number): string => n.toString(16).padStart(4, "0")
    // Selectors from 0xf0000000: the caller's entry in slot 1 is written, then `0xf1111111` answers nothing.
    const test = "5b5f3560e01c63f00000001015"
    const mint = "335f5260016020527f" + "00".repeat(15) + "ff".repeat(17) + "60405f2055"
    const choose = "5f3560e01c63f111111114"
    const minted = end + test.length / 2 + 4 + HEAD.length / 2 - 1 + 3
    const answer = minted + 1 + mint.length / 2 + choose.length / 2 + 4 + 3
    const [go, stay] = [`61${hex(minted)}57${HEAD.slice(2)}600456`, `61${hex(answer)}575f5ffd5b00`]
    const built = `0x61${hex(end)}565b${rest}${test}${go}5b${mint}${choose}${stay}`
    expect(built.slice(2 + 2 * minted, 4 + 2 * minted)).toBe("5b")
    expect(built.slice(2 + 2 * answer, 4 + 2 * answer)).toBe("5b")
    const { conservation } = analyseCode(built as Hex).proof
    expect(conservation.holes).toMatchObject([{ selector: "0xf1111111", kind: "creates" }])
  })
})

describe.each(sly.ways)("what no call that only looks may do, compiled %s", (way) => {
  it.each([
    ["5f5f5d", "keeps something for the transaction"],
    ["5f5fa0", "tells something"]
  ])("0x%s keeps reading a balance from being proven, before its function is chosen: it %s", (acts) => {
    const { rest, end } = beheaded(sly.codeOf(way, "HonestSly"))
    const { transferPath } = analyseCode(
      `0x61${end.toString(16).padStart(4, "0")}565b${rest}5b${acts}${HEAD.slice(2)}600456`
    ).proof
    expect(transferPath.holes).toMatchObject([{ selector: "0x70a08231" }])
  })
})

describe.each(sly.ways)("a function that is jumped to by the call's own word, compiled %s", (way) => {
  it("keeps balances from being proven", () => {
    const { rest, end } = beheaded(sly.codeOf(way, "HonestSly"))
    const at = end.toString(16).padStart(4, "0")
    const choose = `5b5f3560e01c63f11111111460043557${HEAD.slice(2)}600456`
    const { conservation } = analyseCode(`0x61${at}565b${rest}${choose}`).proof
    expect(conservation.holes).not.toEqual([])
  })
})

describe.each(sly.ways)("a switch in a transfer that leaves no room on the stack, compiled %s", (way) => {
  const code = sly.codeOf(way, "HonestSly")
  const hex = (n: number): string => n.toString(16).padStart(4, "0")
  const [chosen, entry] = /63a9059cbb1461([0-9a-f]{4})57/.exec(code) ?? []
  const end = (code.length - 2) / 2

  /** Transfers that fill the stack with so many words and one more, by an instruction, where slot 99 says so. */
  const switched = (words: number, op: string): Hex => {
    const full = `5b${"5f".repeat(words)}${op}${"50".repeat(words + 1)}61${entry}56`
    const asked = `5b60635461${hex(end + 12)}5761${entry}56`
    return `0x${code.slice(2).replace(chosen ?? "-", `63a9059cbb1461${hex(end)}57`)}${asked}${full}`
  }

  it.each(["46", "5f", "33"])("keeps transfers from being proven, with 0x%s", (op) => {
    expect(analyseCode(switched(1_022, op)).proof.transferPath.holes).toEqual([])
    expect(analyseCode(switched(1_023, op)).proof.transferPath.holes).not.toEqual([])
  })
})
