import { NodeHttpClient } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Layer, Option, Schema } from "effect"
import { MarketData } from "../../src/market/market-data.ts"
import { MarketDataLive, makeMarketData, marketConfig } from "../../src/market/market-data-live.ts"
import { SolanaAddress } from "../../src/domain/address.ts"
import { TokenRef } from "../../src/domain/token.ts"
import { type Answer, drop, flood, hang, json, raw, serve, stall } from "./upstream.ts"

const WETH = Schema.decodeUnknownSync(TokenRef)({
  chain: "base",
  address: "0x4200000000000000000000000000000000000006"
})
const MINT = Schema.decodeUnknownSync(SolanaAddress)("7YygHaahTXKGDFNZcKVZzPnDWyNuUzGJvEiWRXLFpump")
const MINT_REF: TokenRef = { chain: "solana", address: MINT }
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"

const pair = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
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
const market = (url: string) =>
  Effect.flatMap(Layer.build(NodeHttpClient.layerUndici), (client) =>
    Effect.provide(makeMarketData({ dexscreenerUrl: url, rugcheckUrl: url }), client)
  )

const pairsOf = (answer: Answer, token: TokenRef = WETH) =>
  Effect.gen(function* () {
    const { url } = yield* serve(answer)
    return yield* (yield* market(url)).pairs(token)
  })

const failureOf = (...answers: readonly [Answer, ...ReadonlyArray<Answer>]) =>
  Effect.gen(function* () {
    const { url, seen } = yield* serve(...answers)
    const error = yield* Effect.flip((yield* market(url)).pairs(WETH))
    return { kind: error.kind, upstream: error.upstream, requests: seen.length }
  })

