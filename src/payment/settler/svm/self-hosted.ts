import { Effect } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import { open, type SettlementOutcome } from "../../outcome.ts"
import type { CheckedPayment } from "../../verifier/checked-payment.ts"
import type { Begun, Settle } from "../../verifier/payment-verifier.ts"
import { settledOnSolana } from "../../verifier/svm/lookup.ts"
import type { Landing, SolanaNode } from "../../verifier/svm/node.ts"
import type { FeePayer, SignedTransfer } from "./fee-payer.ts"

/** Looks at half-second steps; a blockhash lives 60 to 90 seconds, and the chain is asked once more at the end. */
const TICKS = 190
/** Every fourth look sends again: nodes forget transactions, and nobody else sends this one. */
const RESEND_EVERY = 4
/** How often the whole question is asked, in looks. */
const LOOKUP_EVERY = 20
/** Milliseconds after which a transaction that a node refused would have shown up if another had taken it. */
const GRACE = 3_000

const unseen: Landing = { state: "unseen", seenAt: 0 }

/** Settlement of Solana payments with our own fee payer. `lookup` says what became of what we did not see ourselves. */
export const makeSelfHostedSvm = (node: SolanaNode, feePayer: FeePayer, lookup: Settle): Settle => {
  /** Sends and looks until the transfer landed, failed, or can never land. */
  const broadcast = (checked: CheckedPayment, begun: Begun, { id, wire }: SignedTransfer) =>
    Effect.gen(function* () {
      yield* node.send(wire, { preflight: true })
      for (let tick = 1; tick <= TICKS; tick++) {
        const { state, slot } = yield* Effect.orElseSucceed(node.landing(id), () => unseen)
        if (state === "landed" && slot !== undefined) return settledOnSolana(checked, id, slot)
        if (state === "failed") return yield* lookup(checked, begun)
        if (tick % RESEND_EVERY === 0 && state === "unseen") {
          yield* Effect.ignore(node.send(wire, { preflight: false }))
        }
        if (tick % LOOKUP_EVERY === 0) {
          const found = yield* lookup(checked, begun)
          if (found.state !== "open") return found
        }
        yield* Effect.sleep(tick < 8 ? "250 millis" : "500 millis")
      }
      return open(id)
    })

  /** Another node may have taken what this one refused, or what it gave no answer to. */
  const notSent = (checked: CheckedPayment, begun: Begun) => (error: UpstreamError) =>
    Effect.delay(lookup(checked, begun), error.kind === "rejected" ? GRACE : 0)

  return (checked, begun): Effect.Effect<SettlementOutcome> => {
    const signed = feePayer.sign(checked)
    if (signed === undefined) return Effect.succeed(open())
    return broadcast(checked, begun, signed).pipe(
      Effect.catchAll(notSent(checked, begun)),
      Effect.withSpan("SvmSettler.settle")
    )
  }
}
