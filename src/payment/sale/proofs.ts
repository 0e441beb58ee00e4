import { Effect } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import type { Evidence, VoidProof } from "../outcome.ts"
import type { ChainView, PaymentVerifier } from "../verifier/payment-verifier.ts"
import type { VerifiedPayment } from "../verifier/verified-payment.ts"

type Place = Pick<Evidence, "network" | "transaction" | "payer" | "payTo" | "amount">

/** Whether nothing can take a proof back any more. One that rests on a block holds as long as that block does. */
export const holdsForGood = (
  proof: VoidProof,
  place: Place,
  view: ChainView
): Effect.Effect<boolean, UpstreamError> => {
  if (proof.kind === "window-closed") return Effect.succeed(true)
  const { blockHash, height } = proof.seen
  if (height > view.final) return Effect.succeed(false)
  // A message that failed stays failed where it is, and Solana's statuses know no block.
  if (proof.kind === "transaction-failed") return Effect.succeed(true)
  const seen = { ...place, index: 0, height, ...(blockHash === undefined ? {} : { blockHash }) }
  return Effect.map(view.holds([seen]), ([held]) => held === true)
}

/** The same of a payment that is not sold, as the chain is seen now; `false` also where no node says so. */
export const makeHoldsForGood =
  (verifier: Pick<PaymentVerifier["Type"], "view">) =>
  ({ payer, requirements }: VerifiedPayment, proof: VoidProof): Effect.Effect<boolean> => {
    if (proof.kind === "window-closed") return Effect.succeed(true)
    const { amount, network, payTo } = requirements
    const transaction = "transaction" in proof ? proof.transaction : ""
    return verifier.view(network).pipe(
      Effect.flatMap((view) => holdsForGood(proof, { network, transaction, payer, payTo, amount }, view)),
      Effect.orElseSucceed(() => false)
    )
  }
