/** What would be left of the price if somebody left: the figures of the report. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { known, missing } from "../../../src/domain/fact.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import type { SolanaEvidence } from "../../../src/screening/solana/evidence.ts"
import { exitPrices } from "../../../src/screening/solana/power/exit-prices.ts"
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import { decodePool } from "../../../src/screening/solana/pools/decode.ts"
import { depthOf, priceAfterSale, rawPriceOf } from "../../../src/screening/solana/pools/reserves.ts"
import { placeEarningLock } from "../../support/solana/burn-and-earn.ts"
import { DEPLOYER, placeCleanToken } from "../../support/solana/clean-token.ts"
import { placeDbc } from "../../support/solana/curves.ts"
import { account, anchored, laidOut, u128, u32, wallet } from "../../support/solana/encode.ts"
import { clean, pool } from "../../support/solana/evidence.ts"
import { makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { LP, withHolders, withLpHolders, holdersOf } from "../../support/solana/scenarios.ts"

describe("the price after somebody has left", () => {
  it.effect("the largest holder's sale follows the pool's curve", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const placed = yield* placeCleanToken(world)
      // A holder of 20 % beside a pool of 50 %: (50 / 70)² of the price is left.
      withHolders(world, placed, [[wallet("whale"), 200], ...holdersOf(18, 14)], 500)
      const { screening } = yield* screenIn(world, placed.mint)
      expect(screening.exits?.largestHolderSells).toBeCloseTo((5 / 7) ** 2, 3)
    })
  )

  it.effect(
    "nothing is left where one party withdraws all liquidity, half of it halves what the rest can bear",
    () =>
      Effect.gen(function* () {
        const after = (perMille: number) =>
          Effect.gen(function* () {
            const world = makeFakeWorld()
            const placed = yield* placeCleanToken(world, { lpLeft: LP })
            withLpHolders(world, placed, [
              [DEPLOYER, perMille],
              [at.RAYDIUM_BURN_AND_EARN, 1000 - perMille]
            ])
            placeEarningLock(world, placed, (LP * BigInt(1000 - perMille)) / 1000n)
            const { screening } = yield* screenIn(world, placed.mint)
            return screening.exits?.largestProviderLeaves
          })
        expect(yield* after(1000)).toBe(0)
        expect(yield* after(500)).toBeCloseTo(0.25, 3)
      })
  )

  it.effect("a launch curve's narrow segment at the price is not taken to go on below it", () =>
    Effect.gen(function* () {
      const root = (price: number) => u128(BigInt(Math.round(Math.sqrt(price) * 2 ** 60)) << 4n)
      const segment = (offset: number, upTo: number, liquidity: number) =>
        [
          [offset, root(upTo)],
          [offset + 16, u128(BigInt(Math.round(liquidity)) << 64n)]
        ] as const
      const [price, liquidity] = [40e9 / 9e14, Math.sqrt(40e9 * 9e14)]
      const after = (terms: NonNullable<Parameters<typeof placeDbc>[2]>) =>
        Effect.gen(function* () {
          const world = makeFakeWorld()
          const { screening } = yield* screenIn(world, placeDbc(world, "segments", terms))
          return screening.exits?.largestHolderSells
        })
      const even = yield* after(segment(408, 1_000, liquidity))
      // A hundred times as much liquidity, from a ten-thousandth below the price on.
      const narrow = [...segment(408, price * 0.9999, liquidity), ...segment(440, 1_000, liquidity * 100)]
      expect(even).toBeCloseTo(1 / (1 + 12 / 900) ** 2, 3)
      expect(yield* after(narrow)).toBeCloseTo(even ?? NaN, 2)
    })
  )

  it.effect("is not known where somebody may have more of whom nobody could tell", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const placed = yield* placeCleanToken(world, { lpLeft: LP })
      // Of five hundredths and nine tenths, the node shows whose the five hundredths are.
      withLpHolders(world, placed, [
        [DEPLOYER, 50],
        [wallet("unshown provider"), 900]
      ])
      world.largest.delete(placed.lpMint)
      withHolders(world, placed, [[wallet("unshown holder"), 200], ...holdersOf(10, 5)], 500)
      world.accounts.delete(associatedTokenAccount(wallet("unshown holder"), placed.mint, at.TOKEN_PROGRAM))
      const { screening } = yield* screenIn(world, placed.mint)
      expect(screening.exits).toMatchObject({ largestHolderSells: null, largestProviderLeaves: null })
    })
  )

  it.effect("all of it is left where nobody can withdraw anything", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      const { screening } = yield* screenIn(world, mint)
      expect(screening.exits?.largestProviderLeaves).toBe(1)
    })
  )
})

describe("the price after the largest provider has left, beside what was not read", () => {
  const after = (change: Partial<SolanaEvidence>) => exitPrices({ ...clean, ...change }).largestProviderLeaves
  const unvalued = { ...pool, quoteUsd: null, liquidityUsd: null, depth: null }
  const beside = (mostUsd: number | null) => after({ pools: [pool, { ...unvalued, mostUsd }] })

  it("is not known where pools that nobody could value may hold much: whose that is is not known", () => {
    expect([beside(null), beside(1e6), beside(1000)]).toEqual([null, null, 1])
  })
  it("is not known where more lies in pools that were not read, or nobody knows how much", () => {
    expect(after({ unreadUsd: known(1e6) })).toBeNull()
    expect(after({ unreadUsd: missing("SOL has no price") })).toBeNull()
    expect(after({ unreadUsd: known(1000) })).toBe(1)
  })
})

describe("a sale into several pools", () => {
  const product = (token: number, quote: number) => ({ token, quote, real: quote })
  it("is one into a pool of all of them where none ends, whatever their quotes are counted in", () => {
    expect(priceAfterSale([product(300, 1e9), product(200, 5)], 500)).toBeCloseTo(0.25, 12)
    expect(priceAfterSale([], 500)).toBeNull()
  })
  it("goes on in the others where one has paid out all it can", () => {
    const endless = { token: 1e30, quote: 1e30, real: 1e3 }
    expect(priceAfterSale([product(1e6, 1e6), endless], 1e6 + 1010)).toBeCloseTo(0.25, 6)
    expect(priceAfterSale([endless], 1010)).toBeCloseTo(1, 6)
    expect(priceAfterSale([endless], 1011)).toBe(0)
  })
  it("leaves less the more is sold, and no pool more makes it worse", () => {
    const amount = fc.double({ min: 1, max: 1e15, noNaN: true })
    const depth = fc
      .tuple(amount, amount, fc.double({ min: 0.001, max: 1, noNaN: true }))
      .map(([token, quote, part]) => ({ token, quote, real: quote * part }))
    fc.assert(
      fc.property(
        fc.array(depth, { minLength: 1, maxLength: 5 }),
        depth,
        amount,
        amount,
        (pools, more, a, b) => {
          const after = (depths: typeof pools, sold: number) => priceAfterSale(depths, sold) ?? -1
          expect(after(pools, a + b)).toBeLessThanOrEqual(after(pools, a) + 1e-9)
          expect(after([...pools, more], a)).toBeGreaterThanOrEqual(after(pools, a) - 1e-9)
        }
      )
    )
  })
})

describe("Moonshot's linear curve", () => {
  const token = wallet("linear token")
  const curve = (left: bigint) =>
    anchored(at.program.moonshot, "CurveAccount", 409, [
      [8, 10n ** 18n],
      [16, left],
      [24, token],
      [56, 9],
      [58, 0],
      [59, 345_000_000_000n],
      [76, u32(25)]
    ])
  it("is priced by its two coefficients, as launchpad-common prices it", () => {
    const sold = 2n * 10n ** 17n
    const pool = decodePool(wallet("linear"), { ...curve(10n ** 18n - sold), lamports: 10n ** 12n }, token)
    if (pool === null) throw new Error("no curve")
    const depth = depthOf(pool, token, new Map(), 0)
    if (depth === null) throw new Error("no depth")
    // a = (345 / 550,000,000 - 0.000000025) / 550,000,000; price = a · 200,000,000 + 0.000000025 SOL.
    const a = (345 / 5.5e8 - 2.5e-8) / 5.5e8
    expect(rawPriceOf(depth)).toBeCloseTo(a * 2e8 + 2.5e-8, 12)
    expect(depth.real / 1e9).toBeCloseTo(0.5 * a * 4e16 + 2.5e-8 * 2e8, 3)
  })
  it.each([0.1, 0.3, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75])(
    "never leaves more of its price than it does, once %f of what was sold has come back",
    (part) => {
      const sold = 2n * 10n ** 17n
      const account = { ...curve(10n ** 18n - sold), lamports: 10n ** 12n }
      const pool = decodePool(wallet("linear"), account, token)
      const depth = pool === null ? null : depthOf(pool, token, new Map(), 0)
      if (depth === null) throw new Error("no depth")
      const a = (345 / 5.5e8 - 2.5e-8) / 5.5e8
      const left = (a * 2e8 * (1 - part) + 2.5e-8) / (a * 2e8 + 2.5e-8)
      expect(priceAfterSale([depth], Number(sold) * part)).toBeLessThanOrEqual(left)
    }
  )
  it("is no pool where its target makes no price", () => {
    const data = Uint8Array.from(curve(5n * 10n ** 17n).data)
    data.fill(0, 59, 67)
    expect(decodePool(wallet("linear"), account(at.program.moonshot, data), token)).toBeNull()
  })
})

describe("LaunchLab's other curves", () => {
  const [token, config] = [wallet("lab token"), wallet("lab config")]
  /** By type 1 the price stays, by type 2 it grows evenly from nothing: `a` and `b` are what the program calls virtual. */
  const depthAt = (
    type: number,
    { a, b, raised, sold }: Readonly<Record<"a" | "b" | "raised" | "sold", bigint>>
  ) => {
    const curve = anchored(at.program.raydiumLaunchLab, "PoolState", 429, [
      [37, a],
      [45, b],
      [53, sold],
      [61, raised],
      [141, config],
      [205, token],
      [237, at.WSOL]
    ])
    const book = new Map([[config, laidOut(at.program.raydiumLaunchLab, 371, [[16, type]])]])
    const pool = decodePool(wallet("lab curve"), curve, token, book)
    return pool === null ? null : { quoteMint: pool.quoteMint, depth: depthOf(pool, token, book, 0) }
  }
  // As the SDK begins them: half of the supply for 85 SOL at one price, two thirds of it at one that grows.
  const fixed = { a: 500_000_000_000_000n, b: 85_000_000_000n }
  const slope = (2n * 85_000_000_000n * 2n ** 64n) / 666_666_666_666_666n ** 2n
  const paidUntil = (sold: bigint): bigint => (slope * sold * sold + 2n ** 65n - 1n) / 2n ** 65n

  it.each([1_000_000n, 123_456_789_012_345n, 499_999_999_999_999n])(
    "of one price is priced by it, whatever was sold: %i units",
    (sold) => {
      const raised = (sold * fixed.b) / fixed.a
      const depth = depthAt(1, { ...fixed, sold, raised })?.depth
      if (depth == null) throw new Error("no depth")
      expect(rawPriceOf(depth)).toBeCloseTo(85e9 / 5e14, 12)
      expect(depth.real).toBe(Number(raised))
      // The pool that such a curve ends in has as much of both as was sold and raised.
      expect(depth.token).toBe(Number(sold))
    }
  )
  it.each([40_000_000_000_000n, 333_333_333_333_333n, 666_666_666_666_665n])(
    "of a price that grows evenly is priced by what was sold, and never leaves more than it does: %i units",
    (sold) => {
      const raised = paidUntil(sold)
      const depth = depthAt(2, { a: slope, b: 0n, sold, raised })?.depth
      if (depth == null) throw new Error("no depth")
      const price = (Number(slope) * Number(sold)) / 2 ** 64
      expect(rawPriceOf(depth) / price).toBeCloseTo(1, 8)
      expect(depth.real).toBe(Number(raised))
      for (const part of [0.1, 0.3, 0.5, 0.7]) {
        expect(priceAfterSale([depth], Number(sold) * part)).toBeLessThanOrEqual(1 - part)
      }
    }
  )
  it("that have sold nothing, and curves of a type that nobody here knows, have no price", () => {
    expect(depthAt(1, { ...fixed, sold: 0n, raised: 0n })).toBeNull()
    expect(depthAt(2, { a: slope, b: 0n, sold: 0n, raised: 0n })).toBeNull()
    expect(depthAt(3, { ...fixed, sold: 1_000n, raised: 1_000n })?.quoteMint).toBeNull()
  })
})
