import type { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { Checkout, Paid } from "../checkout.ts"
import type { CheckoutRepo } from "../checkout-repo.ts"
import { encodeSettlement } from "../checkout-rows.ts"
import type { Counters } from "../counters.ts"
import type { Transfer } from "../journal.ts"
import { lockedCheckout } from "./locking.ts"
import { makeNoteOvertaken } from "./overtaken.ts"
import { makePost } from "./posting.ts"
import { transfersOn } from "./transfers.ts"

const makeMarkPaid = (sql: SqlClient.SqlClient, counters: Counters) => {
  const noteOvertaken = makeNoteOvertaken(sql)
  return Effect.fnUntraced(function* (checkout: Checkout, paid: Paid) {
    if (checkout.status === "paid") return
    yield* noteOvertaken(checkout, paid)
    yield* sql`UPDATE checkouts SET status = 'paid', payment = ${paid.paymentKey}, receipt = ${paid.receipt},
        settlement = ${encodeSettlement(paid.settlement)}, paid_at = ${paid.at} WHERE id = ${checkout.id}`
    if (checkout.status === "open" || checkout.status === "processing")
      yield* counters.add(checkout.caller, "open", paid.at, -1)
    yield* counters.add(checkout.caller, "paid", paid.at, 1)
  })
}

const makeRows = (sql: SqlClient.SqlClient) => {
  const insertTransfer = (transfer: Transfer, now: number) =>
    sql`INSERT INTO checkout_transfers ${sql.insert({
      evidence: transfer.evidence,
      checkout_id: transfer.checkoutId,
      via: transfer.via,
      transaction_id: transfer.transaction,
      payer: transfer.payer,
      amount: transfer.amount.toString(),
      at: transfer.at,
      block: transfer.block ?? null,
      seen_at: now,
      claimant: transfer.claimant ?? null,
      authorization_key: transfer.paymentKey ?? null,
      binding: transfer.binding ?? null
    })} ON CONFLICT (evidence) DO NOTHING RETURNING evidence`.pipe(Effect.map((rows) => rows.length > 0))

  /** A wallet's transfer, or a refund, that was lost and is in the chain again. One through verify cannot come back. */
  const bringBack = ({ at, block, checkoutId, evidence, via }: Transfer) =>
    via !== "verify"
      ? sql`UPDATE checkout_transfers SET lost_at = NULL, at = ${at}, block = ${block ?? null}
          WHERE evidence = ${evidence} AND checkout_id = ${checkoutId} AND lost_at IS NOT NULL RETURNING evidence`.pipe(
          Effect.map((rows) => rows.length > 0)
        )
      : Effect.succeed(false)

  return { insertTransfer, bringBack }
}

/** Writes transfers into the journal, once each, with what follows from them. */
export const makeRecording = (
  sql: SqlClient.SqlClient,
  counters: Counters
): Pick<CheckoutRepo["Type"], "record"> => {
  const post = makePost(sql)
  const markPaid = makeMarkPaid(sql, counters)
  const { bringBack, insertTransfer } = makeRows(sql)

  const locked = lockedCheckout(sql)

  const current = (id: string) =>
    Effect.flatMap(
      locked(id),
      Option.match({
        onNone: () => Effect.dieMessage(`a transfer for checkout ${id}, which does not exist`),
        onSome: (checkout) => Effect.succeed(checkout)
      })
    )

  const transfersOf = transfersOn(sql)

  const record: CheckoutRepo["Type"]["record"] = Effect.fn("CheckoutRepo.record")(
    function* (transfer, now, conclude) {
      const isNew = yield* insertTransfer(transfer, now)
      const isBack = !isNew && (yield* bringBack(transfer))
      const checkout = yield* current(transfer.checkoutId)
      if (!isNew && !isBack) return checkout
      const transfers = yield* transfersOf(checkout.id)
      const isAgain = isBack || transfers.some(({ lostAt }) => lostAt !== null)
      const { messages, paid } = conclude(checkout, transfers, isAgain)
      if (paid !== null) yield* markPaid(checkout, paid)
      yield* Effect.forEach(messages, post(checkout, now), { discard: true })
      return yield* current(checkout.id)
    },
    sql.withTransaction,
    narrowSql
  )

  return { record }
}
