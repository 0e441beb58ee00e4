import type { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { Checkout, Paid } from "../checkout.ts"
import type { CheckoutRepo, LossesToTell } from "../checkout-repo.ts"
import { encodeSettlement, toTransfers } from "../checkout-rows.ts"
import type { Counters } from "../counters.ts"
import { journalOf } from "../journal.ts"
import { lockedCheckout } from "./locking.ts"
import { makePost } from "./posting.ts"
import { transfersOn } from "./transfers.ts"

/** Losses one look takes. */
const BATCH = 200

const Ended = Schema.Tuple(Schema.Struct({ status: Schema.Literal("open", "expired", "cancelled") }))
const decodeEnded = Schema.decodeUnknown(Ended)

/** Gives a checkout that is not paid after all the state it would have. */
const makeReopen = (sql: SqlClient.SqlClient, counters: Counters) =>
  Effect.fnUntraced(function* (checkout: Checkout, now: number) {
    if (checkout.status !== "paid") return
    const rows =
      yield* sql`UPDATE checkouts SET payment = NULL, receipt = NULL, settlement = NULL, paid_at = NULL,
        attempt = NULL, binding = NULL, payload = NULL, processing_at = NULL,
        status = CASE WHEN cancelled_at IS NOT NULL THEN 'cancelled' WHEN expired_at IS NOT NULL THEN 'expired'
          ELSE 'open' END
      WHERE id = ${checkout.id} RETURNING status`
    const [{ status }] = yield* Effect.orDie(decodeEnded(rows))
    if (status === "open") yield* counters.add(checkout.caller, "open", now, 1)
    yield* counters.add(checkout.caller, "paid", checkout.paid.at, -1)
  })

/** What a reorganisation takes out of the journal's sums. */
export const makeLosing = (
  sql: SqlClient.SqlClient,
  counters: Counters
): Pick<CheckoutRepo["Type"], "lose" | "losses"> => {
  const post = makePost(sql)
  const transfersOf = transfersOn(sql)
  const locked = lockedCheckout(sql)
  const reopen = makeReopen(sql, counters)

  /** The checkout stays paid, by another transfer: what is counted stays as it is. */
  const renew = ({ id }: Checkout, paid: Paid) =>
    sql`UPDATE checkouts SET payment = ${paid.paymentKey}, receipt = ${paid.receipt},
        settlement = ${encodeSettlement(paid.settlement)}, paid_at = ${paid.at} WHERE id = ${id} AND status = 'paid'`

  const loseOne = (claimant: string, now: number, { instead, message }: LossesToTell) =>
    Effect.gen(function* () {
      const rows = yield* sql`UPDATE checkout_transfers SET lost_at = ${now}
        WHERE claimant = ${claimant} AND lost_at IS NULL RETURNING *`
      for (const transfer of yield* toTransfers(rows)) {
        const id = transfer.checkoutId
        const checkout = yield* Effect.flatten(locked(id))
        const all = yield* transfersOf(id)
        const journal = journalOf(checkout.terms, all)
        if (!journal.isPaid) yield* reopen(checkout, now)
        yield* post(checkout, now)(message(checkout, transfer, journal))
        const { messages, paid } = instead(checkout, transfer, journal)
        if (paid !== null) yield* renew(checkout, paid)
        yield* Effect.forEach(messages, post(checkout, now), { discard: true })
      }
      return rows.length
    }).pipe(sql.withTransaction)

  const lose: CheckoutRepo["Type"]["lose"] = Effect.fn("CheckoutRepo.lose")(
    function* (claimants, now, told) {
      if (claimants.length === 0) return 0
      const known = yield* sql<{ claimant: string }>`SELECT DISTINCT claimant FROM checkout_transfers
        WHERE ${sql.in("claimant", claimants)} AND lost_at IS NULL`
      const lost = yield* Effect.forEach(known, ({ claimant }) => loseOne(claimant, now, told))
      return lost.reduce((total, rows) => total + rows, 0)
    },
    Effect.catchTag("NoSuchElementException", () =>
      Effect.dieMessage("a transfer for a checkout which does not exist")
    ),
    narrowSql
  )

  const losses: CheckoutRepo["Type"]["losses"] = Effect.fn("CheckoutRepo.losses")((network) =>
    narrowSql(
      sql<{ claimant: string }>`SELECT claimed_by AS claimant FROM payment_evidence
        WHERE network = ${network} AND standing = 'lost'
          AND EXISTS (SELECT 1 FROM checkout_transfers WHERE claimant = claimed_by AND lost_at IS NULL)
        ORDER BY created_at LIMIT ${BATCH}`
    ).pipe(Effect.map((rows) => rows.map(({ claimant }) => claimant)))
  )

  return { lose, losses }
}
