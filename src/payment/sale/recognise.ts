import { Effect, Option } from "effect"
import { watermarkConfig } from "../config.ts"
import { type OnChain, PaymentVerifier } from "../verifier/payment-verifier.ts"
import type { Height } from "../outcome.ts"
import { alreadyUsed, type Attempt } from "./attempt.ts"
import { span } from "../../domain/span.ts"

/** An earlier claim of the same payment by the same order, which ended without a settlement. */
export interface EarlierClaim {
  readonly fingerprint: string
  readonly since: Height
}

/**
 * Whether a transfer that is there already may pay for an order. A payment seen for the first time must be unused:
 * whoever shows a used one may have bought something else with it, or copied it from the chain. Two exceptions: our
 * ledger had claimed it for this order when it was still unused, and somebody else submitted it since; or the
 * authorization itself names this order. Gives the height from which on it is to be looked for, should what is sold for
 * it not be written down: where it was seen unused, or else where it is.
 */
export const makeRecognise = Effect.gen(function* () {
  const watermark = yield* watermarkConfig
  const verifier = yield* PaymentVerifier

  return Effect.fnUntraced(function* (attempt: Attempt, onChain: OnChain, earlier: EarlierClaim | undefined) {
    const { height, used } = onChain
    const claimed =
      earlier !== undefined && earlier.fingerprint === attempt.fingerprint && earlier.since > 0
        ? earlier.since
        : undefined
    // It may have landed since we gave it back, and this node be slow to notice.
    if (used === undefined) return Math.min(height, claimed ?? height)
    const isClaimed = claimed !== undefined && used.height >= claimed
    if (!isClaimed && attempt.order.binding !== "authorization")
      return yield* alreadyUsed(attempt, used.payer)
    if (Option.isSome(watermark)) {
      const landed = yield* verifier.landedAt(used)
      if (landed * 1000 < watermark.value.getTime()) return yield* alreadyUsed(attempt, used.payer)
    }
    return isClaimed ? claimed : used.height
  }, span("Sale.recognise"))
})
