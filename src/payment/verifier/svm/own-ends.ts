import { Effect } from "effect"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import type { PaymentRequirements } from "../../../domain/x402.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import type { Ends } from "./ends.ts"
import type { SolanaNode } from "./node.ts"
import { endsOf, SOURCE_MISMATCH, transactionOf } from "./transaction.ts"

type Refused = PaymentRejected | PaymentUnavailable

const unavailable = () => new PaymentUnavailable({ upstream: "solana-rpc" })

/**
 * The account that would receive the money is not the recipient's any more: its owner signed that away, as a fraud has one do.
 * No payer can help it, and nobody is to pay.
 */
const givenAway = ({ payTo }: Pick<PaymentRequirements, "payTo">) =>
  Effect.zipRight(
    Effect.logError("the account that receives USDC on Solana is not its wallet's any more", { payTo }),
    Effect.fail(unavailable())
  )

/** Whose the two accounts are: as a trial has shown, or else as the node says when it is asked for them alone. */
const known = (
  node: Pick<SolanaNode, "ends">,
  { payment }: VerifiedPayment,
  shown: Pick<Ends, "owner" | "receiver">
): Effect.Effect<Pick<Ends, "owner" | "receiver">, PaymentUnavailable> => {
  if (shown.owner !== undefined && shown.receiver !== undefined) return Effect.succeed(shown)
  const transaction = payment.scheme === "svm" ? transactionOf(payment.svm) : undefined
  const ends = transaction && endsOf(transaction)
  if (ends === undefined) return Effect.fail(unavailable())
  return Effect.mapBoth(node.ends(ends), {
    onFailure: unavailable,
    onSuccess: ({ owner, receiver }) => ({
      owner: shown.owner ?? owner,
      receiver: shown.receiver ?? receiver
    })
  })
}

/**
 * Fails unless a node shows that the tokens are the signer's own, and that the account they go to is the recipient's. A
 * delegate may move another's, and what goes back must go to whom it came from. What no node shows is not known.
 */
export const requireOwnEnds = (
  node: Pick<SolanaNode, "ends">,
  verified: VerifiedPayment,
  shown: Pick<Ends, "owner" | "receiver">
): Effect.Effect<void, Refused> =>
  Effect.flatMap(known(node, verified, shown), ({ owner, receiver }): Effect.Effect<void, Refused> => {
    const { payer, payment, requirements } = verified
    if (owner === undefined || receiver === undefined) return Effect.fail(unavailable())
    if (owner !== payer)
      return Effect.fail(new PaymentRejected({ reason: SOURCE_MISMATCH, network: payment.network, payer }))
    return receiver === requirements.payTo ? Effect.void : givenAway(requirements)
  })
