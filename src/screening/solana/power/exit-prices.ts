import type { ExitPrices } from "../../../domain/screening.ts"
import type { Fact } from "../../../domain/fact.ts"
import type { PoolFact } from "../pools/pool-fact.ts"
import { priceAfterSale } from "../pools/reserves.ts"
import type { HolderFacts } from "./exits.ts"

/** Who can withdraw most of all liquidity, by USD; null where nobody is named. */
const largestProvider = (pools: ReadonlyArray<PoolFact>): string | null => {
  const worth = new Map<string, number>()
  for (const { liquidityUsd, lock } of pools)
    for (const [party, share] of lock.parties)
      worth.set(party, (worth.get(party) ?? 0) + share * (liquidityUsd ?? 0))
  const [first] = [...worth].toSorted(([, a], [, b]) => b - a)
  return first === undefined || first[1] <= 0 ? null : first[0]
}

/** The price after one provider has withdrawn its share of every pool and sold the tokens that came with it. */
const afterWithdrawal = (pools: ReadonlyArray<PoolFact>, provider: string): number | null => {
  let tokens = 0
  const left = pools.flatMap(({ depth, isDear, lock }) => {
    if (depth === null) return []
    const share = Math.min(1, lock.parties.get(provider) ?? 0)
    tokens += depth.token * share
    if (isDear) return []
    const rest = 1 - share
    return [{ token: depth.token * rest, quote: depth.quote * rest, real: depth.real * rest }]
  })
  if (left.length === 0) return null
  // Nothing is left to sell into.
  return priceAfterSale(left, tokens) ?? 0
}

const rounded = (part: number | null): number | null =>
  part === null ? null : Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000

/** What would be left of the price, by what is known of holders and of liquidity. */
export const exitPrices = (holders: Fact<HolderFacts>, pools: ReadonlyArray<PoolFact>): ExitPrices => {
  const provider = largestProvider(pools)
  const isTraded = pools.some(({ depth }) => depth !== null)
  const withdrawn =
    provider === null
      ? isTraded && pools.every(({ lock }) => lock.unseen < 0.05)
        ? 1
        : null
      : afterWithdrawal(pools, provider)
  return {
    largestHolderSells: rounded(holders.known ? holders.value.largest.priceAfter : null),
    largestGroupSells: rounded(holders.known ? holders.value.insiders.priceAfter : null),
    largestProviderLeaves: rounded(withdrawn)
  }
}
