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
 * authorization itself names this order.
 */
export const makeRecognise = Effect.gen(function* () {
  const watermark = yield* watermarkConfig
  const verifier = yield* PaymentVerifier

  return Effect.fnUntraced(function* (attempt: Attempt, onChain: OnChain, earlier: EarlierClaim | undefined) {
    const { used } = onChain
    if (used === undefined) return
    const wasClaimed =
      earlier !== undefined &&
      earlier.fingerprint === attempt.fingerprint &&
      earlier.since > 0 &&
      used.height >= earlier.since
    if (!wasClaimed && attempt.order.binding !== "authorization")
      return yield* alreadyUsed(attempt, used.payer)
    if (Option.isNone(watermark)) return
    const landed = yield* verifier.landedAt(used)
    if (landed * 1000 < watermark.value.getTime()) return yield* alreadyUsed(attempt, used.payer)
  }, span("Sale.recognise"))
})