describe("DexScreener", () => {
  it.scopedLive("reads a recorded pair, asking for the token under its chain", () =>
    Effect.gen(function* () {
      const { url, seen } = yield* serve(json([pair()]))
      const pairs = yield* (yield* market(url)).pairs(WETH)
      expect(seen.map((request) => request.url)).toEqual([`/token-pairs/v1/base/${WETH.address}`])
      expect(pairs).toEqual([
        {
          dexId: "uniswap",
          labels: ["v3"],
          pairAddress: "0xd0b53d9277642d899df5c87a3966a349a798f224",
          quoteAddress: USDC.toLowerCase(),
          priceUsd: 3012.5,
          liquidityUsd: 10.31,
          liquidityBase: 343_909,
          liquidityQuote: 0.03828,
          createdAt: 1_744_919_973_000
        }
      ])
    })
  )

  it.scopedLive("sends neither cookies nor trace headers", () =>
    Effect.gen(function* () {
      const { url, seen } = yield* serve(raw("[]", 200, { "set-cookie": "a=b" }))
      const source = yield* market(url)
      yield* Effect.withSpan(Effect.zipRight(source.pairs(WETH), source.pairs(WETH)), "caller")
      const names = seen.flatMap((request) => Object.keys(request.headers))
      expect(names).toContain("accept")
      expect(names.filter((name) => /cookie|traceparent|b3/.test(name))).toEqual([])
    })
  )

  it.scopedLive("leaves out pairs in which the token is the quote", () =>
    Effect.gen(function* () {
      const swapped = pair({ baseToken: { address: USDC }, quoteToken: { address: WETH.address } })
      expect(yield* pairsOf(json([swapped]))).toEqual([])
    })
  )

  it.scopedLive("leaves out pairs of another chain", () =>
    Effect.gen(function* () {
      expect(yield* pairsOf(json([pair({ chainId: "ethereum" }), pair()]))).toHaveLength(1)
    })
  )

  it.scopedLive("compares Base addresses in any letter case, Solana mints exactly", () =>
    Effect.gen(function* () {
      const upper = { address: `0x${WETH.address.slice(2).toUpperCase()}` }
      expect(yield* pairsOf(json([pair({ baseToken: upper })]))).toHaveLength(1)
      const onSolana = (address: string) => pair({ chainId: "solana", baseToken: { address } })
      expect(yield* pairsOf(json([onSolana(MINT.toLowerCase())]), MINT_REF)).toHaveLength(0)
      expect(yield* pairsOf(json([onSolana(MINT)]), MINT_REF)).toHaveLength(1)
    })
  )

  it.scopedLive("gives null, not zero, for liquidity, price, quote and age that are absent", () =>
    Effect.gen(function* () {
      const bare = { pairAddress: "0x1", baseToken: { address: WETH.address } }
      expect(yield* pairsOf(json([bare]))).toEqual([
        {
          dexId: "unknown",
          labels: [],
          pairAddress: "0x1",
          quoteAddress: null,
          priceUsd: null,
          liquidityUsd: null,
          liquidityBase: null,
          liquidityQuote: null,
          createdAt: null
        }
      ])
    })
  )

  it.scopedLive.each([
    "NaN",
    "-1",
    "0",
    "Infinity",
    "",
    " 1",
    "0x10",
    "1e999",
    "1".repeat(60),
    null,
    {},
    [1],
    -1
  ])("takes %j for no price, and keeps the pair", (priceUsd) =>
    Effect.gen(function* () {
      const [found] = yield* pairsOf(json([pair({ priceUsd })]))
      expect(found?.priceUsd).toBeNull()
      expect(found?.liquidityUsd).toBe(10.31)
    })
  )

  it.scopedLive("takes infinite, negative and odd liquidity for none", () =>
    Effect.gen(function* () {
      const body = JSON.stringify([pair({ liquidity: { usd: "HUGE", base: -5, quote: "7" } })])
      const [found] = yield* pairsOf(raw(body.replace('"HUGE"', "1e999")))
      expect([found?.liquidityUsd, found?.liquidityBase, found?.liquidityQuote]).toEqual([null, null, null])
    })
  )

  it.scopedLive("one broken pair does not lose the others", () =>
    Effect.gen(function* () {
      const broken = [null, 1, "x", {}, [], pair({ baseToken: null }), pair({ pairAddress: 5 })]
      expect(yield* pairsOf(json([...broken, pair({ labels: null, quoteToken: "?" }), pair()]))).toHaveLength(
        2
      )
    })
  )

  it.scopedLive("an empty list and a 404 say that no pair is known", () =>
    Effect.gen(function* () {
      expect(yield* pairsOf(json([]))).toEqual([])
      expect(yield* pairsOf(json({ error: "not found" }, 404))).toEqual([])
    })
  )

  it.scopedLive.each(["", "<html>", "null", "{}", '{"pairs":null}', '"[]"', "[1", "\u0000"])(
    "a body of %j is malformed",
    (body) =>
      Effect.gen(function* () {
        expect(yield* failureOf(raw(body))).toEqual({
          kind: "malformed",
          upstream: "dexscreener",
          requests: 1
        })
      })
  )

  it.scopedLive("an endless body is cut off", () =>
    Effect.gen(function* () {
      expect((yield* failureOf(flood)).kind).toBe("malformed")
    })
  )

  it.scopedLive("tries again after 500, 429 and a broken connection, and no more than three times", () =>
    Effect.gen(function* () {
      expect(yield* failureOf(json({}, 500))).toMatchObject({ kind: "transport", requests: 3 })
      expect(yield* failureOf(json({}, 429))).toMatchObject({ kind: "rate-limited", requests: 3 })
      expect((yield* failureOf(drop)).kind).toBe("transport")
      const { url, seen } = yield* serve(json({}, 503), json({}, 429), json([pair()]))
      expect(yield* (yield* market(url)).pairs(WETH)).toHaveLength(1)
      expect(seen).toHaveLength(3)
    })
  )

  it.scopedLive("does not repeat what will not change", () =>
    Effect.gen(function* () {
      expect(yield* failureOf(json({}, 403))).toMatchObject({ kind: "rejected", requests: 1 })
    })
  )

  it.scopedLive("does not follow redirects", () =>
    Effect.gen(function* () {
      const inner = yield* serve(json([pair()]))
      const outcome = yield* failureOf(raw("", 302, { location: `${inner.url}/internal` }))
      expect(outcome).toMatchObject({ kind: "rejected", requests: 1 })
      expect(inner.seen).toHaveLength(0)
    })
  )

  it.scopedLive("gives up on a service that hangs before or within its answer", () =>
    Effect.gen(function* () {
      const outcomes = yield* Effect.all([failureOf(hang), failureOf(stall)], { concurrency: 2 })
      expect(outcomes.map(({ kind }) => kind)).toEqual(["timeout", "timeout"])
    })
  )

  it.scopedLive("stops asking a service that keeps failing", () =>
    Effect.gen(function* () {
      const { url, seen } = yield* serve(json({}, 500))
      const source = yield* market(url)
      const kinds = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        Effect.map(Effect.flip(source.pairs(WETH)), ({ kind }) => kind)
      )
      expect(kinds).toEqual(["transport", "circuit-open", "circuit-open", "circuit-open"])
      expect(seen).toHaveLength(5)
    })
  )

  it.scopedLive("asks at most 16 at a time", () =>
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const slow: Answer = (_request, response) => {
        open += 1
        most = Math.max(most, open)
        setTimeout(() => {
          open -= 1
          response.end("[]")
        }, 30)
      }
      const { url } = yield* serve(slow)
      const source = yield* market(url)
      yield* Effect.forEach(Array.from({ length: 60 }), () => source.pairs(WETH), {
        concurrency: "unbounded"
      })
      expect(most).toBeLessThanOrEqual(16)
      expect(most).toBeGreaterThan(1)
    })
  )
})

