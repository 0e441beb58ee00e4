import { Effect } from "effect"
import { type Evidence, unseenIndex } from "../../outcome.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import type { Begun } from "../../verifier/payment-verifier.ts"
import { TRANSFER_INSTRUCTION } from "../../verifier/svm/transaction.ts"

/** When a facilitator's word is enough. */
export interface Trust {
  /** Amounts below it, smallest units; 0: never. */
  readonly below: bigint
  /** One read of the chain, of any of our nodes. */
  readonly read: Effect.Effect<unknown, unknown>
}

/** Whose word is never enough. */
export const NO_TRUST: Trust = { below: 0n, read: Effect.void }

/**
 * Where a transfer is that only a facilitator has seen. On Base its log's position is not known, and a transaction may
 * carry several payments: each gets a number of its own nonce that no log has. It is searched for like a transfer that
 * a reorganisation took away, and recorded anew where it is found.
 */
const claimed = (
  { payer, payment, requirements }: VerifiedPayment,
  { since }: Begun,
  transaction: string
): Evidence => ({
  network: requirements.network,
  transaction: payment.scheme === "eip3009" ? transaction.toLowerCase() : transaction,
  index:
    payment.scheme === "eip3009"
      ? unseenIndex(payment.evm.authorization.nonce.slice(2))
      : TRANSFER_INSTRUCTION,
  height: since,
  payer,
  payTo: requirements.payTo,
  amount: requirements.amount
})

/**
 * The transfer as a facilitator claims it, where its word is enough: a small amount, while none of our nodes answers. A
 * node that answers and does not show the transfer is a reason for doubt, and then the facilitator's word does not
 * count.
 */
export const believed = Effect.fnUntraced(function* (
  { below, read }: Trust,
  verified: VerifiedPayment,
  begun: Begun,
  transaction: string
) {
  if (BigInt(verified.requirements.amount) >= below) return undefined
  const isReachable = yield* Effect.match(read, { onFailure: () => false, onSuccess: () => true })
  if (isReachable) return undefined
  yield* Effect.logWarning("no node answers: a facilitator's word is taken for a small payment", transaction)
  return claimed(verified, begun, transaction)
})
