import { Effect } from "effect"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import { withNow } from "../../../domain/now.ts"
import type { Height } from "../../outcome.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import { EXPIRED } from "./lookup.ts"
import { type SolanaNode, tryOut } from "./node.ts"
import { requireOwnEnds } from "./own-ends.ts"
import { type DecodedTransaction, endsOf, transactionOf } from "./transaction.ts"

/** Error codes of the reference implementation. Source: `@x402/svm`. */
const NOT_OURS = "invalid_exact_svm_fee_payer_not_managed_by_facilitator"
const FAILS = "invalid_exact_svm_transaction_simulation_failed"

/** Milliseconds for which a simulation's result is taken as current: five slots. */
const FRESH = 2_000

type Refused = PaymentRejected | PaymentUnavailable

const unavailable = () => new PaymentUnavailable({ upstream: "solana-rpc" })

/** What a simulation showed of a payment that the chain would execute. */
interface Tried {
  /** The slot of the simulation. */
  readonly triedAt: Height
  /** The balance of the paying account, in smallest units. */
  readonly held: bigint
}

/**
 * The checks of a payment that need the chain. Its layout and signatures are verified already; what remains of the official
 * facilitator's rules is that the fee payer is ours and that the chain would execute it now. Beside them: that the tokens are
 * the signer's own.
 */
export const makeExamination = (node: Pick<SolanaNode, "simulate" | "ends">, feePayer: string) => {
  /** When the chain was last asked about what it would execute, Unix milliseconds. */
  const tried = new WeakMap<DecodedTransaction, number>()

  /**
   * Simulates the payment. A node that fails is an outage and never a refusal, and so is our own fee payer without SOL.
   */
  const examine = (verified: VerifiedPayment): Effect.Effect<Tried, Refused> => {
    const { payer, payment } = verified
    const transaction = payment.scheme === "svm" ? transactionOf(payment.svm) : undefined
    if (payment.scheme !== "svm" || transaction === undefined) return Effect.fail(unavailable())
    const rejected = (reason: string) => new PaymentRejected({ reason, network: payment.network, payer })
    if (transaction.message.staticAccounts[0] !== feePayer) return Effect.fail(rejected(NOT_OURS))
    return withNow((asked) =>
      Effect.matchEffect(tryOut(node, payment.svm.transaction, endsOf(transaction)), {
        onFailure: () => Effect.fail(unavailable()),
        onSuccess: ({
          isOfBlockhash,
          isOfFeePayer,
          slot,
          succeeds,
          ...ends
        }): Effect.Effect<Tried, Refused> => {
          if (isOfFeePayer) return Effect.fail(unavailable())
          if (!succeeds) return Effect.fail(rejected(isOfBlockhash ? EXPIRED : FAILS))
          return Effect.map(requireOwnEnds(node, verified, ends), (held) => {
            tried.set(transaction, asked)
            return { triedAt: slot, held }
          })
        }
      })
    )
  }

  /** Whether a simulation of this payment succeeded a moment ago. Each success is reported once. */
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
