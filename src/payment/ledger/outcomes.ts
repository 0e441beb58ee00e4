import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import type { SettlementResponse } from "../../domain/x402.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { type Evidence, evidenceKey, type VoidProof } from "../outcome.ts"
import { makeDisplace } from "./displaced.ts"
import type { Earnings } from "./earnings.ts"
import { encodeProof } from "./ledger-row.ts"
import type { Recorded } from "./ledger.ts"
import { type Moves, TOMBSTONE_INTERVAL } from "./moves.ts"
import { span } from "../../domain/span.ts"

const makeEvidence = (moves: Moves) => {
  const { now, sql } = moves
  const displace = makeDisplace(moves)

  /**
   * Whether the transfer is this claimant's already. A reorganisation may have moved it, or taken it away and brought
   * it back.
   */
  const isClaimedBy = Effect.fnUntraced(function* (evidence: Evidence, by: string) {
    const key = evidenceKey(evidence)
    const { blockHash = null, height } = evidence
    const [row] = yield* sql<{ claimed_by: string }>`SELECT claimed_by FROM payment_evidence
        WHERE evidence_key = ${key}`
    if (row?.claimed_by !== by) return false
    yield* sql`UPDATE payment_evidence SET standing = 'recent', height = ${height}, block_hash = ${blockHash}
        WHERE evidence_key = ${key} AND (standing = 'lost' OR (standing = 'recent'
          AND (height <> ${height} OR COALESCE(block_hash, '') <> ${blockHash ?? ""})))`
    return true
  })

  const insert = Effect.fnUntraced(function* (evidence: Evidence, by: string) {
    const at = yield* now
    const inserted = yield* sql`INSERT INTO payment_evidence
        (evidence_key, claimed_by, network, transaction_id, position, height, block_hash, payer, pay_to, amount,
          standing, created_at)
        VALUES (${evidenceKey(evidence)}, ${by}, ${evidence.network}, ${evidence.transaction}, ${evidence.index},
          ${evidence.height}, ${evidence.blockHash ?? null}, ${evidence.payer}, ${evidence.payTo},
          ${evidence.amount}, 'recent', ${at})
        ON CONFLICT DO NOTHING RETURNING evidence_key`
    return inserted.length > 0
  })

  /** One transfer pays once: `false` when it already paid for something else. */
  return Effect.fnUntraced(function* (evidence: Evidence, by: string) {
    if ((yield* insert(evidence, by)) || (yield* isClaimedBy(evidence, by))) return true
    return (yield* displace(evidence, by)) && (yield* insert(evidence, by))
  })
}

/** What became of a payment whose settlement was begun. See `Ledger`. */
export const makeOutcomes = (moves: Moves, earnings: Earnings) => {
  const { move, now, owner, sql, write } = moves
  const claimEvidence = makeEvidence(moves)

  const record = Effect.fnUntraced(function* (key: string, settlement: string, evidence: Evidence) {
    const at = yield* now
    const [row] = yield* sql<{ fee_purses: string | null }>`UPDATE payments
        SET state = 'settled', watched = 0, owner = ${owner}, settlement = ${settlement},
          transaction_id = ${evidence.transaction}, reason = NULL, proof = NULL, updated_at = ${at}
        WHERE authorization_key = ${key} AND state IN ('settling', 'refused')
        RETURNING fee_purses`
    if (row === undefined) return "not-open" as const
    if (!(yield* claimEvidence(evidence, key))) return yield* Effect.fail("used-elsewhere" as const)
    yield* write(key, "settled", JSON.stringify(evidence))
    // Only an order has budgets that its network fee comes out of: a sale of our own pays for itself.
    return row.fee_purses === null ? ("earned" as const) : ("recorded" as const)
  })

  const settled = (key: string, settlement: string, evidence: Evidence) =>
    record(key, settlement, evidence).pipe(
      sql.withTransaction,
      earnings.counting(key, evidence),
      Effect.catchIf(
        (error): error is "used-elsewhere" => error === "used-elsewhere",
        (taken) => Effect.as(write(key, "conflict", evidenceKey(evidence)), taken)
      ),
      (recorded: Effect.Effect<Recorded, SqlError>) => narrowSql(recorded)
    )

  return {
    settled: (key: string, settlement: SettlementResponse, evidence: Evidence) =>
      span("Ledger.settled")(settled(key, JSON.stringify(settlement), evidence)),
    unresolved: Effect.fn("Ledger.unresolved")((key: string, transaction: string | undefined) =>
      move(
        key,
        "unresolved",
        transaction ?? "",
        (at) => sql`UPDATE payments
          SET transaction_id = COALESCE(${transaction ?? null}, transaction_id), lease_until = ${at}, updated_at = ${at}
          WHERE authorization_key = ${key} AND state = 'settling' AND owner = ${owner}
          RETURNING authorization_key`
      )
    ),
    refused: Effect.fn("Ledger.refused")(
      (key: string, reason: string, proof: VoidProof, isForGood: boolean) =>
        move(
          key,
          "refused",
          encodeProof(proof),
          (at) => sql`UPDATE payments
          SET state = 'refused', reason = ${reason}, proof = ${encodeProof(proof)}, watched = ${isForGood ? 0 : 1},
            lease_until = ${at} + ${TOMBSTONE_INTERVAL}, updated_at = ${at}
          WHERE authorization_key = ${key} AND state IN ('settling', 'refused') AND watched = 1 AND owner = ${owner}
          RETURNING authorization_key`
        )
    ),
    claimEvidence: Effect.fn("Ledger.claimEvidence")((evidence: Evidence, by: string) =>
      narrowSql(claimEvidence(evidence, by))
    )
  }
}
