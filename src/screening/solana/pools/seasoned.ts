/**
 * How long pools have held what they hold, and what that proves: whoever has left liquidity where he could have taken it
 * may still be one hand with much patience, which costs it nothing but the use of its money.
 */
import type { Fact } from "../../../domain/fact.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import { MUCH_USD } from "../../patience.ts"
import { LEAST_LOCK_SECONDS } from "../power/least-lock.ts"
import type { PoolFact } from "./pool-fact.ts"

/** Pools that have held half of their quote for a month, at least, and those of them that have for half a year. */
export interface Seasoned {
  readonly month: ReadonlySet<string>
  readonly halfYear: ReadonlySet<string>
}

export const unseasoned: Seasoned = { month: new Set(), halfYear: new Set() }

const HALF_YEAR_SECONDS = 6 * LEAST_LOCK_SECONDS

interface Said {
  readonly fetchedAt: number
  readonly market: Fact<ReadonlyArray<MarketPair>>
}

const saidFor = (seconds: number, { fetchedAt, market }: Said): ReadonlySet<string> =>
  new Set(
    (market.known ? market.value : []).flatMap(({ createdAt, pairAddress }) =>
      fetchedAt - (createdAt ?? fetchedAt) < seconds * 1000 ? [] : [pairAddress]
    )
  )

/** Pools that market data says are old. It tells whose past to look at, and proves nothing. */
export const saidOld = (said: Said): Seasoned => ({
  month: saidFor(LEAST_LOCK_SECONDS, said),
  halfYear: saidFor(HALF_YEAR_SECONDS, said)
})

type Valued = Pick<PoolFact, "address" | "quoteUsd">

const usdOf = (pools: ReadonlyArray<Valued>, among: ReadonlySet<string>): number =>
  pools.reduce((sum, { address, quoteUsd }) => (among.has(address) ? sum + (quoteUsd ?? 0) : sum), 0)

/** Pools that are shown to have held what they hold for long enough, for their size. */
export const provenOld = (
  pools: ReadonlyArray<Valued>,
  { halfYear, month }: Seasoned
): ReadonlySet<string> => (usdOf(pools, month) >= MUCH_USD ? month : halfYear)
