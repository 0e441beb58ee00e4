import { max, min, sum } from "../../../domain/bigint.ts"
import type { BaseEvidence, PoolEvidence } from "../evidence.ts"
import { isYoung } from "./age.ts"
import { isV2 } from "../pools/pool.ts"
import { soldUntil } from "../pools/sale-curve.ts"

/** What the largest holder or group could take by selling, as a share of the pools' money, 0 to 1. */
export interface InsiderSale {
  /** By what is known of holders and positions. */
  readonly certain: number
  /**
   * If all that is not known were one holder's, too: pools' positions, supply in lockers that may let it go, what stands in
   * exchanges' common accounts beside the pools that were read, where anybody may have a claim to it, and what the supply
   * has beyond every balance that was found (not where a whole market's holders were left out).
   */
  readonly possible: number
}

/** Smallest units, more than any token has. */
const MOST = 1e60

/** How many smallest units of the token stand against a pool's money, at the price of the deepest pool. */
const standingAgainst = (price: number, decimals: number) => (pool: PoolEvidence) =>
  BigInt(Math.floor(Math.min((pool.quoteUsd / price) * 10 ** decimals, MOST)))

const MILLION = 1_000_000n
const part = (amount: bigint, share: number): bigint =>
  (amount * BigInt(Math.round(share * Number(MILLION)))) / MILLION

/** Below this share of the market's price tokens in a concentrated pool are taken to wait for whoever buys them. */
const CHEAP = 0.8

/**
 * What anybody could buy out of a pool for less than it sells for elsewhere, whoever its liquidity belongs to: supply
 * that waits beside next to no money, or against a quote worth nothing that its maker has without end. Exact for
 * constant products, which pay up to the market's price; of others all that is there.
 */
const waiting = (pool: PoolEvidence, price: number): bigint => {
  const ratio = pool.priceUsd === null ? 0 : Math.min(1, pool.priceUsd / price)
  if (ratio === 0) return pool.tokenReserve
  if (isV2(pool)) return part(pool.tokenReserve, 1 - Math.sqrt(ratio))
  return ratio < CHEAP ? pool.tokenReserve : 0n
}

/** LP tokens of V2-type pools stand for both sides alike; what money does not stand against was parked there. */
const owned = (pool: PoolEvidence, against: bigint): NonNullable<PoolEvidence["parked"]> => {
  if (pool.parked !== null) return pool.parked
  const loose = part(max(pool.tokenReserve - against, 0n), 1 - (pool.lockedShare ?? 0))
  return { certain: isV2(pool) && pool.lockedShare !== null ? loose : 0n, possible: loose, others: 0n }
}

/**
 * What a V2-type pool holds beside its record: `skim` gives it to whoever asks first. Where the token did not tell, it may
 * be all there is. Other pools count as theirs whatever they hold.
 */
const unrecorded = (pool: PoolEvidence, supply: bigint): bigint =>
  isV2(pool) ? max((pool.tokenBalance ?? supply) - pool.tokenReserve, 0n) : 0n

/** The most that accounts nobody looked at can hold together. */
const unseen = ({ holders, shape }: Pick<BaseEvidence, "holders" | "shape">): bigint =>
  holders.complete.known || holders.scattered ? 0n : max((shape.supply ?? 0n) - holders.found, 0n)

/**
 * What accounts and owners of positions have that nobody bought, whoever they are: many wallets cost nothing, and what one
 * had put into a pool it had before.
 */
const given = (
  evidence: Market & Pick<BaseEvidence, "holders">,
  places: ReadonlyArray<Place>,
  parked: bigint
) => {
  const { bought, outside, paidUsd } = evidence.holders
  if (bought === null) return 0n
  const counted = paidUsd === null ? bought : min(bought, worthOf(evidence, places, paidUsd))
  return max(outside + parked - counted, 0n)
}

/** So few wallets with so much are what one party's supply looks like once it has been cut in uneven pieces. */
const FEW = { three: 0.4, ten: 0.5 } as const

/** Everything outside pools, burn addresses and lockers, whether it was found or not. */
const allOutside = ({ found, outside, scattered }: BaseEvidence["holders"], supply: bigint): bigint =>
  scattered ? max(outside, supply - (found - outside)) : outside

/**
 * What a few wallets have that may all be one hand's, whatever they paid: of a market in which nobody yet had a month to
 * sell, whoever bought most from it may be who opened it. Nothing where many share it.
 */
const fewOf = (evidence: Holding, supply: bigint): bigint => {
  if (!isYoung(evidence)) return 0n
  const { largestTen, largestThree } = evidence.holders
  const outside = Number(allOutside(evidence.holders, supply))
  if (Number(largestTen) >= outside * FEW.ten) return largestTen
  return Number(largestThree) >= outside * FEW.three ? largestThree : 0n
}

type Holding = Pick<BaseEvidence, "age" | "established" | "hadMoney" | "holders" | "shape">

type Market = Pick<BaseEvidence, "pools" | "shape">

/** A pool with money. */
interface Place {
  readonly pool: PoolEvidence
  /** Smallest units of the token that its money is worth at the market's price. */
  readonly reserve: number
  /** Root of its own price, where the market's is one; null where it has none. */
  readonly root: number | null
}

/** The price of the deepest pool that has one, and what stands against a pool's money at it; null where none has. */
const marketOf = ({ pools, shape }: Market) => {
  const price = pools.find(({ priceUsd, quoteUsd }) => priceUsd !== null && quoteUsd > 0)?.priceUsd ?? null
  if (price === null) return null
  const against = standingAgainst(price, shape.decimals ?? 18)
  const places = pools
    .map((pool): Place => {
      const root = pool.priceUsd === null || pool.priceUsd === 0 ? null : Math.sqrt(pool.priceUsd / price)
      return { pool, reserve: Number(against(pool)), root }
    })
    .filter(({ reserve }) => reserve > 0)
  return places.length === 0 ? null : { price, against, places }
}

