import { bigger } from "../../../domain/bigger.ts"
import type { BaseEvidence, PoolEvidence } from "../evidence.ts"

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

/** How many smallest units of the token stand against a pool's money, at the price of the deepest pool. */
const standingAgainst = (price: number, decimals: number) => (pool: PoolEvidence) =>
  BigInt(Math.floor(Math.min((pool.quoteUsd / price) * 10 ** decimals, 1e60)))

const MILLION = 1_000_000n
const part = (amount: bigint, share: number): bigint =>
  (amount * BigInt(Math.round(share * Number(MILLION)))) / MILLION

const isV2 = ({ kind }: PoolEvidence): boolean => kind === "v2" || kind === "aerodrome-v2"

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
  const loose = part(bigger(pool.tokenReserve - against, 0n), 1 - (pool.lockedShare ?? 0))
  return { certain: isV2(pool) && pool.lockedShare !== null ? loose : 0n, possible: loose, others: 0n }
}

/**
 * What a V2-type pool holds beside its record: `skim` gives it to whoever asks first. Where the token did not tell, it may
 * be all there is. Other pools count as theirs whatever they hold.
 */
const unrecorded = (pool: PoolEvidence, supply: bigint): bigint =>
  isV2(pool) ? bigger((pool.tokenBalance ?? supply) - pool.tokenReserve, 0n) : 0n

/** The most that accounts nobody looked at can hold together. */
const unseen = ({ holders, shape }: Pick<BaseEvidence, "holders" | "shape">): bigint =>
  holders.complete.known || holders.scattered ? 0n : bigger((shape.supply ?? 0n) - holders.found, 0n)

/**
 * What accounts and owners of positions have that nobody bought, whoever they are: many wallets cost nothing, and what one
 * had put into a pool it had before.
 */
const given = ({ bought, outside }: BaseEvidence["holders"], parked: bigint): bigint =>
  bought === null ? 0n : bigger(outside + parked - bought, 0n)

type Market = Pick<BaseEvidence, "pools" | "shape">

/** The price of the deepest pool that has one, and what stands against all pools' money at it; null where none has. */
const marketOf = ({ pools, shape }: Market) => {
  const price = pools.find(({ priceUsd, quoteUsd }) => priceUsd !== null && quoteUsd > 0)?.priceUsd ?? null
  if (price === null) return null
  const against = standingAgainst(price, shape.decimals ?? 18)
  const reserve = pools.reduce((total, pool) => total + against(pool), 0n)
  return reserve === 0n ? null : { price, against, reserve }
}

const takenFrom = (reserve: bigint, sold: bigint): number =>
  Number((sold * 10_000n) / (reserve + sold)) / 10_000

/** The share of the pools' money that so many smallest units would take if all were sold at once. */
export const lossBySale = (market: Market, sold: bigint): number | null => {
  const found = marketOf(market)
  return found === null ? null : takenFrom(found.reserve, sold)
}

/**
 * The share of the pools' money that the largest holder, or the largest linked group, would take by selling all it has
 * into them at once, together with supply that somebody parked in pools and can take out; null where no pool of value or
 * no supply is known. What counts of a pool is its money, whatever tokens stand beside it. Constant-product pools pay
 * exactly so; in concentrated ones less would be paid and the price fall further.
 */
export const insiderSale = ({
  holders,
  pools,
  shape,
  unread
}: Market & Pick<BaseEvidence, "holders" | "unread">): InsiderSale | null => {
  const market = marketOf({ pools, shape })
  if (market === null || shape.supply === null) return null
  const { against, price, reserve } = market
  const { supply } = shape
  const sum = (of: (pool: PoolEvidence) => bigint) => pools.reduce((total, pool) => total + of(pool), 0n)
  const held = bigger(holders.insiders, holders.largest)
  const hidden = holders.looselyLocked + unseen({ holders, shape }) + (unread ?? 0n)
  const parked = sum(
    (pool) => bigger(owned(pool, against(pool)).possible, waiting(pool, price)) + unrecorded(pool, supply)
  )
  const others = sum((pool) => owned(pool, against(pool)).others)
  return {
    certain: takenFrom(reserve, held + sum((pool) => owned(pool, against(pool)).certain)),
    possible: takenFrom(reserve, bigger(held, given(holders, others)) + hidden + parked)
  }
}
