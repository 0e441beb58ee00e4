import type { Address } from "viem"
import type { MarketPair } from "../../../market/market-data.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { QuoteToken } from "../addresses.ts"
import { FEEDS, SECOND_RING, USDC, WETH, lower, quoteToken } from "../addresses.ts"
import { poolsAgainst } from "./pool-search.ts"
import { type PoolReading, type PoolState, type SeenPool, readingJustFound, seenPool } from "./pool-state.ts"
import type { PlainQuery, Query } from "../reads/query.ts"
import { callData, list, mapQuery, read, wordAt } from "../reads/query.ts"

/** One round of a Chainlink feed. */
export interface FeedRound {
  readonly answer: bigint
  readonly updatedAt: bigint
  readonly startedAt: bigint
}

/** A feed older than twice its heartbeat of 1200 s says nothing about now. */
const MAX_FEED_AGE = 2400n
/** Two independent prices of one thing may differ by this share before neither is believed. */
const MAX_DISAGREEMENT = 0.1
/** A reference pool with less USDC than this is somebody's toy. */
const MIN_REFERENCE_USD = 10_000
/** Of what reference pools price. */
export const MONEY_DECIMALS = 18
/** Feeds answer with 8 decimals. */
const FEED_UNIT = 1e8

const feedRound = (feed: Address): Query<FeedRound | undefined> =>
  read(feed, callData("latestRoundData()"), (data) => {
    const [answer, startedAt, updatedAt] = [wordAt(data, 1), wordAt(data, 2), wordAt(data, 3)]
    if (answer === undefined || startedAt === undefined || updatedAt === undefined) return undefined
    return { answer: BigInt.asIntN(256, answer), startedAt, updatedAt }
  })

export interface Feeds {
  readonly eth: FeedRound | undefined
  readonly btc: FeedRound | undefined
  readonly sequencer: FeedRound | undefined
}

export const readFeeds: Query<Feeds> = mapQuery(
  list([feedRound(FEEDS.ethUsd), feedRound(FEEDS.btcUsd), feedRound(FEEDS.sequencer)]),
  ([eth, btc, sequencer]) => ({ eth, btc, sequencer })
)

/** A pool that prices money, of the money it prices. */
export interface ReferencePool extends SeenPool {
  readonly of: Address
}

const referencesAgainst = (of: Address, quote: Address): PlainQuery<ReadonlyArray<ReferencePool>> =>
  mapQuery(poolsAgainst(of, quote, readingJustFound(of, MONEY_DECIMALS)), (found) =>
    found.map((pool) => ({ ...seenPool(pool), of }))
  )

/** What prices money. */
export interface References {
  readonly pools: ReadonlyArray<PoolState>
  /** Money of which a pool that its factory vouches for was not read: what it would say is not known. */
  readonly unread: ReadonlySet<Address>
}

export const referencesOf = (
  readings: ReadonlyArray<{ readonly of: Address; readonly reading: PoolReading }>
): References => ({
  pools: readings.flatMap(({ reading }) => reading ?? []),
  unread: new Set(readings.flatMap(({ of, reading }) => (reading === undefined ? [of] : [])))
})

/** Pools that price money itself: WETH against USDC, and every second-ring quote against WETH. */
export const searchReferencePools: PlainQuery<ReadonlyArray<ReferencePool>> = mapQuery(
  list([
    referencesAgainst(WETH, USDC),
    ...SECOND_RING.map(({ address }) => referencesAgainst(address, WETH))
  ]),
  (pools) => pools.flat()
)

/** USD per whole quote token, and the most USD any one pool may be credited with in it. */
export interface QuotePrice {
  readonly usd: number
  readonly maxCreditUsd: number
}

const feedPrice = (
  round: FeedRound | undefined,
  sequencer: FeedRound | undefined,
  now: bigint
): Fact<number> => {
  if (round === undefined) return missing("no price feed answers")
  if (sequencer !== undefined && sequencer.answer !== 0n) return missing("the sequencer is reported down")
  if (round.answer <= 0n) return missing("the price feed is not positive")
  if (now > round.updatedAt && now - round.updatedAt > MAX_FEED_AGE) return missing("the price feed is stale")
  return known(Number(round.answer) / FEED_UNIT)
}

export const disagree = (a: number, b: number): boolean => Math.abs(a - b) / Math.max(a, b) > MAX_DISAGREEMENT

const wholeRatio = ({ ratio }: PoolState, base: number, quote: number): number | null =>
  ratio === null ? null : ratio * 10 ** (base - quote)

/** The deepest WETH/USDC pool's price, if it is deep enough to mean anything. */
const poolEthPrice = ({ pools, unread }: References): number | undefined => {
  if (unread.has(WETH)) return undefined
  const deepest = pools
    .filter(({ token, stable }) => token === WETH && stable !== true)
    .toSorted((a, b) => Number(b.quoteReserve - a.quoteReserve))[0]
  if (deepest === undefined || Number(deepest.quoteReserve) / 1e6 < MIN_REFERENCE_USD) return undefined
  return wholeRatio(deepest, 18, 6) ?? undefined
}

