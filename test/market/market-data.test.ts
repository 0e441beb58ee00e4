import { NodeHttpClient } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer } from "effect"
import { MarketData } from "../../src/market/market-data.ts"
import { MarketDataLive, marketConfig } from "../../src/market/market-data-live.ts"
import { market, MINT, MINT_REF, pair, USDC, WETH } from "../support/market/fixtures.ts"
import { json, serve } from "../support/market/upstream.ts"
import { readConfig } from "../support/config.ts"

describe("market configuration", () => {
  const read = readConfig(marketConfig)

  it.effect("defaults to the public services and drops a trailing slash", () =>
    Effect.gen(function* () {
      expect(yield* read({})).toEqual({
        dexscreenerUrl: "https://api.dexscreener.com",
        rugcheckUrl: "https://api.rugcheck.xyz/v1"
      })
      // An empty variable is one that is not set, whichever it is.
      expect(yield* read({ DEXSCREENER_URL: "", RUGCHECK_URL: "" })).toEqual(yield* read({}))
      expect((yield* read({ RUGCHECK_URL: "http://127.0.0.1:1/v1/" })).rugcheckUrl).toBe(
        "http://127.0.0.1:1/v1"
      )
    })
  )

  it.effect.each([" ", "example.com", "ftp://example.com", "file:///etc/passwd", "https://a/?key=1"])(
    "refuses %j as a service URL",
    (url) =>
      Effect.gen(function* () {
        expect(Exit.isFailure(yield* Effect.exit(read({ DEXSCREENER_URL: url })))).toBe(true)
      })
  )

  it.scopedLive("is a layer over the configuration and an HTTP client", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(json([pair()]))
      const Live = MarketDataLive.pipe(
        Layer.provide(NodeHttpClient.layerUndici),
        Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["DEXSCREENER_URL", url]]))))
      )
      const pairs = yield* Effect.flatMap(MarketData, (data) => data.pairs(WETH)).pipe(Effect.provide(Live))
      expect(pairs).toHaveLength(1)
    })
  )
})

describe("a pair on Solana", () => {
  const pairsOf = (one: Record<string, unknown>) =>
    Effect.gen(function* () {
      const { url } = yield* serve(json([one]))
      return yield* (yield* market(url)).pairs(MINT_REF)
    })

  it.scopedLive("is turned round where the token is the quote: its maker chose which side is which", () =>
    Effect.gen(function* () {
      const sides = {
        chainId: "solana",
        baseToken: { address: USDC, name: "USD Coin", symbol: "USDC" },
        quoteToken: { address: MINT, name: "Honest", symbol: "HON" },
        priceUsd: "1.01",
        priceNative: "202",
        liquidity: { usd: 20_000, base: 9_900, quote: 2_000_000 }
      }
      const [turned] = yield* pairsOf(pair(sides))
      expect(turned).toMatchObject({
        isInverted: true,
        quoteAddress: USDC,
        liquidityUsd: 20_000,
        liquidityBase: 2_000_000,
        liquidityQuote: 9_900,
        called: { name: "Honest", symbol: "HON" }
      })
      expect(turned?.priceUsd).toBeCloseTo(0.005, 12)
      const [silent] = yield* pairsOf(pair({ ...sides, priceNative: null }))
      expect(silent?.priceUsd).toBeNull()
    })
  )
})
