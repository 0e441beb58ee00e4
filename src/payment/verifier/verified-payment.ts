import { Effect } from "effect"
import { PaymentRejected } from "../../domain/errors.ts"
import type { PaymentRequirements } from "../../domain/x402.ts"
import type { MatchedPayment } from "../message/match.ts"
import type { SettleablePayment } from "../message/payment.ts"
import { authorizationReason, verifyEip3009 } from "./evm/verify-locally.ts"
import { verifySvm } from "./svm/verify-locally.ts"
import { atNow } from "../../domain/now.ts"

/** Whole Unix seconds. */
const nowInSeconds = atNow((millis) => BigInt(Math.floor(millis / 1000)))

/**
 * A payment of which everything was verified that needs no chain: amount, recipient, asset, window, layout, and the
 * signature where it can be verified here. It is made by `VerifiedPayment.verify` alone, once per request; rows of the
 * ledger hold payments that were verified before they were written.
 */
export class VerifiedPayment {
  readonly payment: SettleablePayment
  /** The one of our own requirements it pays. */
  readonly requirements: PaymentRequirements
  /** Owner of the money, in lower case on Base. */
  readonly payer: string
  /** Whether the payer's signature was verified here; else the payer may be a contract, and only the chain knows. */
  readonly signatureVerified: boolean

  private constructor({ payment, requirements }: MatchedPayment, payer: string, signatureVerified: boolean) {
    this.payment = payment
    this.requirements = requirements
    this.payer = payer
    this.signatureVerified = signatureVerified
  }

  /**
   * Verifies everything that needs no chain, on our own authority: no verifier, local or remote, is believed about it.
   * Costs a tenth of a millisecond.
   */
  static readonly verify: (matched: MatchedPayment) => Effect.Effect<VerifiedPayment, PaymentRejected> =
    Effect.fnUntraced(function* (matched) {
      const { payment, requirements } = matched
      const now = yield* nowInSeconds
      const verdict = yield* Effect.promise(() =>
        payment.scheme === "eip3009"
          ? verifyEip3009(payment.evm, requirements, now)
          : verifySvm(payment.svm, requirements)
      )
      if (verdict.ok) return new VerifiedPayment(matched, verdict.payer, verdict.signatureVerified)
      return yield* new PaymentRejected({
        reason: verdict.reason,
        network: payment.network,
        ...(verdict.payer === "" ? {} : { payer: verdict.payer })
      })
    })

  /** A payment as the ledger kept it: it was verified before its row was written, and its window may be over. */
  static readonly recorded = (matched: MatchedPayment, payer: string): VerifiedPayment =>
    new VerifiedPayment(matched, payer, false)
}

/** Fails when the window of a payment has closed since it was verified. No signature is verified again. */
export const requireOpenWindow = ({ payment, requirements, payer }: VerifiedPayment) =>
  Effect.flatMap(nowInSeconds, (now) => {
    const reason =
      payment.scheme === "eip3009"
        ? authorizationReason(payment.evm.authorization, requirements, now)
        : undefined
    return reason === undefined
      ? Effect.void
      : Effect.fail(new PaymentRejected({ reason, network: payment.network, payer }))
  })
