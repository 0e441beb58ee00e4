/** A pool is as old as what lies in it: the day of its opening costs nobody anything. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, TestClock } from "effect"
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import type { CleanOptions } from "../../support/solana/clean-token.ts"
import {
  DAY,
  DEPLOYER,
  emptyReport,
  pairOf,
  placeCleanToken,
  placeCpmm
} from "../../support/solana/clean-token.ts"
import { encodeTokenAccount, wallet } from "../../support/solana/encode.ts"
import { firstAt } from "../../support/solana/fake-history.ts"
import { NOW_SLOT } from "../../support/solana/fake-node.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { fakeRpc, makeFakeWorld, screenBy, screenIn } from "../../support/solana/fake-world.ts"
import { holdersOf, LP, withHolders, withLpHolders } from "../../support/solana/scenarios.ts"

const SPREAD = [190, 170, 160, 140, 120, 110, 110]
const spreadOver = (label: string) =>
  SPREAD.map((perMille, index) => [wallet(`${label} ${index}`), perMille] as const)

/** Much that few leave lying for a month, and little that takes half a year. */
const MUCH = { dollars: 300_000n, ageMs: 90 * DAY }
const LITTLE = { dollars: 200_000n, ageMs: 200 * DAY }

/** A token whose liquidity is seven wallets', in a pool that market data calls so old. */
const spreadIn = Effect.fnUntraced(function* (pool: CleanOptions) {
  const world = makeFakeWorld()
  const placed = yield* placeCleanToken(world, { lpLeft: LP, ...pool })
  withLpHolders(world, placed, spreadOver("one hand"))
  world.reports.set(placed.mint, emptyReport)
  return { ...placed, world }
})
const spread = spreadIn(MUCH)

/** A token of which three wallets hold more than half, in a pool that market data calls so old. */
const circleIn = Effect.fnUntraced(function* (pool: CleanOptions) {
  const world = makeFakeWorld()
  const placed = yield* placeCleanToken(world, pool)
  const three = [190, 172, 154].map((perMille, index) => [wallet(`whale ${index}`), perMille] as const)
  withHolders(world, placed, [...three, ...holdersOf(16, (index) => 5 - index * 0.3)], 180)
  return { ...placed, world }
})

const DUST = 1_000_000n

type Past = NonNullable<FakeWorld["heldBefore"]>

/** What the quote's vault held so many days ago, and whether the market has then had a month. */
const pasts: ReadonlyArray<readonly [name: string, past: Past, hadAMonth: boolean]> = [
  ["held what it holds", (_account, _days, today) => today, true],
  ["held little more than half of it", (_account, _days, today) => (today * 51n) / 100n, true],
  ["held less than half of it", (_account, _days, today) => (today * 49n) / 100n, false],
  ["held dust until today", (_account, days, today) => (days > 0.5 ? DUST : today), false],
  [
    "held it until a week ago, and since yesterday",
    (_account, days, today) => (days > 32.5 || days < 1 ? today : DUST),
    false
  ],
  [
    "held it a month ago, and dust in between",
    (_account, days, today) => (days > 29 || days < 1 ? today : DUST),
    false
  ],
  ["held it for three weeks", (_account, days, today) => (days > 29 ? DUST : today), false],
  ["had not been there", (_account, days) => (days > 0.5 ? null : 1n), false]
]

const claims = [
  ["liquidity in seven wallets", spreadIn],
  ["a few wallets with half of what is outside pools", circleIn]
] as const

/** The same of half a year, of a pool that has held what it holds for a month. */
const longer: typeof pasts = [
  ["held what it holds", (_account, _days, today) => today, true],
  ["held it for five months", (_account, days, today) => (days > 175 ? DUST : today), false],
  [
    "held it half a year ago, and for a month",
    (_account, days, today) => (days > 172 || days < 34 ? today : DUST),
    false
  ],
  ["had not been there half a year ago", (_account, days, today) => (days > 175 ? null : today), false]
]

const expected = (isAllowed: boolean) =>
  isAllowed ? { safe: true, verdict: "allow" } : { safe: null, verdict: "caution" }

describe("a pool that was opened three months ago and whose vault", () => {
  for (const [claim, place] of claims)
    for (const [name, past, hadAMonth] of pasts)
      it.effect(`${name}: ${claim}`, () =>
        Effect.gen(function* () {
          const { mint, world } = yield* place(MUCH)
          world.heldBefore = past
          const { safe, verdict } = yield* screenIn(world, mint)
          expect({ safe, verdict }).toEqual(expected(hadAMonth))
        })
      )
})

describe("a pool of little that was opened seven months ago and whose vault", () => {
  for (const [claim, place] of claims)
    for (const [name, past, isLong] of longer)
      it.effect(`${name}: ${claim}`, () =>
        Effect.gen(function* () {
          const { mint, world } = yield* place(LITTLE)
          world.heldBefore = past
          const { safe, verdict } = yield* screenIn(world, mint)
          expect({ safe, verdict }).toEqual(expected(isLong))
        })
      )

  for (const [claim, place] of claims)
    it.effect(`a month's patience is not enough, where it cost little: ${claim}`, () =>
      Effect.gen(function* () {
        const { mint, world } = yield* place({ ...LITTLE, ageMs: MUCH.ageMs })
        const { safe, verdict } = yield* screenIn(world, mint)
        expect({ safe, verdict }).toEqual(expected(false))
      })
    )
})

