import { Effect, Schedule } from "effect"
import { BASE_NETWORK, type Network, SOLANA_NETWORK } from "../../../domain/chain.ts"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import { open } from "../../outcome.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import type { Settle } from "../../verifier/payment-verifier.ts"
import type { Facilitator } from "./facilitator.ts"
import { believed, NO_TRUST, type Trust } from "./trust.ts"

const unavailable = () => new PaymentUnavailable({ upstream: "facilitator" })

/** A facilitator's reason as our code: only what looks like one, never its prose. */
const codeOf = (reason: string | null | undefined, fallback: string): string =>
  reason !== null && reason !== undefined && /^[a-z0-9_]{1,100}$/.test(reason) ? reason : fallback

/** A facilitator's code for a check that did not come to its end: it says nothing of the payment. */
const NOT_CHECKED = "unexpected_verify_error"

/** A transaction id as its chain writes it. */
const TRANSACTION: Readonly<Record<Network, RegExp>> = {
  [BASE_NETWORK]: /^0x[0-9a-fA-F]{64}$/,
  [SOLANA_NETWORK]: /^[1-9A-HJ-NP-Za-km-z]{86,88}$/
}

/**
 * Verification and settlement by a facilitator, of payments we have verified ourselves first. It can refuse a payment
 * or fail, but it cannot make us accept a wrong amount, recipient, window or signature, and what it says about a
 * settlement is a hint where to look: only what our own node shows is an outcome, beside what `trust` allows.
 */
export const makeRemote = (facilitator: Facilitator, lookup: Settle, trust: Trust = NO_TRUST) => {
  const examine = Effect.fn("RemoteSettler.examine")(function* (verified: VerifiedPayment) {
    const { payment, payer, requirements } = verified
    const verdict = yield* Effect.mapError(facilitator.verify(payment, requirements), unavailable)
    if (verdict.isValid) return
    if (verdict.invalidReason === NOT_CHECKED) return yield* unavailable()
    const reason = codeOf(verdict.invalidReason, NOT_CHECKED)
    return yield* new PaymentRejected({ reason, network: payment.network, payer })
  })

  const settle: Settle = Effect.fnUntraced(function* (verified, begun) {
    const answer = yield* facilitator.settle(verified.payment, verified.requirements).pipe(
      Effect.tapError(({ kind, detail }) => Effect.logWarning("facilitator settle", kind, detail)),
      Effect.option
    )
    if (answer._tag === "None") return open(begun.transaction ?? undefined)
    const { success, transaction } = answer.value
    const { network } = verified.requirements
    const isTransaction = TRANSACTION[network].test(transaction)
    const seen = lookup(verified, isTransaction ? { ...begun, transaction } : begun)
    // Our own node may be a block behind the one that told the facilitator.
    const found = yield* Effect.repeat(seen, {
      until: ({ state }) => state !== "open" || !success,
      schedule: Schedule.spaced("500 millis").pipe(Schedule.upTo("10 seconds"))
    }).pipe(Effect.zipRight(seen))
    const isClaimed = success && isTransaction && answer.value.network === network
    if (found.state !== "open" || !isClaimed) return found
    const evidence = yield* believed(trust, verified, begun, transaction)
    return evidence === undefined ? found : { state: "settled" as const, evidence }
  }, Effect.withSpan("RemoteSettler.settle"))

  return { examine, settle }
}
