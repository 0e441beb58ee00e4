import { Effect } from "effect"
import { PaymentUnavailable, type PaymentRejected } from "../../../domain/errors.ts"
import type { Height } from "../../outcome.ts"
import type { CheckedPayment } from "../checked-payment.ts"
import type { Settle, Verified } from "../payment-verifier.ts"
import type { SolanaNode } from "./node.ts"
import { decodeTransaction } from "./transaction.ts"

const unavailable = () => new PaymentUnavailable({ upstream: "solana-rpc" })

/** Slots in which a payment that is presented now can have landed: a blockhash lives for 150, some are skipped. */
const LIFETIME_SLOTS = 250

/** The slot up to which a node knows the chain. It says so with its word on the payment's blockhash. */
const readSlot = (
  node: SolanaNode,
  { payment }: CheckedPayment
): Effect.Effect<Height, PaymentUnavailable> => {
  const transaction = payment.scheme === "svm" ? decodeTransaction(payment.svm.transaction) : undefined
  if (transaction === undefined) return Effect.fail(unavailable())
  return node
    .blockhash(transaction.message.lifetimeToken, "confirmed")
    .pipe(Effect.mapBoth({ onFailure: unavailable, onSuccess: ({ slot }) => slot }))
}

/**
 * Verifies a payment on Solana: what `examine` says, a simulation among it, at a slot we read. A payment that cannot be
 * simulated may have landed already: its transfer is handed on, for whoever can recognise it.
 */
export const verifyOnSolana =
  (
    node: SolanaNode,
    lookup: Settle,
    examine: (checked: CheckedPayment) => Effect.Effect<void, PaymentRejected | PaymentUnavailable>
  ) =>
  (checked: CheckedPayment): Effect.Effect<Verified, PaymentRejected | PaymentUnavailable> =>
    Effect.gen(function* () {
      const [height, examined] = yield* Effect.all(
        [readSlot(node, checked), Effect.either(examine(checked))],
        {
          concurrency: 2
        }
      )
      if (examined._tag === "Right") return { height }
      if (examined.left._tag === "PaymentUnavailable") return yield* examined.left
      const since = Math.max(1, height - LIFETIME_SLOTS)
      const found = yield* lookup(checked, { transaction: null, since })
      return found.state === "settled" ? { height, used: found.evidence } : yield* examined.left
    }).pipe(Effect.withSpan("Solana.verify"))
