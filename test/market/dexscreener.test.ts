import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import type { TokenRef } from "../../src/domain/token.ts"
import { withoutPauses } from "../support/clocks.ts"
import { market, MINT, MINT_REF, pair, USDC, WETH } from "../support/market/fixtures.ts"
import { type Answer, drop, flood, hang, json, raw, serve, stall } from "../support/market/upstream.ts"
import { until } from "../support/test-clock.ts"

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
          createdAt: 1_744_919_973_000,
          called: { name: "Wrapped Ether", symbol: "WETH" }
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

  it.scopedLive.each([0, 1, -5, 1_744_919_973, "1744919973000", null, 1_583_020_799_999])(
    "takes %j for no time of creation: before the first pools, in another unit, or made up",
    (pairCreatedAt) =>
      Effect.gen(function* () {
        const [found] = yield* pairsOf(json([pair({ pairCreatedAt })]))
        expect(found?.createdAt).toBeNull()
      })
  )

  it.scopedLive("takes a name or a symbol alone, none that is longer than any, and keeps the pair", () =>
    Effect.gen(function* () {
      const named = (token: object) => pair({ baseToken: { address: WETH.address, ...token } })
      const found = yield* pairsOf(
        json([named({ symbol: "A" }), named({ name: "B", symbol: 7 }), named({ name: "C".repeat(200) })])
      )
      expect(found.map(({ called }) => called)).toEqual([
        { name: "", symbol: "A" },
        { name: "B", symbol: "" },
        undefined
      ])
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

  it.scopedLive.each([
    ["nested arrays", "[".repeat(2_000) + "]".repeat(2_000)],
    ["nested arrays as deep as a body can be", "[".repeat(250_000) + "]".repeat(250_000)],
    ["empty objects", `[${"{},".repeat(100_000)}{}]`],
    ["numbers", `[${"1,".repeat(200_000)}1]`]
  ] as const)("a list of %s is malformed, never an answer that there are no pairs", ([, body]) =>
    Effect.gen(function* () {
      expect((yield* failureOf(raw(body))).kind).toBe("malformed")
    })
  )

  it.scopedLive("reads no more than fifty pairs, and no more than eight labels of one", () =>
    Effect.gen(function* () {
      const labels = Array.from({ length: 1_000 }, () => "v3")
      const pairs = yield* pairsOf(json(Array.from({ length: 200 }, () => pair({ labels: ["v3"] }))))
      expect(pairs).toHaveLength(50)
      expect((yield* pairsOf(json([pair({ labels })])))[0]?.labels).toHaveLength(8)
    })
  )

  it.scopedLive("a body above half a megabyte is malformed", () =>
    Effect.gen(function* () {
      const outcome = yield* failureOf(json([pair({ url: "x".repeat(512 * 1024) })]))
      expect(outcome).toMatchObject({ kind: "malformed", requests: 1 })
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
    }).pipe(Effect.provide(withoutPauses))
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

  it.scoped.each([
    ["before", hang],
    ["within", stall]
  ] as const)("gives up on a service that hangs %s its answer", ([, answer]) =>
    Effect.gen(function* () {
      const { url, seen } = yield* serve(answer)
      const asking = yield* Effect.fork(Effect.flip((yield* market(url)).pairs(WETH)))
      yield* until(() => seen.length > 0)
      yield* TestClock.adjust("3 seconds")
      expect(yield* Fiber.join(asking)).toMatchObject({ kind: "timeout" })
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
    }).pipe(Effect.provide(withoutPauses))
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
