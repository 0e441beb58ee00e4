/** Pools in which nobody can buy: a purchase that fails there says nothing of a token that is bought and sold beside them. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import type { PlacedToken } from "../../support/solana/clean-token.ts"
import { pairOf, placeCleanToken, SUPPLY } from "../../support/solana/clean-token.ts"
import { placeBins, placeRange, tickOf } from "../../support/solana/concentrated.ts"
import { wallet } from "../../support/solana/encode.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { placeDammPools } from "../../support/solana/hazards/dear.ts"
import { patch } from "../../support/solana/scenarios.ts"

/** A pool of another token's, made the token's: so many of it lie in its vault. */
const adopt = (
  world: FakeWorld,
  mint: SolanaAddress,
  { pool, tokenVault }: PlacedToken,
  { mintAt, tokens }: { readonly mintAt: number; readonly tokens: bigint }
): SolanaAddress => {
  patch(world, pool, [[mintAt, mint]])
  patch(world, tokenVault, [
    [0, mint],
    [64, tokens]
  ])
  const pair = pairOf(pool, at.WSOL, { priceUsd: null, liquidityQuote: 200 })
  world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), pair])
  return pool
}

const PLACES: Readonly<
  Record<string, (world: FakeWorld, mint: SolanaAddress, tokens: bigint) => SolanaAddress>
> = {
  "a DLMM pair": (world, mint, tokens) => {
    const providers = [{ owner: wallet("bidder"), sol: 200, from: -30, count: 31 }]
    return adopt(world, mint, placeBins(world, { label: "bids", providers, tokens }), { mintAt: 88, tokens })
  },
  "a Whirlpool": (world, mint, tokens) => {
    const near = tickOf(200)
    const providers = [
      {
        owner: wallet("bidder"),
        sol: 200,
        ticks: [near - 3000, tokens > 0n ? near + 3000 : near + 1] as const
      }
    ]
    const placed = placeRange(world, { label: "bids", sol: 200, providers })
    return adopt(world, mint, placed, { mintAt: 101, tokens })
  }
}

/** A token's own market of 150,000 dollars, beside a pool of 30,000 in bids and so many tokens in which no new wallet can buy. */
const screenedBeside = (place: (typeof PLACES)[string], tokens: bigint) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const { mint } = yield* placeCleanToken(world, { dollars: 75_000n })
    const pool = place(world, mint, tokens)
    world.behaviour = { refusal: { leg: "buy", whom: "fresh", naming: pool, error: { Custom: 6003 } } }
    return yield* screenIn(world, mint)
  })

describe("a purchase that fails", () => {
  it.effect("says nothing of a token beside whose market a stranger's pool takes 99 % of every trade", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const placed = yield* placeCleanToken(world)
      placeDammPools(world, placed, { count: 1, dollars: 40_000n, fee: 990_000_000n, locked: 0 })
      const refusal = {
        leg: "buy",
        whom: "fresh",
        naming: wallet("dear 0"),
        error: { Custom: 6002 }
      } as const
      world.behaviour = { refusal }
      const { screening, verdict } = yield* screenIn(world, placed.mint)
      expect(findings(screening)).not.toContain("SALE_FAILS:fail")
      expect(verdict).toBe("allow")
    })
  )

  for (const [name, place] of Object.entries(PLACES)) {
    it.effect(`says nothing of a token beside whose market somebody bids, and offers none: ${name}`, () =>
      Effect.gen(function* () {
        const { screening, verdict } = yield* screenedBeside(place, 0n)
        expect(findings(screening)).not.toContain("SALE_FAILS:fail")
        expect(verdict).toBe("allow")
      })
    )

    it.effect(
      `says nothing of a token that one buys and sells in its market, whatever is offered beside: ${name}`,
      () =>
        Effect.gen(function* () {
          const { screening } = yield* screenedBeside(place, SUPPLY / 20n)
          expect(findings(screening)).not.toContain("SALE_FAILS:fail")
        })
    )
  }
})