/** Whose the vault was so many days ago, while it held all the time what it holds today. */
const owners: ReadonlyArray<
  readonly [name: string, owned: NonNullable<FakeWorld["ownedBefore"]>, isThePools: boolean]
> = [
  ["the pool's all the time", (_account, _days, today) => today, true],
  ["its maker's until today", (_account, days, today) => (days > 0.5 ? DEPLOYER : today), false],
  ["its maker's a month ago", (_account, days, today) => (days > 29 ? DEPLOYER : today), false],
  ["nobody can tell whose", () => null, false]
]

describe("a past is a pool's own", () => {
  for (const [claim, place] of claims)
    for (const [name, owned, isThePools] of owners)
      it.effect(`where its vault was ${name}: ${claim}`, () =>
        Effect.gen(function* () {
          const { mint, world } = yield* place(MUCH)
          world.ownedBefore = owned
          const { safe, verdict } = yield* screenIn(world, mint)
          expect({ safe, verdict }).toEqual(expected(isThePools))
        })
      )
})

describe("a node", () => {
  const asked = (world: FakeWorld) => world.calls.filter((call) => call === "getTransaction").length

  it.effect("that keeps no ledger has told nothing of a pool's age", () =>
    Effect.gen(function* () {
      const { mint, world } = yield* spread
      world.down.add("history")
      expect(yield* screenIn(world, mint)).toMatchObject({ safe: null, verdict: "caution" })
    })
  )

  it.effect("that takes long over its ledger is not waited for: all else that was read is told", () =>
    Effect.gen(function* () {
      const { mint, world } = yield* spread
      const rpc = { ...fakeRpc(world), together: () => Effect.never }
      const running = yield* Effect.fork(screenBy(rpc, world, mint))
      yield* TestClock.adjust("4 seconds")
      expect(Option.isSome(yield* Fiber.poll(running))).toBe(true)
      expect(yield* Fiber.join(running)).toMatchObject({ safe: null, verdict: "caution" })
    })
  )

  it.effect("that lists what came after a moment has told nothing of what was before it", () =>
    Effect.gen(function* () {
      const { mint, world } = yield* spread
      const rpc = fakeRpc(world)
      const before = firstAt(NOW_SLOT)
      const deaf: typeof rpc.together = (method, params, schema) =>
        rpc.together(method, method === "getSignaturesForAddress" ? [params[0], { before }] : params, schema)
      expect(yield* screenBy({ ...rpc, together: deaf }, world, mint)).toMatchObject({ safe: null })
    })
  )

  it.effect("is not asked for the past where all liquidity is locked, or where nothing is old", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      expect(yield* screenIn(world, mint)).toMatchObject({ verdict: "allow" })
      expect(asked(world)).toBe(0)
      const young = yield* spread
      young.world.pairs.set(
        young.mint,
        (young.world.pairs.get(young.mint) ?? []).map((pair) => ({ ...pair, createdAt: -DAY }))
      )
      expect(yield* screenIn(young.world, young.mint)).toMatchObject({ verdict: "caution" })
      expect(asked(young.world)).toBe(0)
    })
  )
})

describe("liquidity that many wallets put in lately", () => {
  it.effect("is not theirs to keep because more has been locked for a month beside it", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, { dollars: 30_000n })
      const beside = {
        mint,
        pool: wallet("beside"),
        lpMint: wallet("beside's LP tokens"),
        tokenVault: wallet("beside's tokens"),
        quoteVault: wallet("beside's dollars")
      }
      yield* placeCpmm(world, {
        ...beside,
        vaults: [beside.tokenVault, beside.quoteVault],
        tokens: 333_333_333_333_333n,
        quoteAmount: 20_000_000_000n,
        lpLeft: LP,
        lpOwner: DEPLOYER
      })
      world.accounts.delete(associatedTokenAccount(DEPLOYER, beside.lpMint, at.TOKEN_PROGRAM))
      const pieces = spreadOver("beside").map(([owner, perMille]) => {
        const [address, amount] = [
          associatedTokenAccount(owner, beside.lpMint, at.TOKEN_PROGRAM),
          (LP * BigInt(perMille)) / 1000n
        ]
        world.accounts.set(address, encodeTokenAccount(beside.lpMint, owner, amount))
        return { address, amount }
      })
      world.largest.set(beside.lpMint, pieces)
      const figures = { priceUsd: null, liquidityUsd: 40_000, liquidityQuote: 20_000 }
      const pairs = world.pairs.get(mint) ?? []
      world.pairs.set(mint, [...pairs, pairOf(beside.pool, at.USDC, { ...figures, createdAt: -DAY })])
      expect(yield* screenIn(world, mint)).toMatchObject({ safe: null, verdict: "caution" })
    })
  )
})
