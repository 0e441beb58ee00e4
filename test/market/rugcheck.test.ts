import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { market, MINT } from "../support/market/fixtures.ts"
import { type Answer, json, serve } from "../support/market/upstream.ts"

const report = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  mint: MINT,
  tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  creator: "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
  token: { mintAuthority: null, supply: 1e15, decimals: 6, isInitialized: true, freezeAuthority: null },
  token_extensions: null,
  tokenMeta: {
    name: "A coin",
    symbol: "COIN",
    uri: "https://example.test",
    mutable: true,
    updateAuthority: ""
  },
  creatorBalance: 12,
  insiderNetworks: [{ id: "n", size: 7, type: "transfer", tokenAmount: 2 ** 60, activeAccounts: 3 }],
  graphInsidersDetected: 7,
  totalHolders: 31,
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
      liquidityA: "a",
      liquidityB: ["no text"],
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
        risksAreWhole: true,
        markets: [
          {
            pubkey: "p",
            marketType: "raydium_cpmm",
            lpLockedPct: 99.5,
            quoteUsd: 5,
            baseUsd: 6,
            lpMint: "l",
            vaults: ["a"]
          }
        ],
        topHolders: [{ address: "a", owner: "w", pct: 20.2, insider: false }],
        knownAccounts: { "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1": { type: "AMM" } },
        creator: "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
        price: 1.2e-7,
        transferFeePct: 0,
        called: { name: "A coin", symbol: "COIN" },
        creatorBalance: 12,
        insiderNetworks: [{ size: 7, tokenAmount: 2 ** 60 }],
        graphInsidersDetected: 7,
        totalHolders: 31
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

  it.scopedLive.each([
    ["absent", undefined],
    ["no list", {}],
    ["nested arrays", [[[[]]]]],
    ["partly odd", [null, { name: "R", level: "warn" }]],
    ["of no level", [{ name: "R", level: "warn" }, { name: "S" }]],
    ["longer than is read", Array.from({ length: 60 }, () => ({ name: "R", level: "warn" }))]
  ])("says that risks which are %s are not all of them", ([, risks]) =>
    Effect.gen(function* () {
      const found = Option.getOrThrow(yield* rugReportOf(json(report({ risks }))))
      expect(found.risksAreWhole).toBe(false)
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
        vaults: [],
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
