import type { HttpClient } from "@effect/platform"
import { Config, type ConfigError, Effect, Either, Layer } from "effect"
import { invalid } from "../domain/settings.ts"
import { pairsFrom } from "./dexscreener.ts"
import { makeJsonSource } from "./json-source.ts"
import { MarketData } from "./market-data.ts"
import { reportFrom } from "./rugcheck.ts"

const isServiceUrl = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (url?.protocol === "https:" || url?.protocol === "http:") && url.search === "" && url.hash === ""
}

const serviceUrl = (name: string, fallback: string) =>
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) =>
      isServiceUrl(text)
        ? Either.right(text.replace(/\/+$/, ""))
        : invalid(name, "must be an http(s) URL without query or fragment")
    ),
    Config.withDefault(fallback)
  )

/** `DEXSCREENER_URL` and `RUGCHECK_URL`, without a trailing slash. */
export const marketConfig = Config.all({
  dexscreenerUrl: serviceUrl("DEXSCREENER_URL", "https://api.dexscreener.com"),
  rugcheckUrl: serviceUrl("RUGCHECK_URL", "https://api.rugcheck.xyz/v1")
})
export type MarketSettings = Config.Config.Success<typeof marketConfig>

/** Parsing blocks the event loop: half a megabyte takes a few milliseconds, and no honest answer is longer. */
const MAX_BODY_BYTES = 512 * 1024

/** DexScreener answers an unknown token with an empty list, RugCheck with 400 or 404. */
export const makeMarketData = Effect.fnUntraced(function* (settings: MarketSettings) {
  const dexscreener = yield* makeJsonSource({
    upstream: "dexscreener",
    baseUrl: settings.dexscreenerUrl,
    absentStatuses: new Set([404]),
    maxBodyBytes: MAX_BODY_BYTES
  })
  const rugcheck = yield* makeJsonSource({
    upstream: "rugcheck",
    baseUrl: settings.rugcheckUrl,
    absentStatuses: new Set([400, 404]),
    maxBodyBytes: MAX_BODY_BYTES
  })
  const pairs = pairsFrom(dexscreener)
  const rugReport = reportFrom(rugcheck)
  return MarketData.of({
    pairs: Effect.fn("MarketData.pairs")((token) => pairs(token)),
    rugReport: Effect.fn("MarketData.rugReport")((mint) => rugReport(mint))
  })
})

export const MarketDataLive: Layer.Layer<MarketData, ConfigError.ConfigError, HttpClient.HttpClient> =
  Layer.effect(MarketData, Effect.flatMap(marketConfig, makeMarketData))
