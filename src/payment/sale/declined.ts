import { Effect, Option } from "effect"
import { Ledger } from "../ledger/ledger.ts"
import type { SettlementDeclined } from "../verifier/payment-verifier.ts"
import type { VerifiedPayment } from "../verifier/verified-payment.ts"
import { type Attempt, ledgerDown, newClaim, notClaimed } from "./attempt.ts"
import type { EarlierClaim } from "./recognise.ts"
import { makeThrottle } from "./throttle.ts"

interface Declined {
  readonly attempt: Attempt
  readonly earlier: EarlierClaim | undefined
  readonly verified: VerifiedPayment
}

/**
 * What becomes of a payment that a facilitator was handed and will not settle. Nothing keeps it from sending the payment all
 * the same, and then the payer is charged: so it is written down that we had it unused for this order, as a claim that was
 * given back, before anybody hears of the refusal. Should it land, the same payment buys its answer (see `makeRecognise`).
 * A payer gets a few such rows, and then fewer and fewer: signatures cost nothing, and a file has an end.
 */
export const makeDecline = Effect.gen(function* () {
  const ledger = yield* Ledger
  const rows = yield* makeThrottle

  const write = ({ attempt, verified }: Declined, { onChain }: SettlementDeclined) =>
    ledger.claim(newClaim(attempt, { verified, onChain, since: onChain.height })).pipe(
      Effect.mapError(notClaimed(verified.payer, ledgerDown)),
      Effect.flatMap((isOurs) =>
        isOurs ? Effect.ignoreLogged(ledger.release(attempt.key, "settlement declined")) : Effect.void
      ),
      Effect.zipRight(rows.failed(verified.payer)),
      Effect.uninterruptible
    )

  const isKnown = ({ attempt, earlier }: Declined): boolean =>
    earlier !== undefined && earlier.since > 0 && earlier.fingerprint === attempt.fingerprint

  return Effect.fnUntraced(function* (declined: Declined, settlement: SettlementDeclined) {
    const hasRoom = Option.isSome(yield* Effect.option(rows.admit(declined.verified.payer)))
    if (hasRoom && !isKnown(declined)) yield* write(declined, settlement)
    return yield* settlement.why
  })
})
