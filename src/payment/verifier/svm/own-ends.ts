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

/** What is known of the two accounts before the transfer. */
interface Before {
  readonly held: bigint | undefined
  readonly owner: string | undefined
  readonly receiver: string | undefined
}

/** As a trial has shown, which is after the transfer, or else as the node says when it is asked for them alone. */
const before = (
  node: Pick<SolanaNode, "ends">,
  { payment, requirements }: VerifiedPayment,
  { left, owner, receiver }: Ends
): Effect.Effect<Before, PaymentUnavailable> => {
  if (left !== undefined && owner !== undefined && receiver !== undefined)
    return Effect.succeed({ held: left + BigInt(requirements.amount), owner, receiver })
  const transaction = payment.scheme === "svm" ? transactionOf(payment.svm) : undefined
  const ends = transaction && endsOf(transaction)
  if (ends === undefined) return Effect.fail(unavailable())
  return Effect.mapBoth(node.ends(ends), {
    onFailure: unavailable,
    onSuccess: (now) => ({ held: now.left, owner: owner ?? now.owner, receiver: receiver ?? now.receiver })
  })
}

/**
 * Fails unless a node shows that the tokens are the signer's own, and that the account they go to is the recipient's; what
 * is there to pay with. A delegate may move another's, and what goes back must go to whom it came from. What no node shows
 * is not known.
 */
export const requireOwnEnds = (
  node: Pick<SolanaNode, "ends">,
  verified: VerifiedPayment,
  shown: Ends
): Effect.Effect<bigint, Refused> =>
  Effect.flatMap(
    before(node, verified, shown),
    ({ held, owner, receiver }): Effect.Effect<bigint, Refused> => {
      const { payer, payment, requirements } = verified
      if (held === undefined || owner === undefined || receiver === undefined)
        return Effect.fail(unavailable())
      if (owner !== payer)
        return Effect.fail(new PaymentRejected({ reason: SOURCE_MISMATCH, network: payment.network, payer }))
      return receiver === requirements.payTo ? Effect.succeed(held) : givenAway(requirements)
    }
  )
