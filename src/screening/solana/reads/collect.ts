import { Effect } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known } from "../../../domain/fact.ts"
import type { MarketPair, RugCheckReport } from "../../../market/market-data.ts"
import { SYSTEM_PROGRAM, TRUSTED_QUOTES } from "../addresses.ts"
import { POOL_SLICE } from "../pools/decode.ts"
import { poolsOf } from "../pools/found.ts"
import { lpAccountsOf, suspects } from "../pools/lp-accounts.ts"
import type { LpAccounts, LpReading } from "../pools/lp-reading.ts"
import { isWallet } from "../../../chain/program-address.ts"
import { noLpAccounts, noLpReading } from "../pools/lp-reading.ts"
import { positionAccounts, positionShares } from "../pools/positions/owners.ts"
import { quoteAccounts } from "../pools/quote-price.ts"
import { STREAM_LENGTH } from "../power/lockers.ts"
import { pointedElsewhere } from "../power/metadata.ts"
import { ownersOf } from "../power/parties.ts"
import { tryExits } from "../simulation/simulate.ts"
import { merge } from "./account-book.ts"
import { clockOf } from "./clock.ts"
import { readInto } from "./fetch.ts"
import { firstWave } from "./first-wave.ts"
import type { LargestByMint } from "./liquidity-owners.ts"
import { earlyLpMints, listLargest, lpMintOf, tracedPools } from "./liquidity-owners.ts"
import type { PositionOwners } from "./position-owners.ts"
import {
  askLocks,
  askOwners,
  findPositions,
  joinOwners,
  likelyPlaces,
  unnamedPlaces,
  weighAll
} from "./position-owners.ts"
import { findLpLocks, findStakePool, findStreams } from "./program-search.ts"
import type { Reads, Upstreams } from "./reads.ts"
import { TOKEN_ACCOUNT_LENGTH } from "./token-account.ts"

/** Listed pools that are read, the deepest of each list first. */
const MAX_POOLS = 24
/** Coins as quotes whose own pools are read. */
const MAX_COIN_QUOTES = 4
/** Longest account of those beside a pool: an array of bins. */
const COMPANION_SLICE = 10_136
/** A DLMM position, whose lock stands near its end. */
const POSITION_SLICE = 8120
/** Long enough for a token account and for a locker's terms. */
const OWNER_SLICE = Math.max(TOKEN_ACCOUNT_LENGTH, STREAM_LENGTH)

const quoteDepth = (pair: MarketPair): number =>
  pair.quoteAddress !== null && TRUSTED_QUOTES.has(pair.quoteAddress) ? (pair.liquidityUsd ?? 0) : -1

/** Pools that market data and RugCheck list, the deepest against trusted quotes first. */
const listedPools = (
  market: Fact<ReadonlyArray<MarketPair>>,
  rugCheck: Fact<RugCheckReport | null>
): ReadonlyArray<SolanaAddress> => {
  const pairs = market.known ? market.value.toSorted((a, b) => quoteDepth(b) - quoteDepth(a)) : []
  const markets = rugCheck.known ? (rugCheck.value?.markets ?? []) : []
  const addresses = [...pairs.map(({ pairAddress }) => pairAddress), ...markets.map(({ pubkey }) => pubkey)]
  return [...new Set(addresses)].filter(isSolanaAddress)
}

/**
 * Second wave: the pools that market data and RugCheck list, with the positions in them, the largest token accounts,
 * and who holds the LP tokens known so far.
 */
