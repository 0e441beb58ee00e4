import { Effect } from "effect"
import type { PaymentBinding } from "../../domain/checkout.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import type { Evidence } from "../../payment/outcome.ts"
import type { Checkout } from "../checkout.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import { journalOf, type Transfer } from "../journal.ts"
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
 * Transfers an order's journal has room for. It is read as a whole for every status and every further transfer, and
 * whoever knows an order may send it millionths of a dollar for a fee of less than a cent each.
 */
export const MOST_TRANSFERS = 200

/** Whether a journal has room for another row of its way, or has this one. What came in and what went back have room each. */
export const hasRoom = (rows: ReadonlyArray<Transfer>, { evidence, via }: Transfer): boolean =>
  rows.filter((row) => (row.via === "refund") === (via === "refund")).length < MOST_TRANSFERS ||
  rows.some((row) => row.evidence === evidence)

/** What pays the order it takes however full it is. */
const completes = ({ terms }: Checkout, rows: ReadonlyArray<Transfer>, transfer: Transfer): boolean =>
  !journalOf(terms, rows).isPaid && journalOf(terms, [...rows, transfer]).isPaid

/**
 * Counts a transfer for the order it names. One transfer pays once, over every channel; an order may be paid in parts,
 * so each has a claimant of its own in the ledger, which also looks after it until its block is final. False: the order's
 * journal is full, and the transfer is money without an order.
 */
export const makeCredit = Effect.gen(function* () {
  const ledger = yield* Ledger
  const repo = yield* CheckoutRepo
  const record = makeRecordTransfer(repo)

  return Effect.fnUntraced(function* (checkout: Checkout, transfer: WalletTransfer) {
    const { at, binding, evidence, name, payer, paymentKey } = transfer
    const { amount, network, transaction } = evidence
    const claimant = `checkout ${checkout.id} ${name}`
    const row: Transfer = {
      evidence: `${network}:${name}`,
      checkoutId: checkout.id,
      via: "wallet",
      transaction,
      payer,
      amount: BigInt(amount),
      at,
      claimant
    }
    const rows = yield* repo.transfers(checkout.id)
    if (!hasRoom(rows, row) && !completes(checkout, rows, row)) return false
    if (!(yield* ledger.claimEvidence(evidence, claimant))) return true
    yield* record(row, {
      paymentKey,
      binding,
      settlement: { success: true, transaction, network, amount, ...(payer === null ? {} : { payer }) }
    })
    return true
  })
})
