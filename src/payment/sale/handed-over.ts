import { Effect, Exit, Option } from "effect"
import { Ledger } from "../ledger/ledger.ts"
import type { BeforeHandOver } from "../verifier/payment-verifier.ts"
import type { VerifiedPayment } from "../verifier/verified-payment.ts"
import { type Attempt, ledgerDown, newClaim } from "./attempt.ts"
import type { EarlierClaim } from "./recognise.ts"
import { makeThrottle } from "./throttle.ts"

/** A payment that a facilitator is handed, and what it was presented for. */
interface HandedOver {
  readonly attempt: Attempt
  readonly earlier: EarlierClaim | undefined
  readonly verified: VerifiedPayment
}

/**
 * What is known of a payment that a facilitator is handed. Whatever it answers, whether the work fails, the caller hangs up
 * or this process dies: nothing keeps it from sending the payment, and then the payer is charged. So before it gets the
 * payment it is written down that we had it unused for this order, as a claim that was given back. Should it land, the same
 * payment buys its answer (see `makeRecognise`). A payer whose payments buy nothing gets a few such rows, and then fewer and
 * fewer, since signatures cost nothing, and a file has an end: until the next one he waits, and nobody gets his payment.
 */
export const makeHandedOver = Effect.gen(function* () {
  const ledger = yield* Ledger
  const { admit, failed, paid } = yield* makeThrottle

  const isKnown = ({ attempt, earlier }: HandedOver): boolean =>
    earlier !== undefined && earlier.since > 0 && earlier.fingerprint === attempt.fingerprint

  return (payment: HandedOver) => {
    const { attempt, verified } = payment
    let isWritten = false

    const before: BeforeHandOver = (onChain) =>
      Effect.gen(function* () {
        if (isKnown(payment)) return
        yield* admit(verified.payer)
        const claim = newClaim(attempt, { verified, onChain, since: onChain.height })
        isWritten = yield* Effect.mapError(ledger.handedOver(claim), ledgerDown)
      }).pipe(Effect.uninterruptible)

    /** Counts the row against its payer, where it was written for nothing. */
    const ended = (exit: Exit.Exit<Option.Option<unknown>, unknown>): Effect.Effect<unknown> => {
      if (Exit.isFailure(exit)) return isWritten ? failed(verified.payer) : Effect.void
      return Option.isSome(exit.value) ? paid(verified.payer) : Effect.void
    }

    return { before, ended }
  }
})