const secondWave = Effect.fn("SolanaPlan.secondWave")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  reads: Reads
) {
  const listed = listedPools(reads.market, reads.rugCheck)
    .filter((address) => address !== reads.derived.curve && !reads.book.has(address))
    .slice(0, MAX_POOLS)
  const holders = reads.largest.known ? reads.largest.value.map(({ address }) => address) : []
  const pointed = pointedElsewhere(reads, mint)
  const [{ book }, largestLp, positions, stakePool] = yield* Effect.all(
    [
      readInto(up, reads.book, [...listed, ...holders, ...(pointed === null ? [] : [pointed])], POOL_SLICE),
      listLargest(up, earlyLpMints(reads, listed)),
      findPositions(up, likelyPlaces(reads, listed)),
      findStakePool(up, mint, reads)
    ],
    { concurrency: "unbounded" }
  )
  const candidates = [...new Set([...reads.candidates, ...listed])]
  return { reads: { ...reads, book, candidates, stakePool }, largestLp, positions }
})

type Second = Effect.Effect.Success<ReturnType<typeof secondWave>>

const everyAccount = ({ operator, permanent, timed, wallets }: LpAccounts): ReadonlyArray<SolanaAddress> => [
  ...permanent,
  ...operator,
  ...timed.map(({ vault }) => vault),
  ...wallets
]

/** Third wave: vaults, LP mints and holders, what stands beside pools, and the programs behind the largest holders. */
const thirdWave = Effect.fn("SolanaPlan.thirdWave")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  { largestLp: early, positions: named, reads }: Second
) {
  const pools = poolsOf(reads, mint)
  const traced = tracedPools(reads, mint)
  const lpMints = traced.flatMap((one) => lpMintOf(one) ?? [])
  const lpAccounts = new Map(
    traced.map((one) => {
      const lpMint = lpMintOf(one)
      const wallets = suspects(reads, one.pool, mint)
      const place = { address: one.address, kind: one.pool.kind }
      return [
        one.address,
        lpMint === null ? noLpAccounts : lpAccountsOf({ ...place, lpMint }, up.extraLockers, wallets)
      ] as const
    })
  )
  const coins = [...new Set(pools.map(([, { quoteMint }]) => quoteMint))]
    .filter((quote) => quote !== null)
    .filter((quote) => !TRUSTED_QUOTES.has(quote))
    .slice(0, MAX_COIN_QUOTES)
  const companions = pools.flatMap(([, pool]) => pool.companions)
  const small = [
    ...pools.flatMap(([, { quoteVault, tokenVault }]) =>
      [quoteVault, tokenVault].filter((vault) => vault !== null)
    ),
    ...lpMints,
    ...(reads.largest.known ? ownersOf(reads.largest.value, reads.book) : []),
    ...[...lpAccounts.values()].flatMap(everyAccount),
    ...[...early.values()].flatMap((list) => (list.known ? list.value.map(({ address }) => address) : []))
  ]
  const large = [...companions, ...coins.flatMap(quoteAccounts)]
  const [smallRead, largeRead, late, coinHolders, unnamed, owners, streams] = yield* Effect.all(
    [
      readInto(up, reads.book, small, OWNER_SLICE),
      readInto(up, reads.book, large, COMPANION_SLICE),
      listLargest(
        up,
        lpMints.filter((lpMint) => !early.has(lpMint))
      ),
      listLargest(up, coins),
      findPositions(up, unnamedPlaces(traced, named)),
      askOwners(up, { mint, book: reads.book, pools: traced, positions: named }),
      findStreams(up, mint, reads)
    ],
    { concurrency: "unbounded" }
  )
  const largest: LargestByMint = new Map([...early, ...late])
  return {
    reads: { ...reads, book: merge(smallRead.book, largeRead.book), coinHolders, streams },
    traced,
    lpAccounts,
    largest,
    positions: new Map([...named, ...unnamed]),
    unnamed,
    owners
  }
})

type Third = Effect.Effect.Success<ReturnType<typeof thirdWave>>

/** Listed accounts of LP tokens and quotes, and owners that are programs' addresses: their accounts may be locks. */
const programOwners = ({ largest, reads, traced }: Third) => {
  const lists = traced.flatMap((one) => {
    const list = largest.get(lpMintOf(one) ?? SYSTEM_PROGRAM)
    return list?.known === true ? list.value : []
  })
  const owners = ownersOf(lists, reads.book).filter((owner) => !isWallet(owner))
  const coins = [...reads.coinHolders.values()].flatMap((list) => (list.known ? list.value : []))
  return [...[...lists, ...coins].map(({ address }) => address), ...owners]
}

