/** Liquidity that is locked, and that no seller would use, or that somebody can shut. */
import { Effect } from "effect"
import * as at from "../../../../src/screening/solana/addresses.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import type { PlacedToken } from "../clean-token.ts"
import { DAY, DEPLOYER, pairOf, SUPPLY } from "../clean-token.ts"
import { placeBins } from "../concentrated.ts"
import { encodeTokenAccount, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import { dammV2 } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, sync, holdersOf, LP, patch, withHolders, withLpHolders } from "../scenarios.ts"
import { placeStable } from "../stable.ts"

/** DAMM v2 pools at the price of the clean token's own, of so many dollars each, with so much for every trade. */
export const placeDammPools = (
  world: FakeWorld,
  { mint }: PlacedToken,
  {
    count,
    dollars,
    fee,
    locked,
    tokens = SUPPLY / 100n,
    price = 0.0001
  }: {
    readonly count: number
    readonly dollars: bigint
    readonly fee: bigint
    readonly locked: 0 | 1
    readonly tokens?: bigint
    /** Smallest units of dollars for one of the token's; the clean token's own is a ten thousandth. */
    readonly price?: number
  }
): void => {
  for (let index = 0; index < count; index++) {
    const place = {
      mint,
      quote: at.USDC,
      pool: wallet(`dear ${index}`),
      tokenVault: wallet(`dear ${index}'s tokens`),
      quoteVault: wallet(`dear ${index}'s dollars`)
    }
    const quoteAmount = dollars * 1_000_000n
    const pool = dammV2({ price, quoteAmount, locked, cliff: fee, feeVersion: 1 })(place)
    world.accounts.set(place.pool, pool)
    world.accounts.set(place.tokenVault, encodeTokenAccount(mint, place.pool, tokens))
    world.accounts.set(place.quoteVault, encodeTokenAccount(at.USDC, place.pool, quoteAmount))
    const pairs = world.pairs.get(mint) ?? []
    world.pairs.set(mint, [...pairs, pairOf(place.pool, at.USDC, { priceUsd: null, createdAt: -DAY })])
    const listed = world.largest.get(mint) ?? []
    world.largest.set(
      mint,
      [...listed, { address: place.tokenVault, amount: tokens }].toSorted((a, b) =>
        Number(b.amount - a.amount)
      )
    )
  }
}

const small = holdersOf(19, (index) => 8 - index * 0.3)

/** 20,000 dollars that the deployer can take, and beside them nine times nearly as many in locked pools. */
const behindLocked: Scenario = changed(
  (world, placed) => {
    withHolders(world, placed, small, 200)
    withLpHolders(world, placed, [[DEPLOYER, 1000]])
    placeDammPools(world, placed, { count: 9, dollars: 19_000n, fee: 990_000_000n, locked: 1 })
  },
  { dollars: 20_000n, lpLeft: LP, ageMs: DAY }
)

/** Somebody with 35 % of the supply, and locked pools at whose fee nobody sells, which look as if they could take all of it. */
const besideDepth: Scenario = changed(
  (world, placed) => {
    withHolders(world, placed, [[wallet("whale"), 350], ...small], 200)
    placeDammPools(world, placed, { count: 3, dollars: 39_000n, fee: 400_000_000n, locked: 1 })
  },
  { dollars: 20_000n }
)

/** 30,000 dollars behind burned LP tokens, and 21,000 in a pair held back for years, which its creator can switch off. */
const behindSwitch: Scenario = changed(
  (world, placed) => {
    withHolders(world, placed, small, 200)
    const { mint } = placed
    const { pool, tokenVault } = placeBins(world, {
      label: "switched",
      providers: [{ owner: DEPLOYER, sol: 140, from: -60, count: 61 }],
      release: 1_890_000_000n
    })
    patch(world, pool, [
      [87, 1],
      [88, mint],
      [848, DEPLOYER]
    ])
    patch(world, tokenVault, [
      [0, mint],
      [64, SUPPLY / 100n]
    ])
    const pairs = world.pairs.get(mint) ?? []
    const pair = pairOf(pool, at.WSOL, { dexId: "meteora", labels: ["DLMM"], priceUsd: null })
    world.pairs.set(mint, [...pairs, pair])
    const listed = world.largest.get(mint) ?? []
    world.largest.set(mint, [...listed, { address: tokenVault, amount: SUPPLY / 100n }])
  },
  { dollars: 30_000n }
)

/**
 * Half of the supply in a locked pool that takes 99 %, for a fiftieth of the market's price: nobody buys there but whoever
 * gets the fee.
 */
