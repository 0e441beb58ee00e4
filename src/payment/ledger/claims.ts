import type { Statement } from "@effect/sql"
import { Effect } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import { bindIdentifier, IdentifierTaken } from "./identifiers.ts"
import type { NewClaim } from "./ledger.ts"
import { encodeBudgets } from "../settler/fee-ledger.ts"
import type { Moves } from "./moves.ts"
import { span } from "../../domain/span.ts"

/** free → claimed, or with the answer at once → settling; until `leaseUntil` it is this process's. */
const take =
  ({ isFree, owner, sql }: Moves, claim: NewClaim, answer: string | null) =>
  (at: Statement.Fragment, leaseUntil: Statement.Fragment) => {
    const state = answer === null ? "claimed" : "settling"
    const watched = answer === null ? 0 : 1
    const { feeBudgets = [], feeQuote } = claim
    const quote = feeQuote === undefined ? null : Number(feeQuote)
    return sql`INSERT INTO payments
      (authorization_key, fingerprint, state, owner, lease_until, watched, network, payer, amount, since, payload,
        requirements, fee_purses, fee_quote, answer, created_at, updated_at)
      VALUES (${claim.authorizationKey}, ${claim.fingerprint}, ${state}, ${owner}, ${leaseUntil}, ${watched},
        ${claim.network}, ${claim.payer}, ${claim.amount}, ${claim.since}, ${claim.payload},
        ${JSON.stringify(claim.requirements)}, ${encodeBudgets(feeBudgets)}, ${quote}, ${answer}, ${at}, ${at})
      ON CONFLICT (authorization_key) DO UPDATE SET
        fingerprint = excluded.fingerprint, state = excluded.state, owner = excluded.owner,
        lease_until = excluded.lease_until, watched = excluded.watched, payer = excluded.payer,
        amount = excluded.amount, since = excluded.since, payload = excluded.payload,
        requirements = excluded.requirements, fee_purses = excluded.fee_purses, fee_quote = excluded.fee_quote,
        fee_reserved = NULL, answer = excluded.answer, updated_at = excluded.updated_at
      WHERE payments.state = 'claimed' AND ${isFree(at)}
      RETURNING authorization_key`
  }

/** A payment's way into the ledger, up to the point of no return. See `Ledger`. */
export const makeClaims = (moves: Moves) => {
  const { leaseMillis, move, now, owner, sql, write } = moves

  /** A claim and the caller's id for it, or neither. */
  const takeNamed = Effect.fnUntraced(
    function* (claim: NewClaim, event: "claimed" | "settling", answer: string | null) {
      const at = yield* now
      const rows = yield* take(moves, claim, answer)(at, sql`${at} + ${leaseMillis}`)
      if (rows.length === 0) return false
      yield* bindIdentifier(moves, claim, at)
      yield* write(claim.authorizationKey, event, claim.fingerprint)
      return true
    },
    sql.withTransaction,
    Effect.catchTag("IdentifierTaken", () => Effect.succeed("identifier-taken" as const)),
    narrowSql,
    Effect.flatMap((taken) => (taken === "identifier-taken" ? new IdentifierTaken() : Effect.succeed(taken)))
  )

  return {
    claim: Effect.fn("Ledger.claim")((claim: NewClaim) => takeNamed(claim, "claimed", null)),
    handedOver: Effect.fn("Ledger.handedOver")((claim: NewClaim) =>
      move(claim.authorizationKey, "handed-over", claim.fingerprint, (at) =>
        take(moves, claim, null)(at, sql.literal("0"))
      )
    ),
    begin: (claim: NewClaim, answer: string) => span("Ledger.begin")(takeNamed(claim, "settling", answer)),
    settling: Effect.fn("Ledger.settling")((key: string, answer: string) =>
      move(
        key,
        "settling",
        "",
        (at) => sql`UPDATE payments
          SET state = 'settling', watched = 1, answer = ${answer}, lease_until = ${at} + ${leaseMillis},
            updated_at = ${at}
          WHERE authorization_key = ${key} AND state = 'claimed' AND owner = ${owner}
          RETURNING authorization_key`
      )
    ),
    release: Effect.fn("Ledger.release")((key: string, reason: string) =>
      move(
        key,
        "released",
        reason,
        (at) => sql`UPDATE payments SET lease_until = 0, updated_at = ${at}
          WHERE authorization_key = ${key} AND state = 'claimed' AND owner = ${owner} RETURNING authorization_key`
      )
    )
  }
}
