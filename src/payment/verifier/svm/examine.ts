import { Effect } from "effect"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import { withNow } from "../../../domain/now.ts"
import type { PaymentRequirements } from "../../../domain/x402.ts"
import type { Height } from "../../outcome.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import type { SolanaNode } from "./node.ts"
import { type DecodedTransaction, endsOf, SOURCE_MISMATCH, transactionOf } from "./transaction.ts"

/** The reference's words. Source: `@x402/svm`. */
const NOT_OURS = "invalid_exact_svm_fee_payer_not_managed_by_facilitator"
const FAILS = "invalid_exact_svm_transaction_simulation_failed"

/** Milliseconds for which a trial speaks for the chain: five slots. */
const FRESH = 2_000

type Refused = PaymentRejected | PaymentUnavailable

const unavailable = () => new PaymentUnavailable({ upstream: "solana-rpc" })

/**
 * The account that would receive the money is not the recipient's any more: its owner signed that away, as a fraud has one do.
 * No payer can help it, and nobody is to pay.
 */
export const givenAway = ({ payTo }: Pick<PaymentRequirements, "payTo">) =>
  Effect.zipRight(
    Effect.logError("the account that receives USDC on Solana is not its wallet's any more", { payTo }),
    Effect.fail(unavailable())
  )

/** What the chain says of a payment that it would execute. */
interface Tried {
  /** The slot at which it would. */
  readonly triedAt: Height
  /** What was there to pay with, smallest units, where the node says it. */
  readonly held: bigint | undefined
}

/**
 * What the official scheme's facilitator asks of a payment beyond what was verified here, where every rule of its layout
 * and its signatures holds already: that its fee payer is ours, and that the chain would execute it now. And that the tokens
 * are the signer's own, as far as the node shows it: a delegate may move another's, and what goes back must go to whom it
 * came from.
 */
export const makeExamination = (node: Pick<SolanaNode, "simulate">, feePayer: string) => {
  /** When the chain was last asked about what it would execute, Unix milliseconds. */
  const tried = new WeakMap<DecodedTransaction, number>()

  /**
   * Where the chain would execute it. A node that fails is an outage, never a verdict, and so is our own fee payer without
   * SOL.
   */
  const examine = ({ payer, payment, requirements }: VerifiedPayment): Effect.Effect<Tried, Refused> => {
    const transaction = payment.scheme === "svm" ? transactionOf(payment.svm) : undefined
    if (payment.scheme !== "svm" || transaction === undefined) return Effect.fail(unavailable())
    const rejected = (reason: string) => new PaymentRejected({ reason, network: payment.network, payer })
    if (transaction.message.staticAccounts[0] !== feePayer) return Effect.fail(rejected(NOT_OURS))
    return withNow((asked) =>
      Effect.matchEffect(node.simulate(payment.svm.transaction, endsOf(transaction)), {
        onFailure: () => Effect.fail(unavailable()),
        onSuccess: ({
          isOfFeePayer,
          left,
          owner,
          receiver,
          slot,
          succeeds
        }): Effect.Effect<Tried, Refused> => {
          if (isOfFeePayer) return Effect.fail(unavailable())
          if (!succeeds) return Effect.fail(rejected(FAILS))
          if (owner !== undefined && owner !== payer) return Effect.fail(rejected(SOURCE_MISMATCH))
          if (receiver !== undefined && receiver !== requirements.payTo) return givenAway(requirements)
          tried.set(transaction, asked)
          return Effect.succeed({
            triedAt: slot,
            held: left === undefined ? undefined : left + BigInt(requirements.amount)
          })
        }
      })
    )
  }

  /** Whether the chain said a moment ago that it would execute this payment. It is told once. */
  const wasTried = ({ payment }: VerifiedPayment): Effect.Effect<boolean> =>
    withNow((now) => {
      const transaction = payment.scheme === "svm" ? transactionOf(payment.svm) : undefined
      const at = transaction && tried.get(transaction)
      if (transaction === undefined || at === undefined) return Effect.succeed(false)
      tried.delete(transaction)
      return Effect.succeed(Math.abs(now - at) < FRESH)
    })

  return { examine, wasTried }
}

export type Examination = ReturnType<typeof makeExamination>
