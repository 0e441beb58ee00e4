import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { BASE_ASSETS } from "../../../src/screening/names/base-assets.ts"
import { isListedAsset, wornName } from "../../../src/screening/names/known-names.ts"
import { skeletonsOf } from "../../../src/screening/names/skeleton.ts"
import { SOLANA_ASSETS } from "../../../src/screening/names/solana-assets.ts"

const STRANGER = "0x1234567890abcdef1234567890abcdef12345678"
const worn = (symbol: string, name = "") => wornName("base", STRANGER, symbol, name)

describe("what nobody sees of a text", () => {
  it.each([
    ["Hangul fillers, which are letters by class", "USDC\u3164"],
    ["one before it", "\u1160USDC"],
    ["one in it", "US\u115fDC"],
    ["a halfwidth one before a suffix", "USDC \uffa0\uffa0\uffa0\uffa0e"],
    ["an empty Braille pattern", "US\u2800DC"],
    ["letters in white on squares", "\u{1f184}\u{1f182}\u{1f173}\u{1f172}"],
    ["letters in white on circles", "\u{1f164}\u{1f162}\u{1f153}\u{1f152}"],
    ["the halves of flags", "\u{1f1fa}\u{1f1f8}\u{1f1e9}\u{1f1e8}"],
    ["invisible letters, more than a symbol has", `${"\u200b".repeat(300)}USDC`]
  ])("does not keep it from being worn: %s", (_, symbol) => {
    expect(worn(symbol)).toBe("major")
  })

  it("does not keep a name from being worn: white space that pages leave out", () => {
    for (const space of [" ", "\u00a0", "\u3000", "\u3164", "\u200b"])
      for (const name of [`${space.repeat(100)}USD Coin`, `USD ${space.repeat(100)}Coin`])
        expect(worn("VENU", name)).toBe("major")
  })
})

describe("a symbol of several words", () => {
  it.each([
    "USDC.base",
    "USDC Base",
    "Base USDC",
    "USDC (Bridged)",
    "USDC-bridged",
    "(native) USDC",
    "ETH.base",
    "BRETT [new]"
  ])("is worn by one of them that is known, and less certain: %s", (symbol) => {
    expect(worn(symbol, "Plain")).toBe("listed")
  })

  it("stays a stranger's where none is", () => {
    for (const symbol of [
      "MOON.base",
      "UP 2",
      "Base Camp",
      "a.b-c",
      "O/K LIT",
      "TRUST ME",
      "SAFE-MOON",
      "HYPE BOY"
    ])
      expect([symbol, worn(symbol)]).toEqual([symbol, null])
  })
})

describe("a name", () => {
  it.each([
    "USDC",
    "WETH",
    "cbBTC",
    "USDC on Base",
    "USDC Coin",
    "USD Coin (Base)",
    "USD Coin v2",
    "Bridged USD Coin",
    "Wrapped ETH",
    "Wrapped Ethereum",
    "Coinbase BTC",
    "Brett (Based)",
    "Tether USDT"
  ])("of a known asset with something beside it is worn, and less certain: %s", (name) => {
    expect(worn("QQZX", name)).toBe("listed")
  })

  it("that only has to do with one is not", () => {
    for (const name of [
      "Baby Doge",
      "Doge on Base",
      "Base Camp",
      "Wrapped Up",
      "Bitcoin Pizza",
      "Solar",
      "Coinbased",
      "Sol",
      "Eth Denver"
    ])
      expect([name, worn("QQZX", name)]).toEqual([name, null])
  })
})

describe("how a text is drawn", () => {
  it.each([
    ["a trade mark", "USDC\u2122"],
    ["a service mark", "USDC\u2120"],
    ["a sign for a letter", "USD\u00a9"],
    ["another", "USD\u00a2"],
    ["two letters for one", "VVETH"],
    ["from right to left", "\u202eCDSU"],
    ["from right to left in part", "\u202eCDSU\u202c"]
  ])("does not keep it from being worn: %s", (_, symbol) => {
    expect(worn(symbol)).toBe("major")
  })

  it("does not keep a name from being worn: from right to left", () => {
    expect(worn("QQZX", "\u202enioC DSU")).toBe("major")
  })
})

describe("the list of known assets", () => {
  it("holds at least 150 assets with their true addresses on each chain, each once", () => {
    for (const assets of [BASE_ASSETS, SOLANA_ASSETS]) {
      expect(assets.length).toBeGreaterThanOrEqual(150)
      expect(new Set(assets.map(([, , address]) => address)).size).toBe(assets.length)
    }
    for (const [, , address] of BASE_ASSETS) expect(address).toMatch(/^0x[0-9a-f]{40}$/)
    for (const [, , mint] of SOLANA_ASSETS) expect(mint).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  })

  it("lets each asset wear its own name", () => {
    for (const [symbol, name, address] of BASE_ASSETS) {
      expect([symbol, wornName("base", address, symbol, name)]).toEqual([symbol, null])
      expect(isListedAsset("base", address)).toBe(true)
    }
    for (const [symbol, name, mint] of SOLANA_ASSETS) {
      expect([symbol, wornName("solana", mint, symbol, name)]).toEqual([symbol, null])
    }
  })
})

describe("a token that wears another's symbol", () => {
  it.each([
    ["usdc", "USDC", "ＵＳＤＣ", "U\u200bSDC", "USDС", "ÚSDC", "U$DC", "USD₮", "US DC", "USDÇ", "W\u0415TH"],
    ["ᴜꜱᴅᴄ", "ꓴꓢꓓꓚ", "USDC.e", "USDC-2", "cbBTC2", "USDT0", "𝐔𝐒𝐃𝐂", "US\u00adDC", "ЅОL", "wѕtETH"]
  ])("of money or a major is known in any script, spacing and version (%#)", (...symbols) => {
    for (const symbol of symbols) expect([symbol, worn(symbol)]).toEqual([symbol, "major"])
  })

  it("of another listed asset of either chain is known too, and less certain", () => {
    for (const symbol of [
      "AERO",
      "BRETT",
      "VIRTUAL",
      "DEGEN",
      "CLANKER",
      "ZORA",
      "Μorpho",
      "BОNK",
      "PEPE",
      "HIGHER",
      "LBTC",
      "sUSDe"
    ]) {
      expect([symbol, worn(symbol)]).toEqual([symbol, "listed"])
    }
  })

  it("by its name alone is known as well", () => {
    expect(worn("XYZQ", "USD Coin")).toBe("major")
    expect(worn("XYZQ", "Wrарреd  Ether")).toBe("major")
    expect(worn("XYZQ", "Aerodrome Finance")).toBe("listed")
  })

  it("is not suspected for an ordinary name", () => {
    for (const symbol of ["NICE", "PLN", "USDX", "", "ETHER", "HLNTN", "MOON", "X", "2", "---", "RATE"]) {
      expect([symbol, worn(symbol, "Plain")]).toEqual([symbol, null])
    }
  })

  it("never fails, whatever text a token gives", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(["major", "listed", null]).toContain(worn(text, text))
        for (const skeleton of skeletonsOf(text)) expect(skeleton.length).toBeGreaterThan(0)
      })
    )
  })

  it("cannot hide behind marks and invisible characters", () => {
    const invisible = fc.constantFrom("\u200b", "\u200d", "\u2060", "\u0301", "\ufe0f", "\u00ad", " ", "_")
    fc.assert(
      fc.property(fc.array(invisible, { minLength: 1, maxLength: 5 }), (signs) => {
        const text = Array.from("USDC", (letter, index) => letter + (signs[index] ?? "")).join("")
        expect(worn(text)).toBe("major")
      })
    )
  })
})