/**
 * What market data takes ETH for: its USD price of the token in a WETH pool over the pool's own price in WETH. Believed
 * only where all such pools agree.
 */
const marketEthPrice = (
  pairs: ReadonlyArray<MarketPair>,
  pools: ReadonlyArray<PoolState>,
  decimals: number
): number | undefined => {
  const implied = pairs.flatMap(({ pairAddress, priceUsd }) => {
    const pool = pools.find(
      (candidate) => candidate.kind !== "v4" && candidate.address === lower(pairAddress)
    )
    if (pool === undefined || pool.quote !== WETH || priceUsd === null) return []
    const inWeth = wholeRatio(pool, decimals, 18)
    return inWeth === null ? [] : [priceUsd / inWeth]
  })
  const sorted = implied.filter((price) => Number.isFinite(price) && price > 0).toSorted((a, b) => a - b)
  const [lowest, highest] = [sorted[0], sorted.at(-1)]
  if (lowest === undefined || highest === undefined || disagree(lowest, highest)) return undefined
  return sorted[Math.floor(sorted.length / 2)]
}

/** ETH in USD: the feed where it answers, else the deepest pool, else market data; two that differ too much are none. */
export const ethPrice = (evidence: {
  readonly feeds: Feeds
  readonly now: bigint
  readonly references: References
  readonly pairs: ReadonlyArray<MarketPair>
  readonly pools: ReadonlyArray<PoolState>
  readonly decimals: number
}): Fact<number> => {
  const fed = feedPrice(evidence.feeds.eth, evidence.feeds.sequencer, evidence.now)
  const pooled = poolEthPrice(evidence.references)
  const implied = marketEthPrice(evidence.pairs, evidence.pools, evidence.decimals)
  const ranked = [fed.known ? fed.value : undefined, pooled, implied].filter((price) => price !== undefined)
  const [best, second] = ranked
  if (best === undefined) return missing(fed.known ? "no ETH price" : fed.why)
  if (second !== undefined && disagree(best, second)) return missing("sources of the ETH price disagree")
  return known(best)
}

/** Part of the deepest pool's WETH with which another pool has a say in the price. */
const SAY = 10n

/**
 * A second-ring quote through its deepest WETH pool; the credit is what that pool's WETH side is worth. Money at a price of
 * its own choosing is nobody's loss while nobody sells there, so that the deepest pool alone proves no price: none is known
 * while another says otherwise, or could not be asked.
 */
const ringPrice = (
  quote: QuoteToken,
  { pools, unread }: References,
  ethUsd: number
): QuotePrice | undefined => {
  const [deepest, ...others] = pools
    .filter(({ token, quote: against }) => token === quote.address && against === WETH)
    .toSorted((a, b) => Number(b.quoteReserve - a.quoteReserve))
  if (deepest === undefined || unread.has(quote.address)) return undefined
  const inWeth = wholeRatio(deepest, quote.decimals, 18)
  if (inWeth === null) return undefined
  const sideUsd = (Number(deepest.quoteReserve) / 1e18) * ethUsd
  const isDisputed = others.some((other) => {
    const price = wholeRatio(other, quote.decimals, 18)
    return other.quoteReserve * SAY >= deepest.quoteReserve && (price === null || disagree(price, inWeth))
  })
  return isDisputed || sideUsd < MIN_REFERENCE_USD
    ? undefined
    : { usd: inWeth * ethUsd, maxCreditUsd: sideUsd }
}

/** USD of one whole quote token, or `undefined` where it is not trusted or has no price now: then it counts nothing. */
export const quotePricer =
  (evidence: {
    readonly eth: Fact<number>
    readonly feeds: Feeds
    readonly now: bigint
    readonly references: References
    /** flETH could be turned into ether. */
    readonly redeems: boolean
  }) =>
  (address: Address): (QuotePrice & { readonly decimals: number }) | undefined => {
    const quote = quoteToken(address)
    if (quote === undefined) return undefined
    const { decimals } = quote
    const full = (usd: number) => ({ usd, maxCreditUsd: Number.POSITIVE_INFINITY, decimals })
    switch (quote.pricing) {
      case "usd":
        return full(1)
      case "eth-feed":
        return evidence.eth.known ? full(evidence.eth.value) : undefined
      case "redeemed-ether":
        return evidence.redeems && evidence.eth.known ? full(evidence.eth.value) : undefined
      case "btc-feed": {
        const btc = feedPrice(evidence.feeds.btc, evidence.feeds.sequencer, evidence.now)
        return btc.known ? full(btc.value) : undefined
      }
      case "own-weth-pool": {
        const price = evidence.eth.known
          ? ringPrice(quote, evidence.references, evidence.eth.value)
          : undefined
        return price === undefined ? undefined : { ...price, decimals }
      }
    }
  }
