import { NodeHttpClient } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer } from "effect"
import { MarketData } from "../../src/market/market-data.ts"
import { MarketDataLive, marketConfig } from "../../src/market/market-data-live.ts"
import { pair, WETH } from "../support/market/fixtures.ts"
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
