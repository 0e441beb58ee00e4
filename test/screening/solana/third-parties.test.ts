/** What third parties say, whatever it is: a ping tells nothing a deep report would deny, and a lie buys no trust. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as fc from "fast-check"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { emptyReport, pairOf, placeCleanToken } from "../../support/solana/clean-token.ts"
import { placeRange } from "../../support/solana/concentrated.ts"
import { wallet } from "../../support/solana/encode.ts"
import type { Behaviour } from "../../support/solana/fake-node.ts"
import type { FakeWorld, Outage } from "../../support/solana/fake-world.ts"
import { makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { hazards } from "../../support/solana/hazards/hazards.ts"
import { reputation } from "../../support/solana/hazards/reputation.ts"
import { honest } from "../../support/solana/honest/honest.ts"

const outages: ReadonlyArray<Outage> = ["dexscreener", "rugcheck", "largest", "programs", "simulation"]
const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.constant({}),
  fc.record({ loss: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({
    refusal: fc.record({
      leg: fc.constantFrom("account" as const, "buy" as const, "transfer" as const, "sell" as const),
      whom: fc.constantFrom("fresh" as const, "holders" as const, "all" as const),
      error: fc.constantFrom(
        { Custom: 6001 },
        { Custom: 3012 },
        "InvalidAccountData",
        "UnsupportedProgramId"
      ),
      silent: fc.boolean()
    })
  })
)

/** RugCheck and market data praise the token, and list pools that do not exist. */
const praise = (world: FakeWorld, mint: SolanaAddress): void => {
  const told = world.reports.get(mint) ?? emptyReport
  const markets = (world.pairs.get(mint) ?? []).map(({ pairAddress }) => ({
    pubkey: pairAddress,
    marketType: "raydium",
    lpLockedPct: 100,
    quoteUsd: 9_000_000,
    baseUsd: 9_000_000,
    lpMint: wallet("whatever"),
    vaults: []
  }))
  world.reports.set(mint, {
    ...told,
    rugged: false,
    risks: [],
    markets: [...told.markets.map((market) => ({ ...market, lpLockedPct: 100 })), ...markets],
    topHolders: [{ address: wallet("one"), owner: wallet("one"), pct: 0.1, insider: false }],
    insiderNetworks: [],
    graphInsidersDetected: 0,
    creatorBalance: 0,
    scoreNormalised: 0
  })
  const listed = (world.pairs.get(mint) ?? []).map((pair) => ({ ...pair, liquidityUsd: 9_000_000 }))
  const ghost = pairOf(wallet("ghost pool"), at.USDC, {
    priceUsd: null,
    liquidityUsd: 9_000_000,
    liquidityQuote: 4_500_000,
    createdAt: 1
  })
  world.pairs.set(mint, [...listed, ghost])
}

/** What the chain shows by itself; the rest is danger that only RugCheck knows of. */
const onChain = Object.entries(hazards).filter(
  ([name]) => !name.startsWith("RugCheck") && !(name in reputation)
)

describe("praise by third parties", () => {
  const cases = fc.sample(fc.tuple(fc.constantFrom(...onChain), behaviour), 14)
  it.effect("never makes a hazard on chain allowed", () =>
    Effect.forEach(cases, ([[name, scenario], behaves]) =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        world.behaviour = behaves
        const mint = yield* scenario(world)
        praise(world, mint)
        const { safe, verdict } = yield* screenIn(world, mint)
        expect({ name, behaves, allowed: verdict === "allow" || safe === true }).toEqual({
          name,
          behaves,
          allowed: false
        })
      })
    )
  )
})

describe("a ping", () => {
  const worlds = Object.entries({ ...hazards, ...honest })
  const cases = fc.sample(fc.tuple(fc.constantFrom(...worlds), fc.subarray([...outages]), behaviour), 10)
  it.effect("calls safe what a report allows, and nothing else, whichever sources are silent", () =>
    Effect.forEach(cases, ([[name, scenario], silent, behaves]) =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        world.behaviour = behaves
        for (const source of silent) world.down.add(source)
        const mint = yield* scenario(world)
        const answer = yield* Effect.exit(screenIn(world, mint))
        if (!Exit.isSuccess(answer)) return
        const { safe, verdict } = answer.value
        const said = { name, silent, behaves }
        expect({ ...said, safe: safe === true }).toEqual({ ...said, safe: verdict === "allow" })
      })
    )
  )
})

describe("liquidity of which market data knows little", () => {
  const rows = [
    ["less than half, has just been put in or already been taken out", 24_000, null, "caution"],
    ["nothing at all, likewise", 0, null, "caution"],
    ["more than half, moves as markets do", 26_000, true, "allow"],
    ["no figure, is not denied", null, true, "allow"]
  ] as const
  for (const [name, liquidityQuote, safe, verdict] of rows) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world)
        const pairs = (world.pairs.get(mint) ?? []).map((pair) => ({ ...pair, liquidityQuote }))
        world.pairs.set(mint, pairs)
        expect(yield* screenIn(world, mint)).toMatchObject({ safe, verdict })
      })
    )
  }
})

describe("SOL, of which neither the chain nor market data tells a price", () => {
  it.effect("has none by a pool of positions, whose two sides stand in any proportion", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint, pool } = placeRange(world, {
        label: "any proportion",
        kind: "clmm",
        sol: 2,
        providers: [{ owner: at.RAYDIUM_POSITION_LOCK, sol: 2 }]
      })
      for (const address of at.SOL_USDC_POOLS) world.accounts.delete(address)
      const figures = { priceUsd: 0.000_001_5, liquidityBase: 20_000_000_000, liquidityQuote: 2 }
      world.pairs.set(mint, [pairOf(pool, at.WSOL, { labels: ["CLMM"], ...figures })])
      const { safe, screening } = yield* screenIn(world, mint)
      expect(screening).toMatchObject({ liquidityUsd: 0, priceUsd: null })
      expect(safe).not.toBe(true)
    })
  )
})

describe("pairs in which market data calls the token the quote", () => {
  const turned = (address: SolanaAddress, base: SolanaAddress, liquidityQuote: number) =>
    pairOf(address, base, {
      isInverted: true,
      priceUsd: null,
      liquidityQuote,
      liquidityUsd: 2 * liquidityQuote
    })

  it.effect("tell nothing of it where the other is some coin's, however much is said to lie there", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      const coins = [1, 2, 3].map((coin) => turned(wallet(`pool ${coin}`), wallet(`coin ${coin}`), 9e6))
      world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), ...coins])
      const { screening, verdict } = yield* screenIn(world, mint)
      expect(verdict).toBe("allow")
      expect(screening.signals.find(({ id }) => id === "WORTHLESS_QUOTES")?.state).toBe("pass")
    })
  )

  it.effect("are its market where the other is SOL or a dollar: there is a pool that was not read", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      const market = turned(wallet("pool against dollars"), at.USDC, 200_000)
      world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), market])
      const { screening, verdict } = yield* screenIn(world, mint)
      expect(verdict).toBe("caution")
      expect(screening.signals.find(({ id }) => id === "UNREAD_VENUE")?.state).toBe("unknown")
    })
  )
})
