import type { SolanaAddress } from "../../domain/address.ts"
import type { Fact } from "../../domain/fact.ts"
import { known, mapFact, missing } from "../../domain/fact.ts"
import type { RugCheckMarket } from "../../market/market-data.ts"
import type { SolanaEvidence } from "./evidence.ts"
import type { DecodedPool } from "./pools/decoded-pool.ts"
import { poolsOf } from "./pools/found.ts"
import type { PoolLock } from "./pools/lp-reading.ts"
import { depthsOf, withoutDear } from "./pools/costs.ts"
import { contradicts, lpFacts, withRugCheck } from "./pools/lp-facts.ts"
import { noLpReading } from "./pools/lp-reading.ts"
import { poolLock } from "./pools/lp-lock.ts"
import { poolFact, rugCheckShare } from "./pools/pool-fact.ts"
import { priceFacts, withinReach } from "./pools/price.ts"
import { solPrice, tradesAtItsRatio } from "./pools/quote-price.ts"
import { saidUsd } from "./pools/said.ts"
import { unseasoned } from "./pools/seasoned.ts"
import { withSharedQuotes } from "./pools/shared-quotes.ts"
import { spentCurvesOf } from "./pools/spent.ts"
import type { HolderFacts } from "./power/exits.ts"
import { exitsOf } from "./power/exits.ts"
import { metadataFacts } from "./power/metadata.ts"
import { insiderGroup } from "./power/insiders.ts"
import { tracePartiesOf } from "./power/parties.ts"
import type { KnownPool } from "./power/places.ts"
import { TRUSTED_MINTS } from "./power/trusted-mints.ts"
import { isMostlyRead, unreadUsd } from "./pools/unread.ts"
import type { ChainClock } from "./reads/clock.ts"
import { clockOf } from "./reads/clock.ts"
import type { Reads } from "./reads/reads.ts"
import { suspects } from "./pools/lp-accounts.ts"
import { mintsForItsWorth } from "./power/stake-pool.ts"

const rugCheckMarkets = (reads: Reads): ReadonlyMap<string, RugCheckMarket> =>
  new Map(
    (reads.rugCheck.known ? (reads.rugCheck.value?.markets ?? []) : []).map((market) => [
      market.pubkey,
      market
    ])
  )

/** A lock RugCheck denies is no longer certain: what was proven locked may then be anybody's. */
const doubted = (own: PoolLock, rugCheckLocked: number | null): PoolLock => {
  const locked = withRugCheck(own, rugCheckLocked)
  const inDoubt = own.locked.low - locked.low
  return inDoubt > 0 ? { ...own, locked, unseen: Math.min(1, own.unseen + inDoubt) } : { ...own, locked }
}

interface Pools {
  readonly known: ReadonlyMap<SolanaAddress, KnownPool>
  readonly sol: Fact<number>
  readonly pairs: number
  readonly lockDisputed: boolean
}

/** What the node, market data and, where neither tells, the token's own pools say of SOL. */
const solOf = (reads: Reads, mint: SolanaAddress): Fact<number> => {
  const ratios = new Set<string>(
    poolsOf(reads, mint).flatMap(([address, pool]) => (tradesAtItsRatio(pool) ? [address] : []))
  )
  const tokenPairs = mapFact(reads.market, (pairs) =>
    pairs.filter(({ pairAddress }) => ratios.has(pairAddress))
  )
  return solPrice(reads.book, reads.solPairs, tokenPairs)
}

const knownPools = (reads: Reads, mint: SolanaAddress, decimals: number, time: ChainClock): Pools => {
  const markets = rugCheckMarkets(reads)
  const sol = solOf(reads, mint)
  const context = { book: reads.book, coinHolders: reads.coinHolders, mint, decimals, sol, time }
  let lockDisputed = false
  const found = poolsOf(reads, mint).map(([address, pool]) => {
    const reading = reads.lp.get(address) ?? noLpReading
    const own = poolLock({ pool, token: mint }, reading, reads.book, time.seconds)
    const rugCheckLocked = pool.claim.kind === "lp-tokens" ? rugCheckShare(markets.get(address)) : null
    lockDisputed ||= contradicts(own, rugCheckLocked)
    const fact = poolFact(address, pool, context, {
      lock: doubted(own, rugCheckLocked),
      rugCheckLocked,
      reachable: reading.positions.known ? reading.positions.value.reachable : null,
      offered: reading.positions.known ? reading.positions.value.offered : null
    })
    return { pool, fact }
  })
  const taxed = { reading: reads.reading, epoch: time.epoch, trusted: TRUSTED_MINTS.get(mint) ?? null }
  const usable = withoutDear(withSharedQuotes(found, context), taxed)
  const facts = withinReach(usable)
  const listed = reads.market.known ? reads.market.value.map(({ pairAddress }) => pairAddress) : []
  return {
    known: new Map(
      found.flatMap(({ pool }, index) => {
        const fact = facts[index]
        return fact === undefined ? [] : [[fact.address, { pool, fact }] as const]
      })
    ),
    pairs: new Set([...facts.map(({ address }) => address), ...listed, ...markets.keys()]).size,
    lockDisputed,
    sol
  }
}

