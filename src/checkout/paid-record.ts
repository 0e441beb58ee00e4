import { Clock, Effect, Schema } from "effect"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import type { PaymentBinding } from "../domain/checkout.ts"
import { CheckoutReceipt } from "../domain/checkout.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type { SettlementResponse } from "../domain/x402.ts"
import type { Checkout, Paid } from "./checkout.ts"
import { receiptOf } from "./checkout.ts"
import { CheckoutConflict } from "./errors.ts"
import type { Evidence } from "../payment/outcome.ts"
import { CheckoutRepo, type Conclusion, type LossesToTell } from "./checkout-repo.ts"
import type { Verified } from "./checkouts.ts"
import { type Journal, type JournalEntry, journalOf, type Transfer } from "./journal.ts"
import { refundClaimant, Sightings } from "./watch/sightings.ts"
import { lostMessage, paidMessage, transferMessage } from "./webhooks/events.ts"

const encodeReceipt = Schema.encodeSync(Schema.parseJson(CheckoutReceipt))

export const verifiedOf = (paid: Paid): Verified => ({ receipt: paid.receipt, settlement: paid.settlement })

/**
 * The journal's name of a transfer. On Solana a transaction carries one order's memo and so counts once, whether it was
 * sent through verify or found on chain. On Base one transaction may carry many authorizations.
 */
export const evidenceOf = (network: string, transaction: string, paymentKey: string): string =>
  network === SOLANA_NETWORK ? `${network}:${transaction}` : `${network}:${transaction}:${paymentKey}`

/** How the end of a checkout is told: what paid it, and the answer its payer gets. */
interface Ending {
  readonly paymentKey: string
  readonly settlement: SettlementResponse
  readonly binding: PaymentBinding
}

const paidBy = (checkout: Checkout, journal: Journal, at: number, ending: Ending): Paid => {
  const receipt = receiptOf(checkout.terms, ending.settlement, ending.binding, at, journal)
  return {
    paymentKey: ending.paymentKey,
    receipt: encodeReceipt(receipt),
    settlement: ending.settlement,
    at
  }
}

const entryOf = (journal: Journal, { evidence }: Transfer): JournalEntry | undefined =>
  journal.entries.find((entry) => entry.evidence === evidence)

/** What the merchant is told of a transfer that changes no state. */
const toldOf =
  (transfer: Transfer, at: number) =>
  (checkout: Checkout, transfers: ReadonlyArray<Transfer>, isAgain: boolean): Conclusion => {
    const again = isAgain ? `_${at}` : ""
    const journal = journalOf(checkout.terms, transfers)
    const entry = entryOf(journal, transfer)
    return {
      paid: null,
      messages: entry === undefined ? [] : [transferMessage(checkout, entry, journal, at, again)]
    }
  }

/** A paid checkout stays paid: what comes later is told of by itself. */
const concludeWith =
  (transfer: Transfer, at: number, ending: Ending) =>
  (checkout: Checkout, transfers: ReadonlyArray<Transfer>, isAgain: boolean): Conclusion => {
    const journal = journalOf(checkout.terms, transfers)
    if (journal.isPaid && checkout.status !== "paid") {
      const paid = paidBy(checkout, journal, at, ending)
      const receipt = receiptOf(checkout.terms, ending.settlement, ending.binding, at, journal)
      return { paid, messages: [paidMessage(receipt, isAgain ? `_${at}` : "")] }
    }
    return toldOf(transfer, at)(checkout, transfers, isAgain)
  }

/**
 * Writes down money that moved and what follows from it. The chain is the truth: it overrules the checkout's own state.
 */
export const makeRecordTransfer =
  (repo: CheckoutRepo["Type"]) =>
  (transfer: Transfer, ending: Ending): Effect.Effect<Checkout, UpstreamError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { binding, paymentKey } = ending
      return repo.record({ ...transfer, binding, paymentKey }, now, concludeWith(transfer, now, ending))
    })

