import type { Statement } from "@effect/sql"
import { Data, Effect } from "effect"
import type { NewClaim } from "./ledger.ts"
import type { Moves } from "./moves.ts"

/** The id names another payment of this payer. */
export class IdentifierTaken extends Data.TaggedError("IdentifierTaken")<Record<never, never>> {}

/**
 * Binds the caller's id to the payment, in the transaction that claims it: of two payments with one id, one is claimed.
 * An id is free again when its payment ended unpaid by final proof, or was given back before anything was recorded.
 */
export const bindIdentifier = Effect.fnUntraced(function* (
  { isFree, sql }: Moves,
  claim: NewClaim,
  at: Statement.Fragment
) {
  if (claim.identifier === undefined) return
  const bound = yield* sql`INSERT INTO payment_identifiers (payer, id, authorization_key, created_at)
      VALUES (${claim.payer}, ${claim.identifier}, ${claim.authorizationKey}, ${at})
      ON CONFLICT (payer, id) DO UPDATE SET
        authorization_key = excluded.authorization_key, created_at = excluded.created_at
      WHERE payment_identifiers.authorization_key = excluded.authorization_key
        OR EXISTS (SELECT 1 FROM payments WHERE payments.authorization_key = payment_identifiers.authorization_key
          AND (payments.state = 'refused' AND payments.watched = 0
            OR payments.state = 'claimed' AND ${isFree(at)}))
      RETURNING id`
  if (bound.length === 0) return yield* new IdentifierTaken()
})

/** Key of the payment a payer's id names, unless that payment left it free again. */
export const paymentNamed = ({ isFree, sql }: Moves, payer: string, id: string, at: Statement.Fragment) =>
  Effect.map(
    sql<{ authorization_key: string }>`SELECT payment_identifiers.authorization_key FROM payment_identifiers
      JOIN payments ON payments.authorization_key = payment_identifiers.authorization_key
      WHERE payment_identifiers.payer = ${payer} AND payment_identifiers.id = ${id}
        AND NOT (payments.state = 'refused' AND payments.watched = 0)
        AND NOT (payments.state = 'claimed' AND ${isFree(at)})`,
    (rows) => rows[0]?.authorization_key
  )
