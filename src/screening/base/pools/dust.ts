/**
 * Pools without the smallest, which together hold less than a share of all the money: strangers can open any number of
 * pools with a few cents in them, and any number of small ones may together be most of a market. Of pools none of which
 * holds money all are left.
 * @param share 0 to 1
 */
export const withoutDust = <P extends { readonly quoteUsd: number }>(
  pools: ReadonlyArray<P>,
  share: number
): ReadonlyArray<P> => {
  const most = pools.reduce((sum, { quoteUsd }) => sum + quoteUsd, 0) * share
  const dust = new Set<P>()
  let sum = 0
  for (const pool of pools.toSorted((a, b) => a.quoteUsd - b.quoteUsd)) {
    sum += pool.quoteUsd
    if (sum >= most) break
    dust.add(pool)
  }
  return pools.filter((pool) => !dust.has(pool))
}

const RELEVANT_SHARE = 0.05

/** The pools that money goes to: what happens in the last twentieth of it says nothing about the token. */
export const relevantPools = <P extends { readonly quoteUsd: number }>(
  pools: ReadonlyArray<P>
): ReadonlyArray<P> => withoutDust(pools, RELEVANT_SHARE)
