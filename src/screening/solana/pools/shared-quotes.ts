/** Whoever sells for a coin has to sell that coin in turn, in one market, whichever pools have paid it. */
import type { SolanaAddress } from "../../../domain/address.ts"
import type { DecodedPool } from "./decoded-pool.ts"
import type { PoolContext, PoolFact } from "./pool-fact.ts"
import { coinDepth, quoteValue } from "./quote-price.ts"
import type { PoolDepth } from "./reserves.ts"

interface Found {
  readonly pool: DecodedPool
  readonly fact: PoolFact
}

type InCoin = Found & { readonly fact: PoolFact & { readonly depth: PoolDepth } }

/** Pools that pay in a coin, by the coin. */
const byCoin = (found: ReadonlyArray<Found>): ReadonlyMap<SolanaAddress, ReadonlyArray<InCoin>> => {
  const pools = new Map<SolanaAddress, Array<InCoin>>()
  for (const { fact, pool } of found) {
    const { depth, quoteAfterSale } = fact
    if (pool.quoteMint === null || quoteAfterSale === null || depth === null) continue
    const others = pools.get(pool.quoteMint) ?? []
    pools.set(pool.quoteMint, [...others, { pool, fact: { ...fact, depth } }])
  }
  return pools
}

const sumOf = (pools: ReadonlyArray<InCoin>, of: (depth: PoolDepth) => number): number =>
  pools.reduce((sum, { fact }) => sum + of(fact.depth), 0)

/** A pool's part of what the coins in all pools would fetch together: each alone would fetch more. */
const valued = (fact: InCoin["fact"], left: number): PoolFact => ({
  ...fact,
  quoteUsd: fact.quoteUsd === null ? null : fact.quoteUsd * left,
  liquidityUsd: fact.liquidityUsd === null ? null : fact.liquidityUsd * left,
  nominalUsd: fact.nominalUsd * left
})

/** As much smaller as two constant products in a row are than the first: so a sale also lets the coin's price fall. */
const inRow = ({ quote, real, token }: PoolDepth, part: number): PoolDepth => ({
  token: token * part,
  quote: quote * part,
  real: real * part
})

/** The pools as their coins' own markets let them pay. */
export const withSharedQuotes = (
  found: ReadonlyArray<Found>,
  { book, sol }: Pick<PoolContext, "book" | "sol">
): ReadonlyArray<PoolFact> => {
  const changed = new Map<SolanaAddress, PoolFact>()
  for (const [coin, pools] of byCoin(found)) {
    const value = quoteValue(coin, sol, book)
    const market = coinDepth(coin, book)
    if (market === null || value?.usd.known !== true) continue
    const usd = value.usd.value
    const total = sumOf(pools, ({ real }) => real)
    const perUnit = value.worth(total, usd) / total
    const part = market.token / (market.token + sumOf(pools, ({ quote }) => quote))
    for (const { fact } of pools) {
      const alone = value.worth(fact.depth.real, usd)
      const left = alone > 0 ? Math.min(1, (perUnit * fact.depth.real) / alone) : 1
      changed.set(fact.address, { ...valued(fact, left), depth: inRow(fact.depth, part) })
    }
  }
  return found.map(({ fact }) => changed.get(fact.address) ?? fact)
}
