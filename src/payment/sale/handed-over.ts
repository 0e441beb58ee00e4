import { Deferred, Effect, Exit, FiberId, Option } from "effect"
import type { PayerMustWait } from "../../domain/errors.ts"
import { Ledger } from "../ledger/ledger.ts"
import type { BeforeHandOver, OnChain } from "../verifier/payment-verifier.ts"
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

/** Whether work and verification go on side by side. Where they do not, the work waits for the verification. */
const isBeside = ({ attempt, verified }: HandedOver): boolean =>
  attempt.order.work === "beside" && verified.signatureVerified

const isKnown = ({ attempt, earlier }: HandedOver): boolean =>
  earlier !== undefined && earlier.since > 0 && earlier.fingerprint === attempt.fingerprint

/** Whoever has nothing bought though his work was done: the facilitator refused him, or he did not wait. */
const afterWork = (payer: string): string => `after work ${payer}`

/**
 * What is known of a payment that a facilitator is handed. Whatever it answers, whether the work fails, the caller hangs up
 * or this process dies: nothing keeps it from sending the payment, and then the payer is charged. So before it gets the
 * payment it is written down that we had it unused for this order, as a claim that was given back. Should it land, the same
 * payment buys its answer (see `makeRecognise`).
 *
 * Signatures cost nothing, and a file has an end, so a payer whose payments buy nothing gets a few such rows, and then fewer
 * and fewer. Between them nobody gets a payment of his before the work for it is done: where that fails, as for a token that
 * nobody knows, nothing was handed over and nothing has to be written. Only whom this does not help either, or whose work
 * cannot be done first, has to wait.
 */
export const makeHandedOver = Effect.gen(function* () {
  const ledger = yield* Ledger
  const { admit, failed, paid } = yield* makeThrottle

  return (payment: HandedOver) => {
    const { attempt, verified } = payment
    const { payer } = verified
    const workDone = Deferred.unsafeMake<void>(FiberId.none)
    let counted = payer
    let isWritten = false

    const permitted: Effect.Effect<void, PayerMustWait> = Effect.catchAll(admit(payer), (wait) => {
      if (!isBeside(payment)) return Effect.fail(wait)
      counted = afterWork(payer)
      return Effect.zipRight(Deferred.await(workDone), admit(payer, counted))
    })

    const write = (onChain: OnChain) =>
      Effect.gen(function* () {
        const claim = newClaim(attempt, { verified, onChain, since: onChain.height })
        isWritten = yield* Effect.mapError(ledger.handedOver(claim), ledgerDown)
      }).pipe(Effect.uninterruptible)

    const before: BeforeHandOver = (onChain) =>
      isKnown(payment) ? Effect.void : Effect.zipRight(permitted, write(onChain))

    /** Counts the row against its payer, where it was written for nothing. */
    const ended = (exit: Exit.Exit<Option.Option<unknown>, unknown>): Effect.Effect<unknown> => {
      if (Exit.isFailure(exit)) return isWritten ? failed(counted) : Effect.void
      return Option.isSome(exit.value) ? Effect.zipRight(paid(payer), paid(afterWork(payer))) : Effect.void
    }

    return {
      before,
      ended,
      /** Work whose end may be waited for. */
      during: <E, R>(work: Effect.Effect<string, E, R>) =>
        Effect.zipLeft(work, Deferred.succeed(workDone, undefined))
    }
  }
})
