import { Effect } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import { known } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import { SYSTEM_PROGRAM, TRUSTED_QUOTES } from "../addresses.ts"
import { POOL_SLICE } from "../pools/decode.ts"
import type { LpReading } from "../pools/lp-reading.ts"
import { noLpAccounts, noLpReading } from "../pools/lp-reading.ts"
import { positionShares } from "../pools/positions/owners.ts"
import { quoteAccounts } from "../pools/quote-price.ts"
import { saidOfMarket, saidOfPair } from "../pools/said.ts"
import { unseasoned } from "../pools/seasoned.ts"
import { STREAM_LENGTH } from "../power/lockers.ts"
import { pointedElsewhere } from "../power/metadata.ts"
import { makeTrials } from "../simulation/simulate.ts"
import { merge } from "./account-book.ts"
import { GUARDS_LENGTH } from "./account-extensions.ts"
import type { Ages } from "./ages.ts"
import { makeAges } from "./ages.ts"
import { clockOf } from "./clock.ts"
import { withoutClosed } from "./closed-since.ts"
import { notBehind, readInto } from "./fetch.ts"
import { firstWave } from "./first-wave.ts"
import type { ToldOwners } from "./guesses.ts"
import { guessedAccounts, guessedCoins, toldOwners } from "./guesses.ts"
import { namedBeside, withNamed } from "./holders-beside.ts"
import type { LargestByMint } from "./liquidity-owners.ts"
import { earlyLpMints, listLargest, lpMintOf } from "./liquidity-owners.ts"
import type { PositionOwners, WeighedPools } from "./position-owners.ts"
import {
  askLocks,
  askOwners,
  findPositions,
  joinOwners,
  likelyPlaces,
  unnamedPlaces,
  weighAll
} from "./position-owners.ts"
import {
  findEarningLocks,
  findLpLocks,
  findLpStreams,
  findStakePool,
  findStreams,
  hasStreams
} from "./program-search.ts"
import type { Reads, Upstreams } from "./reads.ts"
import type { Wanted } from "./wanted.ts"
import { programOwners, wantedOf, weighedAccounts } from "./wanted.ts"

/** Listed pools that are read, the deepest of each list first. */
const MAX_POOLS = 24
/** Longest account of those beside a pool: an array of bins. */
const COMPANION_SLICE = 10_136
/** Long enough for a token account with its extensions and for a locker's terms. */
const OWNER_SLICE = Math.max(GUARDS_LENGTH, STREAM_LENGTH)

const quoteDepth = (pair: MarketPair): number =>
  pair.quoteAddress !== null && TRUSTED_QUOTES.has(pair.quoteAddress) ? saidOfPair(pair) : -1

/** Pools that market data and RugCheck list and nobody has read yet, the deepest against trusted quotes first. */
const listedPools = ({ book, derived, market, rugCheck }: Reads): ReadonlyArray<SolanaAddress> => {
  const pairs = market.known ? market.value.toSorted((a, b) => quoteDepth(b) - quoteDepth(a)) : []
  const markets = (rugCheck.known ? (rugCheck.value?.markets ?? []) : []).toSorted(
    (a, b) => saidOfMarket(b) - saidOfMarket(a)
  )
  const addresses = [...pairs.map(({ pairAddress }) => pairAddress), ...markets.map(({ pubkey }) => pubkey)]
  return [...new Set(addresses)]
    .filter(isSolanaAddress)
    .filter((address) => address !== derived.curve && !book.has(address))
    .slice(0, MAX_POOLS)
}

/** Pools, with accounts that may be theirs and owners that are told. */
const SECOND_SLICE = Math.max(POOL_SLICE, OWNER_SLICE)

/** What the second wave reads, beside the pools themselves. */
interface First {
  readonly reads: Reads
  readonly listed: ReadonlyArray<SolanaAddress>
  readonly told: ToldOwners
}

/**
 * Second wave: the pools that market data and RugCheck list, with the positions in them, the largest token accounts,
 * who holds the LP tokens known so far, all that follows from the first wave, and what others say would follow.
 */
const secondWave = Effect.fn("SolanaPlan.secondWave")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  { listed, reads, told }: First
) {
  const holders = reads.largest.known ? reads.largest.value.map(({ address }) => address) : []
  const named = namedBeside(reads)
  const pointed = pointedElsewhere(reads, mint)
  const next = wantedOf(reads, mint, up.extraLockers)
  const coins = guessedCoins(reads)
  const accounts = [
    ...listed,
    ...holders,
    ...named,
    ...(pointed === null ? [] : [pointed]),
    ...next.small,
    ...told.values(),
    ...guessedAccounts(reads, mint, listed)
  ]
  const large = [...next.large, ...coins.flatMap(quoteAccounts)]
  const [small, companions, largestLp, coinHolders, positions, stakePool, streams] = yield* Effect.all(
    [
      readInto(up, reads.book, accounts, SECOND_SLICE),
      readInto(up, reads.book, large, COMPANION_SLICE),
      listLargest(up, earlyLpMints(reads, listed)),
      listLargest(up, coins),
      findPositions(up, likelyPlaces(reads, listed)),
      findStakePool(up, mint, reads),
      hasStreams(reads, told) ? findStreams(up, mint) : Effect.succeed(null)
    ],
    { concurrency: "unbounded" }
  )
  const candidates = [...new Set([...reads.candidates, ...listed])]
  const book = merge(small.book, companions.book)
  const largest = withNamed(reads.largest, named, mint, book)
  return {
    reads: { ...reads, book, candidates, coinHolders, largest, stakePool },
    largestLp,
    positions,
    streams
  }
})