const report = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  mint: MINT,
  tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  creator: "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
  token: { mintAuthority: null, supply: 1e15, decimals: 6, isInitialized: true, freezeAuthority: null },
  token_extensions: null,
  topHolders: [{ address: "a", amount: 0, pct: 20.2, uiAmount: 0, owner: "w", insider: false }],
  freezeAuthority: null,
  mintAuthority: null,
  risks: [{ name: "Low Liquidity", value: "$0.41", description: "…", score: 1990, level: "danger" }],
  score: 1991,
  score_normalised: 29,
  markets: [
    {
      pubkey: "p",
      marketType: "raydium_cpmm",
      mintLP: "l",
      lp: { lpMint: "l", quoteUSD: 5, baseUSD: 6, lpLockedPct: 99.5, lpLocked: 1e18 }
    }
  ],
  price: 1.2e-7,
  rugged: false,
  transferFee: { pct: 0, maxAmount: 0, authority: "11111111111111111111111111111111" },
  knownAccounts: { "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1": { name: "Pool", type: "AMM" } },
  ...over
})

const rugReportOf = (answer: Answer) =>
  Effect.gen(function* () {
    const { url } = yield* serve(answer)
    return yield* (yield* market(url)).rugReport(MINT)
  })

describe("RugCheck", () => {
  it.scopedLive("reads a recorded report", () =>
    Effect.gen(function* () {
      const { url, seen } = yield* serve(json(report()))
      const found = yield* (yield* market(url)).rugReport(MINT)
      expect(seen.map((request) => request.url)).toEqual([`/tokens/${MINT}/report`])
      expect(Option.getOrNull(found)).toEqual({
        mintAuthority: null,
        freezeAuthority: null,
        scoreNormalised: 29,
        rugged: false,
        risks: [{ name: "Low Liquidity", level: "danger", score: 1990 }],
        markets: [
          { pubkey: "p", marketType: "raydium_cpmm", lpLockedPct: 99.5, quoteUsd: 5, baseUsd: 6, lpMint: "l" }
        ],
        topHolders: [{ address: "a", owner: "w", pct: 20.2, insider: false }],
        knownAccounts: { "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1": { type: "AMM" } },
        creator: "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
        price: 1.2e-7,
        transferFeePct: 0
      })
    })
  )

  it.scopedLive("400 and 404 say that the mint is not known", () =>
    Effect.gen(function* () {
      expect(yield* rugReportOf(json({ error: "invalid mint" }, 400))).toEqual(Option.none())
      expect(yield* rugReportOf(json({ error: "not found" }, 404))).toEqual(Option.none())
    })
  )

  it.scopedLive("never takes an absent authority for a revoked one", () =>
    Effect.gen(function* () {
      const { mintAuthority: _mint, freezeAuthority: _freeze, token: _token, ...summary } = report()
      const found = Option.getOrThrow(yield* rugReportOf(json(summary)))
      expect([found.mintAuthority, found.freezeAuthority]).toEqual([undefined, undefined])
      const odd = Option.getOrThrow(
        yield* rugReportOf(json({ ...summary, mintAuthority: 5, freezeAuthority: {} }))
      )
      expect([odd.mintAuthority, odd.freezeAuthority]).toEqual([undefined, undefined])
    })
  )

  it.scopedLive("believes the worse of two contradicting authorities", () =>
    Effect.gen(function* () {
      const found = Option.getOrThrow(
        yield* rugReportOf(
          json(report({ mintAuthority: null, token: { mintAuthority: "X", freezeAuthority: null } }))
        )
      )
      expect(found.mintAuthority).toBe("X")
      expect(found.freezeAuthority).toBeNull()
    })
  )

  it.scopedLive("knows all holders or none", () =>
    Effect.gen(function* () {
      const good = { address: "a", pct: 1 }
      const holders = (list: unknown) =>
        Effect.map(
          rugReportOf(json(report({ topHolders: list }))),
          (found) => Option.getOrThrow(found).topHolders
        )
      expect(yield* holders([good])).toEqual([{ address: "a", owner: null, pct: 1, insider: false }])
      expect(yield* holders([good, { address: "b" }])).toBeNull()
      expect(yield* holders(null)).toBeNull()
      expect(yield* holders([])).toEqual([])
    })
  )

  it.scopedLive("takes fields of odd types for unknown, and keeps the rest", () =>
    Effect.gen(function* () {
      const found = Option.getOrThrow(
        yield* rugReportOf(
          json(
            report({
              score_normalised: "29",
              rugged: "no",
              risks: [null, { name: "R" }],
              markets: [
                {},
                { pubkey: "p", lp: { lpLockedPct: 101, quoteUSD: -1 } },
                { pubkey: "q", lp: null }
              ],
              knownAccounts: { nonsense: { type: "AMM" }, [MINT]: 5 },
              price: 0,
              transferFee: []
            })
          )
        )
      )
      const nothing = {
        lpLockedPct: null,
        quoteUsd: null,
        baseUsd: null,
        lpMint: null,
        marketType: "unknown"
      }
      expect(found).toMatchObject({
        mintAuthority: null,
        scoreNormalised: null,
        rugged: null,
        risks: [{ name: "R", level: "", score: 0 }],
        markets: [
          { ...nothing, pubkey: "p" },
          { ...nothing, pubkey: "q" }
        ],
        knownAccounts: {},
        price: null,
        transferFeePct: null
      })
    })
  )

  it.scopedLive.each([
    [report({ mint: "So11111111111111111111111111111111111111112" })],
    [[]],
    ["x"],
    [null],
    [7]
  ])("a body that is no report on this mint is malformed (%#)", (body) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(rugReportOf(json(body)))
      expect([error.upstream, error.kind]).toEqual(["rugcheck", "malformed"])
    })
  )
})

describe("market configuration", () => {
  const read = (env: Record<string, string>) =>
    Effect.withConfigProvider(marketConfig, ConfigProvider.fromMap(new Map(Object.entries(env))))

  it.effect("defaults to the public services and drops a trailing slash", () =>
    Effect.gen(function* () {
      expect(yield* read({})).toEqual({
        dexscreenerUrl: "https://api.dexscreener.com",
        rugcheckUrl: "https://api.rugcheck.xyz/v1"
      })
      expect((yield* read({ RUGCHECK_URL: "http://127.0.0.1:1/v1/" })).rugcheckUrl).toBe(
        "http://127.0.0.1:1/v1"
      )
    })
  )

  it.effect.each(["", "example.com", "ftp://example.com", "file:///etc/passwd", "https://a/?key=1"])(
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