/** What follows from transfers that are found to be lost now. */
export const lossesAt = (now: number): LossesToTell => ({
  message: lostMessage(now),
  instead: paidInstead(now)
})

/**
 * The end of a checkout whose receipt names a transfer that was lost, and that others keep paid: the last of those that
 * pay it now. Null where the receipt is true as it is.
 */
const paidInstead =
  (now: number): LossesToTell["instead"] =>
  (checkout, lost, journal) => {
    const isNamed = checkout.status === "paid" && checkout.paid.settlement.transaction === lost.transaction
    const last = journal.entries.findLast(({ kind }) => kind === "paid")
    if (!isNamed || last === undefined) return { paid: null, messages: [] }
    const { amount, binding, payer, paymentKey, transaction } = last
    if (typeof binding !== "string" || typeof paymentKey !== "string") return { paid: null, messages: [] }
    const settlement = {
      success: true,
      transaction,
      network: checkout.terms.network,
      amount: amount.toString(),
      ...(payer === null ? {} : { payer })
    }
    const receipt = receiptOf(checkout.terms, settlement, binding, now, journal)
    return {
      paid: { paymentKey, receipt: encodeReceipt(receipt), settlement, at: now },
      messages: [paidMessage(receipt, `_${now}`)]
    }
  }

/** Money that went back, and where it was seen. */
export interface SeenRefund {
  readonly transfer: Transfer
  readonly place: Evidence
}

/**
 * Writes down money that went back, to be looked after until its block is final. True when the transfer stands in this
 * checkout's journal: false where it is another order's already.
 */
export const makeRecordRefund = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const sightings = yield* Sightings

  return Effect.fnUntraced(function* ({ place, transfer }: SeenRefund) {
    const now = yield* Clock.currentTimeMillis
    const claimant = refundClaimant(transfer.evidence)
    // Noted before the row itself, so that every row is looked after from its first moment.
    yield* sightings.note(claimant, place)
    yield* repo.record({ ...transfer, claimant, block: place.height }, now, toldOf(transfer, now))
    const rows = yield* repo.transfers(transfer.checkoutId)
    return rows.some(({ evidence }) => evidence === transfer.evidence)
  })
})

/** Writes down a payment that was settled through us. The first record stays and is what everybody is answered. */
export const makeRecordPaid = (repo: CheckoutRepo["Type"]) => {
  const record = makeRecordTransfer(repo)
  return Effect.fn("Checkouts.recordPaid")(function* (checkout: Checkout, ending: Ending) {
    const { binding, paymentKey, settlement } = ending
    const { amount, network } = checkout.terms
    const at = yield* Clock.currentTimeMillis
    const transfer: Transfer = {
      evidence: evidenceOf(network, settlement.transaction, paymentKey),
      checkoutId: checkout.id,
      via: "verify",
      transaction: settlement.transaction,
      payer: settlement.payer ?? null,
      amount: BigInt(amount),
      at,
      claimant: paymentKey
    }
    const after = yield* record(transfer, ending)
    if (after.status === "paid" && after.paid.paymentKey === paymentKey) return verifiedOf(after.paid)
    const rows = yield* repo.transfers(checkout.id)
    const own = rows.find(({ evidence }) => evidence === transfer.evidence) ?? transfer
    if (typeof own.lostAt === "number")
      return yield* new CheckoutConflict({
        message:
          "a reorganisation of the chain took this payment back and it cannot land any more; sign a new one"
      })
    yield* Effect.logError("a second payment settled for a paid checkout").pipe(
      Effect.annotateLogs({ checkout: checkout.id, transaction: settlement.transaction })
    )
    // By its own row, so that it is the same receipt whenever it is asked for.
    const alone = journalOf(checkout.terms, [{ ...own, via: "verify" }])
    return verifiedOf(paidBy(checkout, alone, own.at, { binding, paymentKey, settlement }))
  })
}
