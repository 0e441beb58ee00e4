import { Schema } from "effect"
import type { CheckoutReceipt } from "../../domain/checkout.ts"
import { CheckoutEvents } from "../../domain/checkout-events.ts"
import type { Checkout } from "../checkout.ts"
import type { OutboxMessage } from "../checkout-repo.ts"
import { type Journal, type JournalEntry, lineOf, type Transfer } from "../journal.ts"

const encodePaid = Schema.encodeSync(Schema.parseJson(CheckoutEvents.paid))
const encodeExpired = Schema.encodeSync(Schema.parseJson(CheckoutEvents.expired))
const encodeTransfer = Schema.encodeSync(Schema.parseJson(CheckoutEvents.transfer))

/**
 * Message ids name the event, so that a receiver can drop the second delivery of one event. `again` tells it from an
 * earlier one of the same name, which a reorganisation took back.
 */
export const paidMessage = (receipt: CheckoutReceipt, again: string): OutboxMessage => ({
  id: `msg_${receipt.checkoutId}_paid${again}`,
  body: encodePaid({ type: "checkout.paid", timestamp: receipt.paidAt, data: receipt })
})

export const expiredMessage = (checkout: Checkout): OutboxMessage => ({
  id: `msg_${checkout.id}_expired`,
  body: encodeExpired({
    type: "checkout.expired",
    timestamp: checkout.terms.expiresAt,
    data: { status: "expired", checkoutId: checkout.id, terms: checkout.terms }
  })
})

/** A transfer that does not pay the checkout: short, late, extra, lost, or a refund. */
export const transferMessage = (
  { id, terms }: Checkout,
  entry: JournalEntry,
  { missing, received }: Journal,
  now: number,
  again: string
): OutboxMessage => ({
  id: `msg_${id}_${entry.kind}_${entry.evidence}${again}`,
  body: encodeTransfer({
    type: `checkout.transfer.${entry.kind}`,
    timestamp: new Date(now).toISOString(),
    data: {
      checkoutId: id,
      terms,
      transfer: lineOf(entry),
      received: received.toString(),
      missing: missing.toString()
    }
  })
})

/** A transfer that was told of and is no longer in the chain. It may come back, and be lost again. */
export const lostMessage =
  (now: number) =>
  (checkout: Checkout, transfer: Transfer, journal: Journal): OutboxMessage =>
    transferMessage(checkout, { ...transfer, kind: "lost" }, journal, now, `_${now}`)
