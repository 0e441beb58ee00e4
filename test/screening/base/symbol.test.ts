import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { concatHex, encodeAbiParameters, numberToHex, parseAbiParameters, stringToHex } from "viem"
import { readTexts } from "../../../src/screening/base/reads/symbol.ts"
import { TOKEN } from "../../support/base/fixtures.ts"

const word = (value: number): Hex => numberToHex(value, { size: 32 })
const text = (value: string): Hex => encodeAbiParameters([{ type: "string" }], [value])
const told = (symbol: Hex, name: Hex = text("Venue"), others: Hex = "0x") =>
  readTexts(TOKEN).decode([symbol, name, others].map((data) => ({ ok: true, data })))

/** What a contract that asks for both is told, in Multicall3's form; null where it is refused. */
const toldOthers = (...answers: ReadonlyArray<Hex | null>): Hex =>
  encodeAbiParameters(parseAbiParameters("(bool success, bytes returnData)[]"), [
    answers.map((data) => ({ success: data !== null, returnData: data ?? "0x" }))
  ])

describe("a token's texts", () => {
  it("are strings or 32 bytes", () => {
    expect(told(text("VENU"))).toMatchObject({ wears: null, areTold: true })
    expect(told(text("USDC"))).toMatchObject({ wears: "major" })
    expect(told(stringToHex("USDC", { size: 32 }))).toMatchObject({ wears: "major" })
  })

  it("are read wherever in the answer they stand", () => {
    const far = concatHex([
      word(8192),
      `0x${"00".repeat(8192 - 32)}`,
      word(4),
      stringToHex("USDC", { size: 32 })
    ])
    expect(told(far)).toMatchObject({ wears: "major" })
  })

  it("are read behind letters that nobody sees", () => {
    expect(told(text(`${"\u200b".repeat(300)}USDC`))).toMatchObject({ wears: "major" })
    expect(told(text("VENU"), text(`${" ".repeat(300)}USD Coin`))).toMatchObject({ wears: "major" })
  })

  it("are also what contracts are told, through which exchanges' pages ask", () => {
    expect(told(text("VENU"), text("Venue"), toldOthers(text("VENU"), text("Venue")))).toMatchObject({
      wears: null,
      areTold: true
    })
    expect(told(text("VENU"), text("Venue"), toldOthers(text("USDC"), text("Venue")))).toMatchObject({
      wears: "major"
    })
    expect(told(text("VENU"), text("Venue"), toldOthers(text("VENU"), text("Brett")))).toMatchObject({
      wears: "listed"
    })
  })

  it("that depend on who asks are not told", () => {
    for (const others of [toldOthers(text("OTHR"), text("Venue")), toldOthers(null, text("Venue"))])
      expect(told(text("VENU"), text("Venue"), others)).toMatchObject({ wears: null, areTold: false })
    expect(told(text("VENU"), text("Venue"), "0x1234")).toMatchObject({ wears: null, areTold: false })
  })

  it("whose telling to contracts breaks off are not told: a token may burn what it is asked with", () => {
    const answers = [text("VENU"), text("Venue")].map((data) => ({ ok: true, data }))
    const texts = readTexts(TOKEN)
    expect(texts.decode([...answers, { ok: false, data: "0x" }])).toMatchObject({ areTold: false })
    expect(texts.decode(answers)).toMatchObject({ areTold: false })
  })

  it("that are too long to be looked through are not told", () => {
    expect(told(text(`${"\u200b".repeat(600)}USDC`))).toMatchObject({ wears: null, areTold: false })
    expect(told(concatHex([word(32), `0x${"ff".repeat(32)}`]))).toMatchObject({ areTold: false })
  })
})