/** A pool of which is known how its price falls. */
interface Followed extends Place {
  readonly root: number
}

/** What is sold, and what is paid for it, in smallest units of the token; money at the market's price. */
interface Sale {
  readonly tokens: number
  readonly money: number
}

/** Constant products; concentrated pools where all their liquidity is known. */
const isFollowed = (place: Place): place is Followed =>
  place.root !== null &&
  ((isV2(place.pool) && place.pool.stable !== true) ||
    (place.pool.curve !== undefined && place.pool.curve.length > 0))

/** What is sold in a pool until the root of its price has fallen to where it is, and what of its money is paid for it. */
const soldIn = ({ pool: { curve }, reserve, root }: Followed, to: number): Sale => {
  const share = Math.min(1, to / root)
  if (curve === undefined)
    return { tokens: (reserve / root ** 2) * (1 / share - 1), money: reserve * (1 - share) }
  const { quote, tokens } = soldUntil(curve, share)
  return { tokens, money: reserve * (quote / soldUntil(curve, 0).quote) }
}

const TURNS = 80
const sumOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)

/**
 * Sold where it pays best, prices fall to one and the same. To which, is found by halves: at `low` enough is sold, at
 * `high` it is not.
 */
const fallenUntil = (followed: ReadonlyArray<Followed>, isEnough: (sold: Sale) => boolean) => {
  const soldAt = (to: number): Sale => {
    const sales = followed.map((place) => soldIn(place, to))
    return { tokens: sumOf(sales.map(({ tokens }) => tokens)), money: sumOf(sales.map(({ money }) => money)) }
  }
  let [low, high] = [0, Math.max(1, ...followed.map(({ root }) => root))]
  for (let turn = 0; turn < TURNS; turn++) {
    const middle = (low + high) / 2
    if (isEnough(soldAt(middle))) low = middle
    else high = middle
  }
  return { low: soldAt(low), high: soldAt(high) }
}

/** The pools' money, and what of it a pool that is not followed may pay at the market's price down to its last coin. */
const moneyIn = (places: ReadonlyArray<Place>, followed: ReadonlyArray<Followed>) => {
  const all = sumOf(places.map(({ reserve }) => reserve))
  return { all, level: all - sumOf(followed.map(({ reserve }) => reserve)) }
}

/** The share of the pools' money that so much would take if it were sold at once where it pays best. */
const takenFrom = (places: ReadonlyArray<Place>, amount: bigint): number => {
  const followed = places.filter(isFollowed)
  const { all, level } = moneyIn(places, followed)
  const rest = Number(amount) - level
  if (rest <= 0) return Number(amount) / all
  const { low } = fallenUntil(followed, ({ tokens }) => tokens >= rest)
  return Math.min(1, (level + low.money) / all)
}

/** Prices of money move between a purchase and now, and so may what was paid be worth more than it was. */
const SLACK = 1.25
const isPriced = (place: Place): place is Followed => place.root !== null

/**
 * How many smallest units sold at once bring back so much money. Who bought for little before there was a market holds
 * what takes other people's money, as if it had been given to him. What is not followed pays as constant products do.
 */
const worthOf = ({ pools, shape }: Market, places: ReadonlyArray<Place>, usd: number): bigint => {
  const supply = shape.supply ?? 0n
  const priced = places.filter(isPriced)
  const { all, level } = moneyIn(places, priced)
  const paid = all * ((usd * SLACK) / sumOf(pools.map(({ quoteUsd }) => quoteUsd)))
  if (paid >= all) return supply
  if (!(paid > 0)) return 0n
  const rest = paid - level
  const units = rest <= 0 ? paid : level + fallenUntil(priced, ({ money }) => money > rest).high.tokens
  return min(supply, BigInt(Math.floor(Math.min(units, MOST))))
}

/** The share of the pools' money that so many smallest units would take if all were sold at once. */
export const lossBySale = (market: Market, sold: bigint): number | null => {
  const found = marketOf(market)
  return found === null ? null : takenFrom(found.places, sold)
}

/**
 * The share of the pools' money that the largest holder, or the largest linked group, would take by selling all it has
 * into them at once, together with supply that somebody parked in pools and can take out; null where no pool of value or
 * no supply is known. What counts of a pool is its money, whatever tokens stand beside it.
 */
export const insiderSale = (
  evidence: Market & Holding & Pick<BaseEvidence, "unread">
): InsiderSale | null => {
  const { holders, pools, shape, unread } = evidence
  const market = marketOf({ pools, shape })
  if (market === null || shape.supply === null) return null
  const { against, places, price } = market
  const { supply } = shape
  const inAll = (of: (pool: PoolEvidence) => bigint) => sum(pools.map(of))
  const held = max(holders.insiders, holders.largest)
  const hidden = holders.looselyLocked + unseen({ holders, shape }) + (unread ?? 0n)
  const parked = inAll(
    (pool) => max(owned(pool, against(pool)).possible, waiting(pool, price)) + unrecorded(pool, supply)
  )
  const others = inAll((pool) => owned(pool, against(pool)).others)
  return {
    certain: takenFrom(places, held + inAll((pool) => owned(pool, against(pool)).certain)),
    possible: takenFrom(
      places,
      max(max(held, fewOf(evidence, supply)), given(evidence, places, others)) + hidden + parked
    )
  }
}
