import type { BaseEvidence } from "../evidence.ts"

const bigger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/**
 * The share of the pools' money, 0 to 1, that the largest holder or the largest linked group would take by selling all
 * it has into them at once, spread as the pools' reserves are, together with supply that somebody parked in positions
 * of its own and can take out; null where no such holder or no pool is known. Reserves stand for constant-product
 * pools; in concentrated ones less would be paid and the price fall further.
 */
export const insiderSale = ({ holders, pools }: Pick<BaseEvidence, "holders" | "pools">): number | null => {
  const parked = pools.reduce((most, { freeTokens }) => bigger(most, freeTokens), 0n)
  if (holders.largest === null && parked === 0n) return null
  const reserve = pools
    .filter(({ quoteUsd }) => quoteUsd > 0)
    .reduce((sum, { tokenReserve }) => sum + tokenReserve, 0n)
  if (reserve === 0n) return null
  const sold = bigger(holders.insiders, holders.largest ?? 0n) + parked
  // What is parked in a pool is part of its reserve: taken out first, sold into the rest.
  const rest = bigger(reserve - parked, 0n)
  return Number((sold * 10_000n) / (rest + sold)) / 10_000
}
