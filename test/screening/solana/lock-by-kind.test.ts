/** What a lock means for pools without LP tokens. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as at from "../../../src/screening/solana/addresses.ts"
import { deriveAddresses } from "../../../src/screening/solana/reads/pdas.ts"
import { DEPLOYER, SUPPLY, emptyReport, pairOf, placeCleanToken } from "../../support/solana/clean-token.ts"
import { burnPositionToken, placeDammPositions, placeRange } from "../../support/solana/concentrated.ts"
import {
  encodeMetadata,
  encodeMint,
  encodeTokenAccount,
  encodeWhirlpool,
  laidOut,
  wallet
} from "../../support/solana/encode.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"

describe("a lock", () => {
  it.effect("is not asked of a bonding curve, whose reserves nobody can withdraw", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const mint = wallet("on a curve")
      const derived = deriveAddresses(mint)
      world.accounts.set(mint, encodeMint({ supply: SUPPLY }))
      world.accounts.set(derived.metadata, encodeMetadata(mint, "FRESH", false))
      world.accounts.set(
        derived.curve,
        laidOut(at.program.pumpCurve, 150, [
          [0, Uint8Array.of(23, 183, 248, 55, 96, 216, 172, 96)],
          [8, 500_000_000_000_000n],
          [16, 60_000_000_000n],
          [24, 300_000_000_000_000n],
          [32, 40_000_000_000n],
          [40, SUPPLY]
        ])
      )
      const price = (60 / 500_000_000) * 150
      world.pairs.set(at.WSOL, [
        pairOf(wallet("sol pool"), at.USDC, { priceUsd: 150, liquidityQuote: 5_000_000 })
      ])
      world.pairs.set(mint, [
        pairOf(derived.curve, at.WSOL, {
          priceUsd: price,
          liquidityUsd: null,
          liquidityQuote: null,
          liquidityBase: null
        })
      ])
      world.reports.set(mint, emptyReport)
      const [vault] = derived.curveVaults
      if (vault === undefined) throw new Error("no vault")
      const buyers = Array.from({ length: 10 }, (_, index) => wallet(`buyer ${index}`))
      for (const [index, buyer] of buyers.entries())
        world.accounts.set(buyer, encodeTokenAccount(mint, wallet(`owner ${index}`), SUPPLY / 100n))
      world.largest.set(mint, [
        { address: vault, amount: (SUPPLY * 9n) / 10n },
        ...buyers.map((address) => ({ address, amount: SUPPLY / 100n }))
      ])
      const { safe, screening } = yield* screenIn(world, mint)
      expect(screening.lpLocked).toBe(true)
      expect(screening.priceUsd).toBeCloseTo(price, 9)
      expect(screening.liquidityUsd).toBe(6000)
      expect(findings(screening)).toEqual([])
      expect(safe).toBe(true)
    })
  )

  it.effect("cannot be read from a concentrated pool's positions and stays open", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint, pool, quoteVault, tokenVault } = yield* placeCleanToken(world)
      world.accounts.delete(pool)
      const whirlpool = wallet("whirlpool")
      // 50,000 USDC for 500,000,000 tokens: both have six decimals.
      const sqrtPrice = BigInt(Math.round(Math.sqrt(0.0001) * 2 ** 52)) << 12n
      world.accounts.set(
        whirlpool,
        encodeWhirlpool([mint, tokenVault, at.USDC, quoteVault], {
          liquidity: 50_000_000_000_000n,
          sqrtPrice
        })
      )
      world.pairs.set(mint, [pairOf(whirlpool, at.USDC, { priceUsd: 0.0001 })])
      const { safe, screening, verdict } = yield* screenIn(world, mint)
      expect(screening).toMatchObject({ lpLocked: null, liquidityUsd: 50_000 })
      expect(screening.priceUsd).toBeCloseTo(0.0001, 8)
      expect({ safe, verdict }).toEqual({ safe: null, verdict: "caution" })
    })
  )

  const burns = [
    ["is for good, as no other can be minted", undefined, { safe: true, lpLocked: true }],
    ["is none where somebody can mint another", DEPLOYER, { safe: null, lpLocked: null }]
  ] as const
  for (const kind of ["clmm", "whirlpool"] as const)
    for (const [name, minter, expected] of burns)
      it.effect(`that a burned token of a position makes ${name}: ${kind}`, () =>
        Effect.gen(function* () {
          const world = makeFakeWorld()
          const label = `burned ${kind}`
          const provider = { owner: DEPLOYER, sol: 200 }
          const { mint } = placeRange(world, { label, kind, sol: 200, providers: [provider] })
          burnPositionToken(world, label, minter === undefined ? {} : { mintAuthority: minter })
          const { safe, screening } = yield* screenIn(world, mint)
          expect({ safe, lpLocked: screening.lpLocked }).toEqual(expected)
        })
      )

  const YEAR_AWAY = 1_790_000_000n + 31_536_000n
  const rows = [
    ["an account of its own that ends in a year", "elsewhere", YEAR_AWAY, true, "pass"],
    ["an account of its own that ends next week", "elsewhere", 1_790_604_800n, false, "fail"],
    ["no account anybody finds", "nowhere", YEAR_AWAY, null, "unknown"]
  ] as const
  for (const [name, schedule, until, lpLocked, state] of rows) {
    it.effect(`of a DAMM v2 position is what its schedule says, which stands in ${name}`, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = placeDammPositions(world, `row ${name}`, [
          { owner: DEPLOYER, share: 1, until, schedule }
        ])
        const { screening } = yield* screenIn(world, mint)
        const signal = screening.signals.find(({ id }) => id === "LP_UNLOCKED")
        expect({ lpLocked: screening.lpLocked, state: signal?.state }).toEqual({ lpLocked, state })
      })
    )
  }

  it.effect("of which a part is dated and the rest is not is a lock for the part alone", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = placeDammPositions(world, "partly", [
        { owner: DEPLOYER, share: 0.6, until: YEAR_AWAY, schedule: "elsewhere" },
        { owner: DEPLOYER, share: 0.4, until: YEAR_AWAY, schedule: "nowhere" }
      ])
      const { safe, screening } = yield* screenIn(world, mint)
      expect({ safe, lpLocked: screening.lpLocked }).toEqual({ safe: null, lpLocked: null })
    })
  )
})
