import { Effect, Either, Metric } from "effect"
import { SOLANA_NETWORK } from "../../../domain/chain.ts"
import { gatheringAhead } from "../../../domain/gathering.ts"
import { atNow } from "../../../domain/now.ts"
import { settlementSeconds } from "../metrics.ts"
import type { OpenTransfer, Transfers } from "./transfers.ts"

const seconds = Metric.tagged(settlementSeconds, "network", SOLANA_NETWORK)

/** A transfer that was seen landed. */
export type Landing = Pick<OpenTransfer, "authorizationKey" | "createdAt">

/** Transfers that one statement writes down. */
const MOST = 256

/**
 * Notes what landed. It is written down beside what whoever waits for it writes, for all that are seen at once: in one
 * statement, and in one commit with their sales. What is lost of it the next look at the chain finds.
 */
export const makeLandings = (transfers: Pick<Transfers, "setState">) => {
  const store = gatheringAhead({
    pause: Effect.yieldNow(),
    most: MOST,
    answer: (keys: ReadonlyArray<string>) =>
      Effect.as(
        Effect.ignoreLogged(transfers.setState(keys, "included")),
        keys.map(() => Either.void)
      )
  })
  return Effect.fnUntraced(function* ({ authorizationKey, createdAt }: Landing) {
    yield* Effect.asVoid(store(authorizationKey))
    yield* Metric.update(seconds, yield* atNow((now) => (now - createdAt) / 1_000))
  })
}
