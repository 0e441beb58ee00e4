import { Clock, Effect, Ref } from "effect"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { lasts } from "../../../domain/lasts.ts"
import type { MarketData, MarketPair } from "../../../market/market-data.ts"
import { WSOL } from "../addresses.ts"

/** How long a reading of SOL's pairs serves further screenings, and how long a failure to get one does. */
const SOL_PAIRS_TTL = 60_000
const SOL_PAIRS_RETRY = 5_000

type SolPairs = Fact<ReadonlyArray<MarketPair>>

/** SOL's own pairs, kept for a minute: every screening needs them and they are the same for all. */
export const makeSolPairs = Effect.fnUntraced(function* (market: Pick<typeof MarketData.Service, "pairs">) {
  const kept = yield* Ref.make<{ readonly until: number; readonly pairs: SolPairs }>({
    until: 0,
    pairs: missing("not asked yet")
  })
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { pairs, until } = yield* Ref.get(kept)
    if (lasts(until, SOL_PAIRS_TTL, now)) return pairs
    const fresh = yield* market.pairs({ chain: "solana", address: WSOL }).pipe(
      Effect.match({
        onFailure: (): SolPairs => missing("market data did not answer"),
        onSuccess: (found): SolPairs => known(found)
      })
    )
    yield* Ref.set(kept, { until: now + (fresh.known ? SOL_PAIRS_TTL : SOL_PAIRS_RETRY), pairs: fresh })
    return fresh
  })
})
