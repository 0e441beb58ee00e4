import { Effect, Option } from "effect"
import { Ledger } from "../ledger/ledger.ts"
import type { OnChain, SettlementDeclined } from "../verifier/payment-verifier.ts"
import type { VerifiedPayment } from "../verifier/verified-payment.ts"
import { type Attempt, ledgerDown, newClaim, notClaimed } from "./attempt.ts"
import type { EarlierClaim } from "./recognise.ts"
import { makeThrottle } from "./throttle.ts"

/** A payment that a facilitator has in its hands, and what it was presented for. */
interface HandedOver {
  readonly attempt: Attempt
  readonly earlier: EarlierClaim | undefined
  readonly verified: VerifiedPayment
}

/**
 * What becomes of a payment that a facilitator was handed and that buys nothing, because it will not settle it or because the
 * work for it failed. Nothing keeps it from sending the payment all the same, and then the payer is charged: so it is
 * written down that we had it unused for this order, as a claim that was given back, before anybody hears that nothing was
 * charged. Should it land, the same payment buys its answer (see `makeRecognise`). A payer gets a few such rows, and then
 * fewer and fewer: signatures cost nothing, and a file has an end.
 */
export const makeHandedOver = Effect.gen(function* () {
  const ledger = yield* Ledger
  const rows = yield* makeThrottle

  const write = ({ attempt, verified }: HandedOver, onChain: OnChain) =>
    ledger.claim(newClaim(attempt, { verified, onChain, since: onChain.height })).pipe(
      Effect.mapError(notClaimed(verified.payer, ledgerDown)),
      Effect.flatMap((isOurs) =>
        isOurs
          ? Effect.zipRight(
              Effect.ignoreLogged(ledger.release(attempt.key, "handed over, and nothing sold")),
              rows.failed(verified.payer)
            )
          : Effect.void
      ),
      Effect.uninterruptible
    )

  const isKnown = ({ attempt, earlier }: HandedOver): boolean =>
    earlier !== undefined && earlier.since > 0 && earlier.fingerprint === attempt.fingerprint

  const remember = Effect.fnUntraced(function* (payment: HandedOver, onChain: OnChain) {
    const hasRoom = Option.isSome(yield* Effect.option(rows.admit(payment.verified.payer)))
    if (hasRoom && !isKnown(payment)) yield* write(payment, onChain)
  })

  return {
    decline: (payment: HandedOver, { onChain, why }: SettlementDeclined) =>
      Effect.zipRight(remember(payment, onChain), Effect.fail(why)),
    /** The same where something else failed; what cannot be written down keeps nobody from hearing of that. */
    remember: (payment: HandedOver, onChain: OnChain | undefined) =>
      onChain?.isHandedOver === true && onChain.used === undefined
        ? Effect.ignoreLogged(remember(payment, onChain))
        : Effect.void
  }
})
