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

const sum = (transfers: ReadonlyArray<Transfer>): bigint =>
  transfers.reduce((total, { amount }) => total + amount, 0n)

/**
 * The first transfers, in the chain's order, that together reach the amount in time. A payment through verify was bound
 * to the order before it was settled, so it counts by itself and whenever its block came.
 */
const payingOf = (terms: CheckoutTerms, incoming: ReadonlyArray<Transfer>): ReadonlyArray<Transfer> => {
  const due = BigInt(terms.amount)
  const verified = incoming.find(({ via }) => via === "verify")
  if (verified !== undefined) return [verified]
  const deadline = Date.parse(terms.expiresAt)
  const inTime = incoming.filter(({ at }) => at <= deadline)
  const enough = inTime.findIndex((_, index) => sum(inTime.slice(0, index + 1)) >= due)
  return enough === -1 ? [] : inTime.slice(0, enough + 1)
}

const isLost = ({ lostAt }: Transfer): boolean => typeof lostAt === "number"

const kindOf = (transfer: Transfer, terms: CheckoutTerms, paying: ReadonlyArray<Transfer>): TransferKind => {
  if (isLost(transfer)) return "lost"
  if (transfer.via === "refund") return "refunded"
  if (paying.includes(transfer)) return "paid"
  if (paying.length > 0) return "extra"
  return transfer.at <= Date.parse(terms.expiresAt) ? "short" : "late"
}

/** Derives everything from the rows; nothing about money is ever overwritten. */
export const journalOf = (terms: CheckoutTerms, transfers: ReadonlyArray<Transfer>): Journal => {
  const sorted = transfers.toSorted(inOrder)
  const standing = sorted.filter((transfer) => !isLost(transfer))
  const incoming = standing.filter(({ via }) => via !== "refund")
  const paying = payingOf(terms, incoming)
  const entries = sorted.map((transfer) => ({ ...transfer, kind: kindOf(transfer, terms, paying) }))
  const inTime = sum(entries.filter(({ kind }) => kind === "short"))
  return {
    entries,
    received: sum(incoming),
    refunded: sum(standing.filter(({ via }) => via === "refund")),
    missing: paying.length > 0 ? 0n : BigInt(terms.amount) - inTime,
    isPaid: paying.length > 0
  }
}
