import { atLeastZero, sum } from "../domain/bigint.ts"
import type { CheckoutTerms, CheckoutTransfer, PaymentBinding, TransferKind } from "../domain/checkout.ts"

/**
 * One transfer of USDC seen for a checkout. `evidence` names it for ever: no transfer is counted twice, whoever tells
 * of it. Amounts in smallest units, times in Unix milliseconds.
 */
export interface Transfer {
  readonly evidence: string
  readonly checkoutId: string
  /** `verify`: settled through us and bound to the order. `wallet`: found on chain. `refund`: back to the payer. */
  readonly via: "verify" | "wallet" | "refund"
  readonly transaction: string
  /** Owner of the tokens that moved; null where the chain does not tell. */
  readonly payer: string | null
  readonly amount: bigint
  /** When its block moved it; through verify, when we heard of it. */
  readonly at: number
  /** The block (slot) that holds it, as far as a reorganisation leaves it there; absent until the row is read. */
  readonly block?: number | null
  /** What a receipt says of it; absent for refunds, and for transfers of an older version. */
  readonly paymentKey?: string | null
  readonly binding?: PaymentBinding | null
  /** The name under which the ledger looks after it; absent where it does not. */
  readonly claimant?: string
  /** When it was found that a reorganisation took it away and nothing brought it back. */
  readonly lostAt?: number | null
}

export interface JournalEntry extends Transfer {
  readonly kind: TransferKind
}

/** What a checkout's transfers come to. */
export interface Journal {
  readonly entries: ReadonlyArray<JournalEntry>
  /** Everything that came in, in time or not. */
  readonly received: bigint
  readonly refunded: bigint
  /** What is still due; zero when it is paid. */
  readonly missing: bigint
  readonly isPaid: boolean
}

/** The line of a receipt, a status or an event that tells of a transfer. */
export const lineOf = ({ amount, at, block, kind, payer, transaction }: JournalEntry): CheckoutTransfer => ({
  kind,
  transaction,
  amount: amount.toString(),
  payer,
  at: new Date(at).toISOString(),
  block: block ?? null
})

/** A chain's time is in whole seconds, and several of its blocks may share one. A row that was not read yet is the newest. */
const blockOf = ({ block }: Transfer): number => block ?? Number.MAX_SAFE_INTEGER

const inOrder = (a: Transfer, b: Transfer): number =>
  a.at - b.at || blockOf(a) - blockOf(b) || (a.evidence < b.evidence ? -1 : 1)

const amountOf = (transfers: ReadonlyArray<Transfer>): bigint => sum(transfers.map(({ amount }) => amount))

/** What pays an order, and what came in time and stayed until then. */
interface Reached {
  readonly paying: ReadonlyArray<Transfer>
  readonly inTime: bigint
}

/**
 * The first transfers, in the chain's order, that together reach the amount in time; what went back before that counts no
 * more. A payment through verify was bound to the order before it was settled, so it counts by itself and whenever its
 * block came.
 */
const reachedBy = (terms: CheckoutTerms, standing: ReadonlyArray<Transfer>): Reached => {
  const due = BigInt(terms.amount)
  const verified = standing.find(({ via }) => via === "verify")
  if (verified !== undefined) return { paying: [verified], inTime: due }
  const deadline = Date.parse(terms.expiresAt)
  const paying: Array<Transfer> = []
  let inTime = 0n
  for (const transfer of standing) {
    const { amount, at, via } = transfer
    if (via === "refund") inTime = atLeastZero(inTime - amount)
    else if (at <= deadline) {
      paying.push(transfer)
      inTime += amount
      if (inTime >= due) return { paying, inTime }
    }
  }
  return { paying: [], inTime }
}

const isLost = ({ lostAt }: Transfer): boolean => typeof lostAt === "number"

const kindOf = (transfer: Transfer, terms: CheckoutTerms, paying: ReadonlySet<Transfer>): TransferKind => {
  if (isLost(transfer)) return "lost"
  if (transfer.via === "refund") return "refunded"
  if (paying.has(transfer)) return "paid"
  if (paying.size > 0) return "extra"
  return transfer.at <= Date.parse(terms.expiresAt) ? "short" : "late"
}

/** Derives everything from the rows; nothing about money is ever overwritten. */
export const journalOf = (terms: CheckoutTerms, transfers: ReadonlyArray<Transfer>): Journal => {
  const sorted = transfers.toSorted(inOrder)
  const standing = sorted.filter((transfer) => !isLost(transfer))
  const incoming = standing.filter(({ via }) => via !== "refund")
  const { inTime, paying } = reachedBy(terms, standing)
  const chosen = new Set(paying)
  const entries = sorted.map((transfer) => ({ ...transfer, kind: kindOf(transfer, terms, chosen) }))
  return {
    entries,
    received: amountOf(incoming),
    refunded: amountOf(standing.filter(({ via }) => via === "refund")),
    missing: paying.length > 0 ? 0n : BigInt(terms.amount) - inTime,
    isPaid: paying.length > 0
  }
}
