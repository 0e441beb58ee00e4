import { Clock, Effect } from "effect"
import { PaymentRejected } from "../../domain/errors.ts"
import type { PaymentRequirements } from "../../domain/x402.ts"
import type { MatchedPayment } from "../message/match.ts"
import type { SettleablePayment } from "../message/payment.ts"
import { authorizationReason, checkEip3009 } from "./evm/local-check.ts"
import { checkSvm } from "./svm/local-check.ts"

/** Whole Unix seconds. */
export const nowInSeconds = Effect.map(Clock.currentTimeMillis, (millis) => BigInt(Math.floor(millis / 1000)))

/**
 * A payment that passed every check that needs no chain: amount, recipient, asset, window, layout, and the signature
 * where it can be verified here. It is made by `CheckedPayment.check` alone, once per request; rows of the ledger hold
 * payments that were checked before they were written.
 */
export class CheckedPayment {
  readonly payment: SettleablePayment
  /** The one of our own requirements it pays. */
  readonly requirements: PaymentRequirements
  /** Owner of the money, in lower case on Base. */
  readonly payer: string
  /** Whether the payer's signature was verified here; else the payer may be a contract, and only the chain knows. */
  readonly proven: boolean

  private constructor({ payment, requirements }: MatchedPayment, payer: string, proven: boolean) {
    this.payment = payment
    this.requirements = requirements
    this.payer = payer
    this.proven = proven
  }

  /**
   * Checks everything that needs no chain, on our own authority: no verifier, local or remote, is believed about it.
   * Costs a tenth of a millisecond.
   */
  static readonly check = (matched: MatchedPayment): Effect.Effect<CheckedPayment, PaymentRejected> =>
    Effect.gen(function* () {
      const { payment, requirements } = matched
      const now = yield* nowInSeconds
      const verdict = yield* Effect.promise(() =>
        payment.scheme === "eip3009"
          ? checkEip3009(payment.evm, requirements, now)
          : checkSvm(payment.svm, requirements)
      )
      if (verdict.ok) return new CheckedPayment(matched, verdict.payer, verdict.proven)
      return yield* new PaymentRejected({
        reason: verdict.reason,
        network: payment.network,
        ...(verdict.payer === "" ? {} : { payer: verdict.payer })
      })
    })

  /** A payment as the ledger kept it: it passed `check` before its row was written, and its window may be over. */
  static readonly recorded = (matched: MatchedPayment, payer: string): CheckedPayment =>
    new CheckedPayment(matched, payer, false)
}

/** Fails when the window of a payment has closed since it was checked. No signature is checked again. */
export const requireOpenWindow = ({ payment, requirements, payer }: CheckedPayment) =>
  Effect.flatMap(nowInSeconds, (now) => {
    const reason =
      payment.scheme === "eip3009"
        ? authorizationReason(payment.evm.authorization, requirements, now)
        : undefined
    return reason === undefined
      ? Effect.void
      : Effect.fail(new PaymentRejected({ reason, network: payment.network, payer }))
  })
