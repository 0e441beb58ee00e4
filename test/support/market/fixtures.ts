import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { SolanaAddress } from "../../../src/domain/address.ts"
import { TokenRef } from "../../../src/domain/token.ts"
import { makeMarketData } from "../../../src/market/market-data-live.ts"

export const WETH = Schema.decodeUnknownSync(TokenRef)({
  chain: "base",
  address: "0x4200000000000000000000000000000000000006"
})
export const MINT = Schema.decodeUnknownSync(SolanaAddress)("7YygHaahTXKGDFNZcKVZzPnDWyNuUzGJvEiWRXLFpump")
export const MINT_REF: TokenRef = { chain: "solana", address: MINT }
export const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"

/** A pair as DexScreener sends it. */
export const pair = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  chainId: "base",
  dexId: "uniswap",
  url: "https://dexscreener.com/base/0x1",
  pairAddress: "0xD0b53D9277642d899DF5C87A3966A349A798F224",
  labels: ["v3"],
  baseToken: { address: "0x4200000000000000000000000000000000000006", name: "Wrapped Ether", symbol: "WETH" },
  quoteToken: { address: USDC, name: "USD Coin", symbol: "USDC" },
  priceNative: "3012.5",
  priceUsd: "3012.5",
  txns: { m5: { buys: 1, sells: 2 } },
  liquidity: { usd: 10.31, base: 343_909, quote: 0.03828 },
  pairCreatedAt: 1_744_919_973_000,
  info: null,
  ...over
})

/** The client's connections live as long as the test. */
export const market = (url: string) =>
  Effect.flatMap(Layer.build(NodeHttpClient.layerUndici), (client) =>
    Effect.provide(makeMarketData({ dexscreenerUrl: url, rugcheckUrl: url }), client)
  )
