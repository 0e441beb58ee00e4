import { Effect } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import { open, type SettlementOutcome } from "../outcome.ts"
import type { Begun } from "../verifier/payment-verifier.ts"

/**
 * Where settling could not go on, the payment stays open, under the transaction it was begun with if there is one: an error
 * says nothing of what the chain did.
 */
export const openWhereUnable =
  (chain: "Base" | "Solana", { transaction }: Begun) =>
  <R>(
    settling: Effect.Effect<SettlementOutcome, UpstreamError, R>
  ): Effect.Effect<SettlementOutcome, never, R> =>
    Effect.catchAll(settling, ({ detail, upstream }) =>
      Effect.as(
        Effect.logError(`cannot settle on ${chain}`, upstream, detail),
        open(transaction ?? undefined)
      )
    )
