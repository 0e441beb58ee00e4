import { Duration, Effect } from "effect"
import { cached } from "../../domain/cached.ts"
import { min } from "../../domain/bigint.ts"
import { PaymentUnavailable, type UpstreamError } from "../../domain/errors.ts"
import type { Verify } from "../verifier/payment-verifier.ts"
import { hasBurntItsPart, type SettlerSettings } from "./settings.ts"

const AGE = Duration.seconds(5)

/**
 * Verifies for a settling side that pays for what fails. A payer may move his money away between a trial and its block, and
 * one transfer of his takes it from all that he has under way: for less than one of them costs us, he has any number fail.
 * Once such have burnt their part of the day's fees, a payer's money is good for one payment at a time, however much it is.
 * @param failedToday what they have burnt, millionths of a USD
 */
export const oneAtATime = Effect.fnUntraced(function* (
  failedToday: Effect.Effect<bigint, UpstreamError>,
  settings: Pick<SettlerSettings, "dailyFees">
) {
  const hasBurnt = yield* cached(
    Effect.map(failedToday, (burnt) => hasBurntItsPart(settings, burnt)),
    AGE
  )
  return (verify: Verify): Verify =>
    (...asked) =>
      Effect.flatMap(verify(...asked), (onChain) => {
        const [{ requirements }] = asked
        const { held } = onChain
        if (held === undefined) return Effect.succeed(onChain)
        return Effect.mapBoth(hasBurnt, {
          onFailure: ({ upstream }) => new PaymentUnavailable({ upstream }),
          onSuccess: (isBurnt) =>
            isBurnt ? { ...onChain, held: min(held, BigInt(requirements.amount)) } : onChain
        })
      })
})