const forItsMaker: Scenario = changed((world, placed) => {
  withHolders(world, placed, small, 300)
  const offer = { dollars: 400n, tokens: SUPPLY / 2n, price: 0.000_003 }
  placeDammPools(world, placed, { count: 1, fee: 990_000_000n, locked: 1, ...offer })
})

const DEAR_VAULT = wallet("dear 0's tokens")

/** The list is as full as one can be, and older than the vault. */
const unlist = (world: FakeWorld, mint: SolanaAddress): void => {
  const others = (world.largest.get(mint) ?? []).filter(({ address }) => address !== DEAR_VAULT)
  world.largest.set(mint, others.slice(0, 20))
}

const hideVault = (world: FakeWorld, mint: SolanaAddress): void => {
  unlist(world, mint)
  world.accounts.delete(DEAR_VAULT)
}

/** A pool that takes 20 %, which is all one can buy in, of so many dollars. */
const placeMarket = (world: FakeWorld, placed: PlacedToken, dollars: bigint): void => {
  const terms = { count: 1, fee: 200_000_000n, locked: 1, tokens: SUPPLY / 5n, price: 0.000_32 } as const
  placeDammPools(world, placed, { dollars, ...terms })
}

/** 300 SOL of bids at less than half of that price, held back for years: whoever buys pays the maker, and sells to him. */
const BIDS = { owner: DEPLOYER, sol: 300, from: -60, count: 61 }
const release = 1_890_000_000n

/** The pair's vault of the token holds so much, and nothing else of it has changed. */
const withTokens = (world: FakeWorld, { mint, tokenVault }: PlacedToken, amount: bigint): void => {
  const others = (world.largest.get(mint) ?? []).filter(({ address }) => address !== tokenVault)
  patch(world, tokenVault, [[64, amount]])
  world.largest.set(mint, [{ address: tokenVault, amount }, ...others])
}

const aboveBids: Scenario = sync((world) => {
  const placed = placeBins(world, { label: "bids", providers: [BIDS], release })
  withTokens(world, placed, 1000n)
  placeMarket(world, placed, 20_000n)
  return placed.mint
})

/** The same bids, and a stable pool of which nobody can tell at what price it sells. */
const aboveBidsInStable: Scenario = sync((world) => {
  const placed = placeBins(world, { label: "bids below a stable pool", providers: [BIDS], release })
  withTokens(world, placed, 1000n)
  placeStable(world, placed.mint, [SUPPLY / 50n, 6_000_000_000n])
  return placed.mint
})

const aboveBidsAndOffers: Scenario = sync((world) => {
  const offers = { owner: DEPLOYER, sol: 0, from: 205, count: 60, offered: 45 }
  const placed = placeBins(world, { label: "bids and offers", providers: [BIDS, offers], release })
  withTokens(world, placed, SUPPLY / 100n)
  placeMarket(world, placed, 4000n)
  return placed.mint
})

/** A locked market that takes 99 %, and a cheap pool beside it that is none by itself. */
const besideCrumbs: Scenario = changed(
  (world, placed) => {
    withHolders(world, placed, small, 10)
    placeDammPools(world, placed, {
      count: 1,
      dollars: 40_000n,
      fee: 990_000_000n,
      locked: 1,
      tokens: SUPPLY / 2n
    })
  },
  { dollars: 400n }
)

export const dear: Readonly<Record<string, Scenario>> = {
  "a locked market takes 99 %, beside 400 dollars in a pool that takes little": besideCrumbs,
  "all liquidity that sellers use is the deployer's, beside nine locked pools that take 99 %": behindLocked,
  "one wallet holds 35 %, beside locked pools that take 40 %": besideDepth,
  "half of the supply lies in a locked pool whose maker gets 99 % of what one pays there": forItsMaker,
  "half of the supply lies in such a pool, whose vault a full list does not name": (world) =>
    Effect.tap(forItsMaker(world), (mint) => Effect.sync(() => unlist(world, mint))),
  "half of the supply lies in such a pool, whose vault neither a full list nor the node shows": (world) =>
    Effect.tap(forItsMaker(world), (mint) => Effect.sync(() => hideVault(world, mint))),
  "one can only buy in a pool that takes 20 %, above deep bids at less than half of its price": aboveBids,
  "one can only buy in a stable pool that nobody can value, above such bids": aboveBidsInStable,
  "the same, above bids beside which tokens are offered for five times their price": aboveBidsAndOffers,
  "two fifths of the liquidity are locked in a pair that its creator can switch off": behindSwitch,
  "two fifths of the liquidity are locked in such a pair, of whose bins the node shows none": (world) =>
    Effect.tap(behindSwitch(world), () =>
      Effect.sync(() => {
        for (const [address, { data, owner }] of world.accounts)
          if (owner === at.program.meteoraDlmm && data.length === 10_136) world.accounts.delete(address)
      })
    )
}
