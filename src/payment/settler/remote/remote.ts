import { Effect } from "effect"
import { PaymentRejected, PaymentUnavailable, PaymentUnresolved } from "../../../domain/errors.ts"
import type { PaymentRequirements, SettlementResponse } from "../../../domain/x402.ts"
import { checkLocally } from "../../verifier/local-check.ts"
import type { SettleablePayment } from "../../message/payment.ts"
import type { SettlementFate } from "../../verifier/payment-verifier.ts"
import type { Facilitator } from "./facilitator.ts"

const RETRY_AFTER_SECONDS = 3
const unavailable = () => new PaymentUnavailable({ upstream: "facilitator" })

/** Failures that say nothing about the transfer: it is on its way, or somebody is settling it now. */
const IN_DOUBT: ReadonlySet<string> = new Set([
  "settlement_pending",
  "duplicate_settlement",
  "unexpected_settle_error"
])

/** A facilitator's reason as our code: only what looks like one, never its prose. */
const codeOf = (reason: string | null | undefined, fallback: string): string =>
  reason !== null && reason !== undefined && /^[a-z0-9_]{1,100}$/.test(reason) ? reason : fallback

/**
 * Verification and settlement by a facilitator, of payments we have checked ourselves first: it can refuse a payment or
 * fail, but it cannot make us accept a wrong amount, recipient, window or signature.
 */
export const makeRemote = <P extends SettleablePayment>(
  facilitator: Facilitator,
  fate: (
    payment: P,
    requirements: PaymentRequirements,
    transaction: string | null
  ) => Effect.Effect<SettlementFate, PaymentUnavailable>
) => {
  const rejected = (payment: P, reason: string, payer?: string) =>
    new PaymentRejected({ reason, network: payment.network, payer })

  const verify = Effect.fn("RemoteSettler.verify")(function* (payment: P, requirements: PaymentRequirements) {
    const { payer } = yield* checkLocally({ payment, requirements })
    const verdict = yield* Effect.mapError(facilitator.verify(payment, requirements), unavailable)
    if (verdict.isValid) return { payer }
    const { state } = yield* fate(payment, requirements, null)
    if (state === "settled") return { payer }
    return yield* rejected(payment, codeOf(verdict.invalidReason, "unexpected_verify_error"), payer)
  })

  const unresolved = (transaction?: string) =>
    new PaymentUnresolved({
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      ...(transaction === undefined || transaction === "" ? {} : { transaction })
    })

  const settled = (payment: P, transaction: string, payer: string | undefined): SettlementResponse => ({
    success: true,
    transaction,
    network: payment.network,
    payer
  })

  const judge = (payment: P, requirements: PaymentRequirements, answer: SettlementResponse) =>
    Effect.gen(function* () {
      const payer = payment.scheme === "eip3009" ? payment.evm.authorization.from : answer.payer
      const { success, transaction } = answer
      if (success && transaction !== "" && answer.network === payment.network) {
        return settled(payment, transaction, payer)
      }
      const reason = codeOf(answer.errorReason, "unexpected_settle_error")
      const found = yield* Effect.mapError(
        fate(payment, requirements, transaction === "" ? null : transaction),
        () => unresolved(transaction)
      )
      if (found.state === "settled") return settled(payment, found.transaction, payer)
      if (success || (found.state === "open" && (IN_DOUBT.has(reason) || transaction !== ""))) {
        return yield* unresolved(transaction)
      }
      return yield* rejected(payment, reason, payer)
    })

  const settle = Effect.fn("RemoteSettler.settle")(function* (payment: P, requirements: PaymentRequirements) {
    const answer = yield* facilitator.settle(payment, requirements).pipe(
      Effect.tapError(({ kind, detail }) => Effect.logWarning("facilitator settle", kind, detail)),
      Effect.mapError(() => unresolved())
    )
    return yield* judge(payment, requirements, answer)
  })

  return { verify, settle, fate }
}
