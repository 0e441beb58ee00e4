/** Which pools are looked at first: by the quote that is said to be in them, whatever their maker filled the other side with. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { known } from "../../../src/domain/fact.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { saidUsd } from "../../../src/screening/solana/pools/said.ts"
import { DAY, DEPLOYER, emptyReport, pairOf, placeCleanToken } from "../../support/solana/clean-token.ts"
import { encodeTokenAccount, encodeWhirlpool, wallet } from "../../support/solana/encode.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { fluxBeam } from "../../support/solana/hazards/fluxbeam.ts"
import { LP } from "../../support/solana/scenarios.ts"

/** Pools of a dollar, and of tokens that market data takes at the price that their maker set: five million each. */
const stuff = (world: FakeWorld, mint: SolanaAddress, count: number): void => {
  const stuffed = Array.from({ length: count }, (_, index) => {
    const pool = wallet(`stuffed ${index}`)
    const [tokens, dollars] = [wallet(`stuffed tokens ${index}`), wallet(`stuffed dollars ${index}`)]
    world.accounts.set(pool, encodeWhirlpool([mint, tokens, at.USDC, dollars]))
    world.accounts.set(tokens, encodeTokenAccount(mint, pool, 1000n))
    world.accounts.set(dollars, encodeTokenAccount(at.USDC, pool, 1_000_000n))
    const figures = { liquidityUsd: 5_000_000, liquidityQuote: 1, liquidityBase: 0.001, createdAt: -DAY }
    return pairOf(pool, at.USDC, { priceUsd: null, ...figures })
  })
  world.pairs.set(mint, [...stuffed, ...(world.pairs.get(mint) ?? [])])
}

const judged = (world: FakeWorld, mint: SolanaAddress) =>
  Effect.map(screenIn(world, mint), ({ safe, verdict }) => ({ safe, verdict }))

describe("pools that somebody has stuffed with the token", () => {
  it.effect("do not keep anybody from seeing that the market's LP tokens are burned", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { ageMs: DAY, lpLeft: LP, lpOwner: at.INCINERATOR })
      world.reports.set(mint, emptyReport)
      stuff(world, mint, 8)
      expect(yield* judged(world, mint)).toEqual({ safe: true, verdict: "allow" })
    })
  )

  it.effect("do not keep anybody from seeing whose they are", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { ageMs: DAY, lpLeft: LP, lpOwner: DEPLOYER })
      stuff(world, mint, 8)
      expect(yield* judged(world, mint)).toEqual({ safe: false, verdict: "caution" })
    })
  )

  it.effect("do not keep the market's own pool from being read", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const mint = yield* fluxBeam("behind many", {})(world)
      world.down.add("rugcheck")
      const alone = yield* screenIn(world, mint)
      stuff(world, mint, 26)
      const beside = yield* screenIn(world, mint)
      expect(beside.screening.liquidityUsd).toBeGreaterThanOrEqual(alone.screening.liquidityUsd)
    })
  )
})

describe("what others say lies in a pool", () => {
  const pool = wallet("pool of the market")
  const rugCheck = known({
    ...emptyReport,
    markets: [
      {
        pubkey: pool,
        marketType: "elsewhere",
        lpLockedPct: null,
        quoteUsd: 700,
        baseUsd: null,
        lpMint: null,
        vaults: []
      }
    ]
  })
  const said = (liquidityUsd: number | null, liquidityQuote: number | null) =>
    saidUsd({ market: known([pairOf(pool, at.USDC, { liquidityQuote, liquidityUsd })]), rugCheck }).get(pool)

  it("is what RugCheck says where market data gives no figure, and market data's where it does", () => {
    expect([said(null, null), said(500, null), said(null, 200), said(0, 0)]).toEqual([1400, 500, 400, 0])
  })
})