type Weights = ReturnType<typeof weighAll>

/**
 * Accounts that follow from the positions: their locks and tokens, and whole ones where the lock stands in themselves.
 */
const readDerived = Effect.fn("SolanaPlan.readPositions")(function* (
  up: Upstreams,
  { reads, traced }: Third,
  weighed: Weights
) {
  const accountsOf = (isLong: boolean) =>
    traced.flatMap(({ address, pool }) => {
      const one = weighed.get(address)
      return one !== undefined && (pool.kind === "meteora-dlmm") === isLong
        ? positionAccounts(pool.kind, one)
        : []
    })
  const [short, long] = yield* Effect.all(
    [
      readInto(up, reads.book, accountsOf(false), OWNER_SLICE),
      readInto(up, reads.book, accountsOf(true), POSITION_SLICE)
    ],
    { concurrency: "unbounded" }
  )
  return merge(short.book, long.book)
})

const readHolders = (up: Upstreams, { reads }: Third, { holders }: PositionOwners) => {
  const tokens = [...holders.values()].flatMap((list) =>
    list.known ? list.value.filter(({ amount }) => amount === 1n).map(({ address }) => address) : []
  )
  return Effect.map(readInto(up, reads.book, tokens, OWNER_SLICE), ({ book }) => book)
}

/**
 * What runs beside the simulation: the owners behind LP tokens and positions. Nothing it finds decides what the
 * waves before must read.
 */
const lastWave = Effect.fn("SolanaPlan.lastWave")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  third: Third
) {
  const { largest, lpAccounts, positions, reads, traced, unnamed } = third
  const weighed = weighAll(traced, positions, mint, reads.book)
  const [lp, locks, derived, held, late] = yield* Effect.all(
    [
      readInto(up, reads.book, programOwners(third), OWNER_SLICE),
      findLpLocks(up, reads.book, traced, lpAccounts),
      readDerived(up, third, weighed),
      readHolders(up, third, third.owners),
      // Of the shallower pools that nobody named before they were read. Who holds the tokens of their positions would
      // take another wave to find out: it stays unknown, which costs certainty and no time.
      askLocks(up, { mint, book: reads.book, pools: traced, positions: unnamed })
    ],
    { concurrency: "unbounded" }
  )
  const book = [derived, held].reduce(merge, lp.book)
  const owners = joinOwners(third.owners, late)
  const time = clockOf(reads)
  const readings = traced.map((one) => {
    const weights = weighed.get(one.address)
    const context = { kind: one.pool.kind, pool: one.address, book, time, ...owners }
    const reading: LpReading = {
      accounts: lpAccounts.get(one.address) ?? noLpAccounts,
      largest: largest.get(lpMintOf(one) ?? SYSTEM_PROGRAM) ?? noLpReading.largest,
      positions: weights === undefined ? noLpReading.positions : known(positionShares(weights, context)),
      locks
    }
    return [one.address, reading] as const
  })
  return { ...reads, book, lp: new Map(readings) }
})

/**
 * Reads everything one screening needs in three waves and a last one beside the simulation. Fails only where the
 * Solana node did not answer; every other missing source stays a missing fact.
 */
export const collect = Effect.fn("SolanaPlan.collect")(function* (up: Upstreams, mint: SolanaAddress) {
  const first = yield* firstWave(up, mint)
  if (first.reading.kind !== "mint") return first
  const second = yield* secondWave(up, mint, first)
  const third = yield* thirdWave(up, mint, second)
  const [last, exit] = yield* Effect.all([lastWave(up, mint, third), tryExits(up, third.reads, mint)], {
    concurrency: "unbounded"
  })
  return { ...last, exit }
})
