/** Pools that market data says are old. It tells whose past to look at, and proves nothing. */
import type { Fact } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import { LEAST_LOCK_SECONDS } from "../power/least-lock.ts"

export const saidOld = ({
  fetchedAt,
  market
}: {
  readonly fetchedAt: number
  readonly market: Fact<ReadonlyArray<MarketPair>>
}): ReadonlySet<string> =>
  new Set(
    (market.known ? market.value : []).flatMap(({ createdAt, pairAddress }) =>
      fetchedAt - (createdAt ?? fetchedAt) < LEAST_LOCK_SECONDS * 1000 ? [] : [pairAddress]
    )
  )
