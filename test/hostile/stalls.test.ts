import { NodeHttpClient } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted, Schema } from "effect"
import { readFileSync } from "node:fs"
import type { Hex } from "viem"
import { makeBaseRpcWith } from "../../src/chain/base-rpc.ts"
import { TokenRef } from "../../src/domain/token.ts"
import { MarketData } from "../../src/market/market-data.ts"
import { MarketDataLive } from "../../src/market/market-data-live.ts"
import { makeThreads, DEFAULT_THREADS } from "../../src/screening/base/analysis/threads.ts"
import { builtThread } from "../support/base/analysis/thread.ts"
import { raw, serve } from "../support/market/upstream.ts"

/** Milliseconds nothing may block the event loop for. */
const LONGEST_STALL = 50
/** What helps us may be kept waiting now and then, as collectors are; what is our own doing, every attempt shows. */
const ATTEMPTS = 10
const RESOLUTION = 1

/** Milliseconds that this thread was ready to go on and others had the processor; none where the system does not tell. */
const waited = (): number => {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[1]) / 1e6
  } catch {
    return 0
  }
}

/** The longest stall of the event loop while this runs, milliseconds, but for what others had the processor in it. */
const stallDuring = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    let longest = 0
    let last = performance.now() - waited()
    const look = () => {
      const now = performance.now() - waited()
      longest = Math.max(longest, now - last)
      last = now
    }
    const ticking = setInterval(look, RESOLUTION)
    yield* Effect.sleep("20 millis")
    longest = 0
    yield* Effect.exit(work)
    yield* Effect.sleep("10 millis")
    clearInterval(ticking)
    look()
    return longest - RESOLUTION
  })

/** The shortest of the longest stalls of some attempts; the first one warms up. */
const ownStall = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    let least = Number.POSITIVE_INFINITY
    yield* Effect.exit(work)
    for (let attempt = 0; attempt < ATTEMPTS && least > LONGEST_STALL; attempt++)
      least = Math.min(least, yield* stallDuring(work))
    return least
  })

const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`
const list = (item: string, bytes: number): string =>
  `[${Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join(",")}]`

const pair = JSON.stringify({
  chainId: "base",
  dexId: "uniswap",
  pairAddress: "0x4200000000000000000000000000000000000006",
  baseToken: { address: "0x4200000000000000000000000000000000000006", symbol: "x".repeat(64) },
  quoteToken: { address: "0x4200000000000000000000000000000000000006" },
  priceUsd: "1",
  liquidity: { usd: 1 }
})

const LISTS: ReadonlyArray<readonly [string, string]> = [
  ["a list of nothings", list("{}", 500_000)],
  ["four megabytes of numbers", list("1", 4_000_000)],
  ["a list of pairs as long as may come", list(pair, 500_000)],
  ["nested lists", deep(200_000)],
  ["a list of nested lists", list(deep(60), 500_000)],
  ["one member with a million backslashes", `["${"\\\\".repeat(240_000)}"]`],
  [
    "an object of as many members",
    `{${Array.from({ length: 40_000 }, (_, index) => `"${index}":1`).join(",")}}`
  ]
]

const TOKEN = Schema.decodeUnknownSync(TokenRef)({
  chain: "base",
  address: "0x4200000000000000000000000000000000000006"
})

describe("nothing an upstream answers stalls the event loop", () => {
  it.scopedLive.each(LISTS)("market data: %s", ([_name, body]) =>
    Effect.gen(function* () {
      const { url } = yield* serve(raw(body, 200, { "content-type": "application/json" }))
      const config = ConfigProvider.fromMap(
        new Map([
          ["DEXSCREENER_URL", url],
          ["RUGCHECK_URL", url]
        ])
      )
      const live = MarketDataLive.pipe(
        Layer.provide(NodeHttpClient.layerUndici),
        Layer.provide(Layer.setConfigProvider(config))
      )
      // A new source each time: a breaker would spare it the work.
      const ask = Effect.flatMap(MarketData, ({ pairs }) => pairs(TOKEN)).pipe(
        Effect.provide(Layer.fresh(live))
      )
      expect(yield* ownStall(ask)).toBeLessThanOrEqual(LONGEST_STALL)
    })
  )

  it.scopedLive.each(LISTS)("a node: %s", ([_name, body]) =>
    Effect.gen(function* () {
      const answer = `{"jsonrpc":"2.0","id":0,"result":${body}}`
      const { url } = yield* serve(raw(answer, 200, { "content-type": "application/json" }))
      const rpc = yield* makeBaseRpcWith({
        urls: [Redacted.make(url)],
        timeout: "4 seconds",
        concurrency: 8
      })
      expect(yield* ownStall(rpc.blockNumber)).toBeLessThanOrEqual(LONGEST_STALL)
    })
  )
})

/** As large as code may be, and each a way to make its reader work. */
const CODES: Readonly<Record<string, Hex>> = {
  branches: `0x${Array.from({ length: 3_000 }, (_, index) => {
    const next = (8 * (index + 1)).toString(16).padStart(4, "0")
    return `60${(index % 256).toString(16).padStart(2, "0")}3561${next}575b`
  }).join("")}00`,
  "nested words": `0x33${"5f3501".repeat(8_000)}8015615dd257805f555b00`,
  destinations: `0x${"5b".repeat(24_576)}`,
  loops: `0x5f${"5b8035600101803557".repeat(2_500)}00`
}

describe("no code stalls the event loop", () => {
  it.scopedLive("however it is written", () =>
    Effect.gen(function* () {
      const threads = yield* makeThreads({ ...DEFAULT_THREADS, start: yield* builtThread })
      for (const code of Object.values(CODES))
        for (const task of ["findings", "no-way-out"] as const)
          expect(yield* ownStall(threads.run(task, code))).toBeLessThanOrEqual(LONGEST_STALL)
    })
  )
})
