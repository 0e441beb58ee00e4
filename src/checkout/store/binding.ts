import type { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { BoundPayment } from "../checkout.ts"
import type { CheckoutRepo } from "../checkout-repo.ts"
import { oneCheckout } from "../checkout-rows.ts"

/** Which payment a checkout is bound to. */
export const makeBinding = (sql: SqlClient.SqlClient): Pick<CheckoutRepo["Type"], "bind" | "release"> => {
  const bind = Effect.fn("CheckoutRepo.bind")((id: string, payment: BoundPayment) =>
    narrowSql(
      oneCheckout(sql`UPDATE checkouts SET status = 'processing', payment = ${payment.key}, attempt = ${payment.attempt},
        binding = ${payment.binding}, payload = ${payment.payload}, processing_at = ${payment.since}
      WHERE id = ${id} AND expires_at > ${payment.since}
        AND (status = 'open' OR (status = 'processing' AND payment = ${payment.key})) RETURNING *`)
    ).pipe(Effect.map(Option.isSome))
  )

  const release = Effect.fn("CheckoutRepo.release")((id: string, attempts: ReadonlyArray<string>) =>
    narrowSql(sql`UPDATE checkouts SET status = 'open', payment = NULL, attempt = NULL, binding = NULL, payload = NULL
      WHERE id = ${id} AND status = 'processing' AND ${sql.in("attempt", attempts)}`).pipe(Effect.asVoid)
  )

  return { bind, release }
}
