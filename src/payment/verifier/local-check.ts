import { Clock, Effect } from "effect"
import { PaymentRejected } from "../../domain/errors.ts"
import { checkEip3009 } from "./evm/local-check.ts"
import type { MatchedPayment } from "../message/match.ts"
import { checkSvm } from "./svm/local-check.ts"

/** Whole Unix seconds. */
export const nowInSeconds = Effect.map(Clock.currentTimeMillis, (millis) => BigInt(Math.floor(millis / 1000)))

/**
 * Checks everything that needs no chain, on our own authority: no verifier, local or remote, is believed about it.
 * Costs a tenth of a millisecond. `proven: false` when only the chain can tell (the payer may be a contract).
 */
export const checkLocally = ({ payment, requirements }: MatchedPayment) =>
  Effect.gen(function* () {
    const now = yield* nowInSeconds
    const verdict = yield* Effect.promise(() =>
      payment.scheme === "eip3009"
        ? checkEip3009(payment.evm, requirements, now)
        : checkSvm(payment.svm, requirements)
    )
    if (verdict.ok) return { payer: verdict.payer, proven: verdict.proven }
    return yield* new PaymentRejected({
      reason: verdict.reason,
      network: payment.network,
      ...(verdict.payer === "" ? {} : { payer: verdict.payer })
    })
  })