/** A pool with less of all liquidity than this is one that somebody put beside the market. */
const TELLING = 0.1

/** In some programs whoever opens a pool signs as its maker; in DAMM v2 he may name anybody: a small one tells nothing of whom it names. */
const makersTold = (pools: Pools["known"]): ReadonlyArray<DecodedPool> => {
  const usd = ({ fact }: KnownPool): number => fact.quoteUsd ?? 0
  const total = [...pools.values()].reduce((sum, one) => sum + usd(one), 0)
  return [...pools.values()].map((one) =>
    one.pool.kind === "meteora-damm-v2" && usd(one) < total * TELLING
      ? { ...one.pool, creator: null }
      : one.pool
  )
}

const holdersOf = (
  reads: Reads,
  mint: SolanaAddress,
  pools: Pools["known"],
  now: number
): Fact<HolderFacts> => {
  if (reads.reading.kind !== "mint") return missing("there is no readable mint")
  if (!reads.largest.known) return missing(reads.largest.why)
  const { supply } = reads.reading.mint
  if (supply === 0n) return missing("the mint counts no supply")
  const parties = tracePartiesOf({
    mint,
    token: reads.reading.mint,
    largest: reads.largest.value,
    book: reads.book,
    pools,
    saidPools: new Set<string>(saidUsd(reads).keys()),
    spent: spentCurvesOf(reads, mint),
    protocolAccounts: new Set<string>([...reads.derived.curveVaults, ...reads.derived.mayhemVaults]),
    curves: new Set<string>([reads.derived.curve, reads.derived.moonshot]),
    streams: reads.streams,
    now
  })
  const creators = makersTold(pools).flatMap((pool) => suspects(reads, pool, mint))
  const report = reads.rugCheck.known ? reads.rugCheck.value : null
  const depths = depthsOf([...pools.values()].map(({ fact }) => fact))
  return known(
    exitsOf(parties, Number(supply), depths, insiderGroup(report, parties, Number(supply), creators))
  )
}

/** Puts what was read together into the evidence the signals judge. Pure. */
export const assemble = (reads: Reads, mint: SolanaAddress): SolanaEvidence => {
  const decimals = reads.reading.kind === "mint" ? reads.reading.mint.decimals : 0
  const time = clockOf(reads)
  const pools = knownPools(reads, mint, decimals, time)
  const facts = reads.reading.kind === "mint" ? [...pools.known.values()].map(({ fact }) => fact) : []
  const price = priceFacts(facts, reads.market)
  const worth = mapFact(price.usd, (usd) => usd / 10 ** decimals)
  const unread = unreadUsd(reads, mint, pools.sol, worth)
  return {
    address: mint,
    slot: reads.slot,
    accountHash: reads.accountHash,
    fetchedAt: reads.fetchedAt,
    reading: reads.reading,
    trusted: TRUSTED_MINTS.get(mint) ?? null,
    isStakePoolToken:
      reads.stakePool !== null && mintsForItsWorth(reads.stakePool, decimals, price.usd, pools.sol),
    epoch: time.epoch,
    metadata: metadataFacts(reads, mint),
    pools: facts,
    seasoned: unseasoned,
    pairs: pools.pairs,
    unreadUsd: unread,
    price,
    lp: lpFacts(facts, isMostlyRead(facts, unread)),
    holders: holdersOf(reads, mint, pools.known, time.seconds),
    market: reads.market,
    rugCheck: reads.rugCheck,
    lockDisputed: pools.lockDisputed,
    exit: reads.exit
  }
}
