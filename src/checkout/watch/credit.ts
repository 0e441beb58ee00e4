import { Effect } from "effect"
import type { PaymentBinding } from "../../domain/checkout.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import type { Evidence } from "../../payment/outcome.ts"
import type { Checkout } from "../checkout.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import { makeRecordTransfer } from "../paid-record.ts"

/** The chain's and our clock may differ; a transfer can be this much older than its checkout. Milliseconds. */
export const SLACK = 60_000

/** A transfer of USDC that a wallet sent to an order by itself. */
export interface WalletTransfer {
  readonly evidence: Evidence
  /** What names the transfer on its network for ever. */
  readonly name: string
  /** Owner of the tokens that moved; null where the chain does not tell. */
  readonly payer: string | null
  /** Unix milliseconds, by the block. */
  readonly at: number
  readonly paymentKey: string
  readonly binding: PaymentBinding
}

/**
 * Counts a transfer for the order it names. One transfer pays once, over every channel; an order may be paid in parts,
 * so each has a claimant of its own in the ledger, which also looks after it until its block is final.
 */
export const makeCredit = Effect.gen(function* () {
  const ledger = yield* Ledger
  const record = makeRecordTransfer(yield* CheckoutRepo)

  return Effect.fnUntraced(function* (checkout: Checkout, transfer: WalletTransfer) {
    const { at, binding, evidence, name, payer, paymentKey } = transfer
    const { amount, network, transaction } = evidence
    const claimant = `checkout ${checkout.id} ${name}`
    if (!(yield* ledger.claimEvidence(evidence, claimant))) return
    yield* record(
      {
        evidence: `${network}:${name}`,
        checkoutId: checkout.id,
        via: "wallet",
        transaction,
        payer,
        amount: BigInt(amount),
        at,
        claimant
      },
      {
        paymentKey,
        binding,
        settlement: { success: true, transaction, network, amount, ...(payer === null ? {} : { payer }) }
      }
    )
  })
})
