/** Attacks on liquidity and its lock, each played against the whole plan. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { uncxVault } from "../../../src/screening/solana/reads/pdas.ts"
import { placeEarningLock } from "../../support/solana/burn-and-earn.ts"
import {
  DAY,
  DEPLOYER,
  SUPPLY,
  emptyReport,
  pairOf,
  placeCleanToken,
  placeCpmm
} from "../../support/solana/clean-token.ts"
import { account, encodeTokenAccount, programAddress, wallet } from "../../support/solana/encode.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"

const LP = 1_000_000_000n

describe("fake liquidity", () => {
  it.effect("against a worthless quote counts for nothing and prices nothing", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { dollars: 1n })
      const junk = wallet("junk quote")
      world.pairs.set(mint, [pairOf(wallet("junk pool"), junk, { liquidityUsd: 9_000_000, priceUsd: 42 })])
      const { safe, screening } = yield* screenIn(world, mint)
      expect(screening.priceUsd).toBe(null)
      expect(screening.liquidityUsd).toBe(2)
      expect(safe).toBe(false)
      expect(findings(screening)).toEqual(
        expect.arrayContaining(["NEGLIGIBLE_LIQUIDITY:fail", "WORTHLESS_QUOTES:fail"])
      )
    })
  )

  it.effect("in a pool of the token against itself is no pool", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint, pool } = yield* placeCleanToken(world)
      const selfPool = wallet("self pool")
      const real = world.accounts.get(pool)
      const data = Uint8Array.from(real?.data ?? [])
      data.set(data.subarray(168, 200), 200)
      world.accounts.set(selfPool, account(at.program.raydiumCpmm, data))
      world.pairs.set(mint, [
        ...(world.pairs.get(mint) ?? []),
        pairOf(selfPool, mint, { liquidityUsd: 5_000_000 })
      ])
      const { screening } = yield* screenIn(world, mint)
      expect(screening.liquidityUsd).toBe(100_000)
    })
  )

  it.effect(
    "that market data claims for an account that does not exist is not counted in a deep report",
    () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world)
        const ghost = pairOf(wallet("ghost"), at.USDC, { liquidityQuote: 9_000_000 })
        world.pairs.set(mint, [...(world.pairs.get(mint) ?? []), ghost])
        const { screening } = yield* screenIn(world, mint)
        expect(screening.liquidityUsd).toBe(100_000)
      })
  )

  it.effect("in a vault that holds another mint than the pool says is not valued", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint, quoteVault } = yield* placeCleanToken(world)
      world.accounts.set(quoteVault, encodeTokenAccount(wallet("junk"), DEPLOYER, 10n ** 15n))
      world.pairs.set(mint, [])
      const { safe, screening } = yield* screenIn(world, mint)
      expect(screening).toMatchObject({ liquidityUsd: 0, priceUsd: null, lpLocked: null })
      expect(safe).not.toBe(true)
    })
  )

  it.effect("added just before the scan is told by the pool's age", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { ageMs: 60_000 })
      const { screening } = yield* screenIn(world, mint)
      expect(findings(screening)).toEqual(["NEW_POOL:fail"])
    })
  )
})

describe("a lock that is none", () => {
  for (const [name, left, locked] of [
    ["exactly 95 % burned is locked", 50_000_000n, true],
    ["94.9 % burned is not", 51_000_000n, false],
    ["nothing burned is not", LP, false]
  ] as const) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = yield* placeCleanToken(world, { lpLeft: left })
        const { screening } = yield* screenIn(world, mint)
        expect(screening.lpLocked).toBe(locked)
      })
    )
  }

  it.effect("is proved unlocked without RugCheck when the deployer's wallet holds the LP tokens", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { lpLeft: LP })
      world.reports.set(mint, { ...emptyReport })
      const { safe, screening } = yield* screenIn(world, mint)
      expect(screening.lpLocked).toBe(false)
      expect(safe).toBe(false)
      expect(findings(screening)).toContain("LP_UNLOCKED:fail")
    })
  )

  // Uneven pieces, none of them large, in wallets that one party may have made in a minute.
  const PIECES = [19n, 17n, 16n, 14n, 12n, 11n, 11n].map((percent) => (LP * percent) / 100n)

  /** The clean token, whose liquidity is many wallets' and whose pool is so many days old. */
  const spread = (days: number) =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const placed = yield* placeCleanToken(world, { lpLeft: LP, ageMs: days * DAY, dollars: 300_000n })
      const { lpMint, mint } = placed
      const pieces = PIECES.map((amount, index) => {
        const owner = wallet(`one hand ${index}`)
        const address = associatedTokenAccount(owner, lpMint, at.TOKEN_PROGRAM)
        world.accounts.set(address, encodeTokenAccount(lpMint, owner, amount))
        return { address, amount }
      })
      world.accounts.delete(associatedTokenAccount(DEPLOYER, lpMint, at.TOKEN_PROGRAM))
      world.largest.set(lpMint, pieces)
      world.reports.set(mint, { ...emptyReport })
      return { ...placed, world }
    })

  it.effect("is not made by wallets, however many, unless the market had a month to leave", () =>
    Effect.gen(function* () {
      for (const [days, expected] of [
        [29, { verdict: "caution", safe: null }],
        [31, { verdict: "allow", safe: true }]
      ] as const) {
        const { mint, world } = yield* spread(days)
        const { safe, screening, verdict } = yield* screenIn(world, mint)
        expect(screening.lpLocked).toBe(false)
        expect({ safe, verdict }).toEqual(expected)
      }
    })
  )

  it.effect("is no older than the pools it lies in, whatever older ones there are or are said to be", () =>
    Effect.gen(function* () {
      const { mint, world } = yield* spread(2)
      const young = world.pairs.get(mint) ?? []
      const [pool, lpMint] = [wallet("old dust"), wallet("old dust's LP tokens")]
      const old = pairOf(pool, at.USDC, { priceUsd: null, liquidityUsd: 40, createdAt: -400 * DAY })
      world.pairs.set(mint, [...young, old])
      expect(yield* screenIn(world, mint)).toMatchObject({ safe: null })
      yield* placeCpmm(world, {
        mint,
        pool,
        lpMint,
        vaults: [wallet("old dust's tokens"), wallet("old dust's dollars")],
        tokens: SUPPLY / 5000n,
        quoteAmount: 20_000_000n,
        lpLeft: 0n,
        lpOwner: DEPLOYER
      })
      expect(yield* screenIn(world, mint)).toMatchObject({ safe: null, verdict: "caution" })
    })
  )

  it.effect("stays open, never true, when a look-alike locker's program holds the LP tokens", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, {
        lpLeft: LP,
        lpOwner: programAddress("UNCX look-alike")
      })
      world.reports.set(mint, { ...emptyReport })
      const { safe, screening, verdict } = yield* screenIn(world, mint)
      expect(screening.lpLocked).toBe(null)
      expect({ safe, verdict }).toEqual({ safe: null, verdict: "caution" })
    })
  )

  it.effect("holds where Burn & Earn, the incinerator or a locker of the operator has the LP tokens", () =>
    Effect.gen(function* () {
      const trusted = programAddress("operator's locker")
      for (const lpOwner of [at.RAYDIUM_BURN_AND_EARN, at.INCINERATOR, trusted]) {
        const world = makeFakeWorld()
        world.extraLockers.push(trusted)
        const { mint, lpMint, pool } = yield* placeCleanToken(world, { lpLeft: LP, lpOwner })
        placeEarningLock(world, { lpMint, pool })
        const report = world.reports.get(mint) ?? emptyReport
        world.reports.set(mint, {
          ...report,
          markets: report.markets.map((m) => ({ ...m, lpLockedPct: 100 }))
        })
        const { safe, screening } = yield* screenIn(world, mint)
        expect({ lpOwner, locked: screening.lpLocked, safe }).toEqual({ lpOwner, locked: true, safe: true })

        expect(world.accounts.has(lpMint)).toBe(true)
      }
    })
  )

  it.effect("by a time locker whose end date is not read stays open", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { lpMint, mint, pool } = yield* placeCleanToken(world, {
        lpLeft: LP,
        lpOwner: programAddress("uncx")
      })
      const vault = uncxVault(at.TIME_LOCKERS.uncxCpmm, pool)
      world.accounts.set(vault, encodeTokenAccount(lpMint, programAddress("uncx"), LP))
      const { safe, screening } = yield* screenIn(world, mint)
      expect(screening.lpLocked).toBe(null)
      expect(safe).toBe(null)
    })
  )

  it.effect("on a small pool does not cover the deep unlocked one", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { dollars: 5_000n })
      const pool = wallet("deep pool")
      yield* placeCpmm(world, {
        mint,
        pool,
        lpMint: wallet("deep lp"),
        vaults: [wallet("deep a"), wallet("deep b")],
        tokens: SUPPLY / 5n,
        quoteAmount: 2_000n * 1_000_000n * 1_000n,
        lpLeft: LP,
        lpOwner: DEPLOYER
      })
      world.pairs.set(mint, [
        ...(world.pairs.get(mint) ?? []),
        pairOf(pool, at.USDC, { liquidityUsd: 4_000_000 })
      ])
      const { safe, screening } = yield* screenIn(world, mint)
      expect(screening.lpLocked).toBe(false)
      expect(safe).toBe(false)
    })
  )

  it.effect("of which RugCheck claims less than the chain shows is a disagreement, and not believed", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      const report = world.reports.get(mint) ?? emptyReport
      world.reports.set(mint, {
        ...report,
        markets: report.markets.map((m) => ({ ...m, lpLockedPct: 10 }))
      })
      const { safe, screening } = yield* screenIn(world, mint)
      expect(screening.lpLocked).toBe(null)
      expect(safe).toBe(null)
      expect(findings(screening)).toContain("RUGCHECK_DISAGREES:fail")
    })
  )
})
