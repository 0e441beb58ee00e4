import type { BaseEvidence, PoolEvidence } from "../evidence.ts"

/** What the largest holder or group could take by selling, as a share of the pools' money, 0 to 1. */
export interface InsiderSale {
  /** By what is known of holders and positions. */
  readonly certain: number
  /** If all that is not known of the pools' positions were one hand's, too. */
  readonly possible: number
}

const bigger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** How many smallest units of the token stand against a pool's money, at the price of the deepest pool. */
const standingAgainst = (price: number, decimals: number) => (pool: PoolEvidence) =>
  BigInt(Math.floor(Math.min((pool.quoteUsd / price) * 10 ** decimals, 1e60)))

/** LP tokens of V2-type pools stand for both sides alike; what money does not stand against was parked there. */
const parkedIn = (
  pool: PoolEvidence,
  against: bigint
): { readonly certain: bigint; readonly possible: bigint } => {
  if (pool.parked !== null) return pool.parked
  const excess = bigger(pool.tokenReserve - against, 0n)
  const loose = (excess * BigInt(Math.round((1 - (pool.lockedShare ?? 0)) * 1_000_000))) / 1_000_000n
  const isV2 = pool.kind === "v2" || pool.kind === "aerodrome-v2"
  return { certain: isV2 && pool.lockedShare !== null ? loose : 0n, possible: loose }
}

/**
 * The share of the pools' money that the largest holder, or the largest linked group, would take by selling all it has
 * into them at once, together with supply that somebody parked in pools and can take out; null where no such holder or
 * no pool of value is known. What counts of a pool is its money, whatever tokens stand beside it. Constant-product pools
 * pay exactly so; in concentrated ones less would be paid and the price fall further.
 */
export const insiderSale = ({
  holders,
  pools,
  shape
}: Pick<BaseEvidence, "holders" | "pools" | "shape">): InsiderSale | null => {
  const price = pools.find(({ priceUsd, quoteUsd }) => priceUsd !== null && quoteUsd > 0)?.priceUsd ?? null
  if (price === null) return null
  const against = standingAgainst(price, shape.decimals ?? 18)
  const reserve = pools.reduce((sum, pool) => sum + against(pool), 0n)
  const parked = pools.map((pool) => parkedIn(pool, against(pool)))
  const sum = (of: "certain" | "possible") => parked.reduce((total, one) => total + one[of], 0n)
  if (reserve === 0n || (holders.largest === null && sum("possible") === 0n)) return null
  const held = bigger(holders.insiders, holders.largest ?? 0n)
  const taken = (sold: bigint) => Number((sold * 10_000n) / (reserve + sold)) / 10_000
  return { certain: taken(held + sum("certain")), possible: taken(held + sum("possible")) }
}