type Second = Effect.Effect.Success<ReturnType<typeof secondWave>>

/** Third wave: what the second has shown to be wanted, and not only guessed. */
const thirdWave = Effect.fn("SolanaPlan.thirdWave")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  { largestLp: early, positions: named, reads, streams: told }: Second,
  wanted: Wanted
) {
  const { coins, lpAccounts, lpMints, traced } = wanted
  const small = [
    ...wanted.small,
    ...[...early.values()].flatMap((list) => (list.known ? list.value.map(({ address }) => address) : [])),
    ...weighedAccounts(traced, weighAll(traced, named, mint, reads.book))
  ]
  const [smallRead, largeRead, late, coinHolders, unnamed, owners, streams, holders] = yield* Effect.all(
    [
      readInto(up, reads.book, small, OWNER_SLICE),
      readInto(up, reads.book, wanted.large, COMPANION_SLICE),
      listLargest(
        up,
        lpMints.filter((lpMint) => !early.has(lpMint))
      ),
      listLargest(
        up,
        coins.filter((coin) => !reads.coinHolders.has(coin))
      ),
      findPositions(up, unnamedPlaces(traced, named)),
      askOwners(up, { mint, book: reads.book, pools: traced, positions: named }),
      // A contract counts only where an account owns itself, whatever was told.
      hasStreams(reads, new Map())
        ? told === null
          ? findStreams(up, mint)
          : Effect.succeed(told)
        : Effect.succeed(reads.streams),
      withoutClosed(up, mint, reads)
    ],
    { concurrency: "unbounded" }
  )
  const largest: LargestByMint = new Map([...early, ...late])
  const book = merge(holders.book, merge(smallRead.book, largeRead.book))
  return {
    reads: {
      ...reads,
      book,
      largest: holders.largest,
      coinHolders: new Map([...reads.coinHolders, ...coinHolders]),
      streams
    },
    traced,
    lpAccounts,
    largest,
    positions: new Map([...named, ...unnamed]),
    unnamed,
    owners
  }
})

type Third = Effect.Effect.Success<ReturnType<typeof thirdWave>>

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
  third: Third,
  weighed: WeighedPools
) {
  const { largest, lpAccounts, reads, traced, unnamed } = third
  const [lp, locks, earning, streams, held, late] = yield* Effect.all(
    [
      readInto(
        up,
        reads.book,
        [...programOwners(traced, largest, reads), ...weighedAccounts(traced, weighed)],
        OWNER_SLICE
      ),
      findLpLocks(up, reads.book, traced, lpAccounts),
      findEarningLocks(up, mint, reads.book, traced),
      findLpStreams(up, reads.book, largest),
      readHolders(up, third, third.owners),
      // Of the shallower pools that nobody named before they were read. Who holds the tokens of their positions would
      // take another wave to find out: it stays unknown, which costs certainty and no time.
      askLocks(up, { mint, book: reads.book, pools: traced, positions: unnamed })
    ],
    { concurrency: "unbounded" }
  )
  const book = merge(lp.book, held)
  const owners = joinOwners(third.owners, late)
  const time = clockOf(reads)
  const readings = traced.map((one) => {
    const weights = weighed.get(one.address)
    const context = { kind: one.pool.kind, pool: one.address, book, time, ...owners }
    const reading: LpReading = {
      accounts: lpAccounts.get(one.address) ?? noLpAccounts,
      largest: largest.get(lpMintOf(one) ?? SYSTEM_PROGRAM) ?? noLpReading.largest,
      positions: weights === undefined ? noLpReading.positions : known(positionShares(weights, context)),
      locks,
      streams,
      earning: earning.get(one.address) ?? noLpReading.earning
    }
    return [one.address, reading] as const
  })
  return { ...reads, book, lp: new Map(readings) }
})

/** What was read, and how long the pools among it have held what they hold, which few screenings need to know. */
export interface Collected {
  readonly reads: Reads
  readonly seasoned: ReturnType<Ages["conclude"]>
}

const noneSeasoned: Collected["seasoned"] = Effect.succeed(unseasoned)

/**
 * Reads everything one screening needs, in two waves where third parties tell the owners of the largest accounts and
 * every pool is derivable, in three or four elsewhere; README.md draws who needs what. Fails only where the Solana
 * node did not answer; every other missing source stays a missing fact.
 */
export const collect = Effect.fn("SolanaPlan.collect")(function* (upstreams: Upstreams, mint: SolanaAddress) {
  const reads = yield* firstWave(upstreams, mint)
  const up = notBehind(upstreams, reads.slot)
  if (reads.reading.kind !== "mint") return { reads, seasoned: noneSeasoned }
  const trials = yield* makeTrials(up, mint)
  const ages = yield* makeAges(up, mint)
  yield* ages.prepare(reads)
  const told = toldOwners(reads)
  const listed = listedPools(reads)
  yield* trials.begin(reads, listed, told)
  const second = yield* secondWave(up, mint, { reads, listed, told })
  yield* trials.begin(second.reads, listed)
  const wanted = wantedOf(second.reads, mint, up.extraLockers)
  yield* ages.begin(second.reads, wanted.lpAccounts)
  const third = yield* thirdWave(up, mint, second, wanted)
  const weighed = weighAll(third.traced, third.positions, mint, third.reads.book)
  const [last, exit] = yield* Effect.all(
    [lastWave(up, mint, third, weighed), trials.conclude(third.reads, weighed)],
    { concurrency: "unbounded" }
  )
  const all: Reads = { ...last, exit }
  return { reads: all, seasoned: ages.conclude(all) }
})
