import { Effect, Metric } from "effect"
import { SOLANA_NETWORK } from "../../../domain/chain.ts"
import { atNow } from "../../../domain/now.ts"
import { feesPaid, settlementSeconds } from "../metrics.ts"
import type { OpenTransfer, Transfers } from "./transfers.ts"

const fees = Metric.tagged(feesPaid, "network", SOLANA_NETWORK)
const seconds = Metric.tagged(settlementSeconds, "network", SOLANA_NETWORK)

/** A transfer that was seen landed, and what it cost, millionths of a USD. */
export interface Landing {
  readonly transfer: Pick<OpenTransfer, "authorizationKey" | "createdAt">
  readonly fee: bigint
}

/**
 * Notes what landed. It is written down beside what whoever waits for it writes, for all that are seen at once: in one
 * statement, and in one commit with their sales. What is lost of it the next look at the chain finds.
 */
export const makeLandings = (transfers: Pick<Transfers, "setState">) => {
  let gathered: Array<string> = []
  const write = Effect.suspend(() => {
    const keys = gathered
    gathered = []
    return Effect.ignoreLogged(transfers.setState(keys, "included"))
  })
  const store = (authorizationKey: string) =>
    Effect.suspend(() => {
      gathered.push(authorizationKey)
      return gathered.length > 1
        ? Effect.void
        : Effect.asVoid(Effect.forkDaemon(Effect.zipRight(Effect.yieldNow(), write)))
    })
  return ({ fee, transfer }: Landing): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* store(transfer.authorizationKey)
      yield* Metric.incrementBy(fees, Number(fee))
      yield* Metric.update(seconds, yield* atNow((now) => (now - transfer.createdAt) / 1_000))
    })
}
