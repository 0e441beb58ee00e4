import type { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import { StoredInteger } from "../../storage/stored-integer.ts"
import type { Checkout, Paid } from "../checkout.ts"
import type { CheckoutRepo } from "../checkout-repo.ts"

/** Overtaken payments one sweep looks at; the next sweep goes on where it ended. */
const BATCH = 100

const Row = Schema.Struct({
  checkoutId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("checkout_id")),
  payment: Schema.String,
  payload: Schema.String,
  since: StoredInteger
})
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

/** Keeps the payment that was bound while another transfer pays the checkout: the row is the other's from now on. */
export const makeNoteOvertaken =
  (sql: SqlClient.SqlClient) =>
  (checkout: Checkout, { paymentKey }: Paid) => {
    if (checkout.status !== "processing" || checkout.payment.key === paymentKey) return Effect.void
    const { key: payment, payload, since } = checkout.payment
    return Effect.asVoid(sql`INSERT INTO checkout_overtaken
        ${sql.insert({ checkout_id: checkout.id, payment, payload, since })} ON CONFLICT DO NOTHING`)
  }

/** Payments whose checkout another transfer has paid meanwhile. */
export const makeOvertaken = (
  sql: SqlClient.SqlClient
): Pick<CheckoutRepo["Type"], "overtaken" | "isOvertaking" | "endOvertaken"> => {
  const overtaken: CheckoutRepo["Type"]["overtaken"] = Effect.fn("CheckoutRepo.overtaken")((
    before,
    after
  ) => {
    const isNext =
      after === null
        ? sql`TRUE`
        : sql`(since, checkout_id, payment) > (${after.since}, ${after.checkoutId}, ${after.payment})`
    return Effect.flatMap(
      narrowSql(sql`SELECT checkout_id, payment, payload, since FROM checkout_overtaken
          WHERE since <= ${before} AND ${isNext} ORDER BY since, checkout_id, payment LIMIT ${BATCH}`),
      (rows) => Effect.orDie(decodeRows(rows))
    )
  })

  const isOvertaking = Effect.fn("CheckoutRepo.isOvertaking")((id: string) =>
    Effect.map(
      narrowSql(sql`SELECT 1 FROM checkout_overtaken WHERE checkout_id = ${id} LIMIT 1`),
      (rows) => rows.length > 0
    )
  )

  const endOvertaken = Effect.fn("CheckoutRepo.endOvertaken")((id: string, payment: string) =>
    narrowSql(sql`DELETE FROM checkout_overtaken WHERE checkout_id = ${id} AND payment = ${payment}`).pipe(
      Effect.asVoid
    )
  )

  return { overtaken, isOvertaking, endOvertaken }
}
