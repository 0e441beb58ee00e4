import type { BaseEvidence } from "../evidence.ts"

/**
 * The share of the pools' money, 0 to 1, that the largest holder or the largest linked group would take by selling all
 * it has into them at once, spread as the pools' reserves are; null where no such holder or no pool is known. Reserves
 * stand for constant-product pools; in concentrated ones less would be paid and the price fall further.
 */
export const insiderSale = ({ holders, pools }: Pick<BaseEvidence, "holders" | "pools">): number | null => {
  const reserve = pools
    .filter(({ quoteUsd }) => quoteUsd > 0)
    .reduce((sum, { tokenReserve }) => sum + tokenReserve, 0n)
  if (holders.largest === null || reserve === 0n) return null
  const sold = holders.insiders > holders.largest ? holders.insiders : holders.largest
  return Number((sold * 10_000n) / (reserve + sold)) / 10_000
}
