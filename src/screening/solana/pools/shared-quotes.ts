/** Pools against one coin sell it into one market: what each could fetch alone, all of them together cannot. */
import type { SolanaAddress } from "../../../domain/address.ts"
import type { DecodedPool } from "./decoded-pool.ts"
import type { PoolContext, PoolFact } from "./pool-fact.ts"
import { quoteValue } from "./quote-price.ts"

interface Found {
  readonly pool: DecodedPool
  readonly fact: PoolFact
}

/** Coins that a pool would pay to sellers, smallest units; null where its quote is no coin, or where it pays nothing. */
const coinsIn = ({ fact, pool }: Found): readonly [coin: SolanaAddress, units: number] | null => {
  const { depth, quoteAfterSale } = fact
  return pool.quoteMint === null || quoteAfterSale === null || depth === null || depth.real <= 0
    ? null
    : [pool.quoteMint, depth.real]
}

/** Each pool against a coin with its part of what the coins in all of them would fetch together. */
export const withSharedQuotes = (
  found: ReadonlyArray<Found>,
  { book, sol }: Pick<PoolContext, "book" | "sol">
): ReadonlyArray<PoolFact> => {
  const totals = new Map<SolanaAddress, number>()
  for (const one of found) {
    const coins = coinsIn(one)
    if (coins !== null) totals.set(coins[0], (totals.get(coins[0]) ?? 0) + coins[1])
  }
  /** What is left of a pool's worth once the others have sold their coins too. */
  const leftOf = (one: Found): number => {
    const [coin, units] = coinsIn(one) ?? [null, 0]
    const total = coin === null ? units : (totals.get(coin) ?? units)
    const value = total > units ? quoteValue(coin, sol, book) : null
    if (value?.usd.known !== true) return 1
    const alone = value.worth(units, value.usd.value)
    return alone > 0 ? (value.worth(total, value.usd.value) * units) / total / alone : 1
  }
  return found.map((one) => {
    const { fact } = one
    const left = leftOf(one)
    return left >= 1
      ? fact
      : {
          ...fact,
          quoteUsd: fact.quoteUsd === null ? null : fact.quoteUsd * left,
          liquidityUsd: fact.liquidityUsd === null ? null : fact.liquidityUsd * left,
          nominalUsd: fact.nominalUsd * left
        }
  })
}
