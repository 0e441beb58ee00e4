import { Effect, Option } from "effect"
import type { Network } from "../../domain/chain.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { type Evidence, evidenceKey, type Height, type VoidProof } from "../outcome.ts"
import type { RecentEvidence } from "./ledger.ts"
import { makeDisplace } from "./displaced.ts"
import type { Moves } from "./moves.ts"
import { decodeSettled, encodeProof, type PaymentRow } from "./ledger-row.ts"

/** Transfers one look takes. */
const BATCH = 200

interface Row {
  readonly claimed_by: string
  readonly network: Network
  readonly transaction_id: string
  readonly position: number
  readonly height: number | string
  readonly block_hash: string | null
  readonly payer: string
  readonly pay_to: string
  readonly amount: string
}

const recentOf = (row: Row): RecentEvidence => ({
  authorizationKey: row.claimed_by,
  evidence: {
    network: row.network,
    transaction: row.transaction_id,
    index: row.position,
    height: Number(row.height),
    ...(row.block_hash === null ? {} : { blockHash: row.block_hash }),
    payer: row.payer,
    payTo: row.pay_to,
    amount: row.amount
  }
})

/** Which transfers are still to be looked at. */
const makeReads = (sql: Moves["sql"]) => {
  const isPayment = sql`EXISTS (SELECT 1 FROM payments WHERE authorization_key = claimed_by)`

  const recent = (network: Network, since: Height, final: Height, after?: RecentEvidence) => {
    const at = after?.evidence.height ?? Number.MAX_SAFE_INTEGER
    const isBelow = sql`(height < ${at} OR (height = ${at} AND evidence_key < ${after ? evidenceKey(after.evidence) : ""}))`
    return sql<Row>`SELECT * FROM payment_evidence
      WHERE network = ${network} AND standing = 'recent' AND (height > ${since} OR height <= ${final})
        AND ${isBelow} AND ${isPayment}
      ORDER BY height DESC, evidence_key DESC LIMIT ${BATCH}`.pipe(
      Effect.map((rows) => rows.map(recentOf)),
      narrowSql,
      Effect.withSpan("Ledger.recent")
    )
  }

  const recentClaims = (network: Network) =>
    sql<Row>`SELECT * FROM payment_evidence WHERE network = ${network} AND standing = 'recent' AND NOT ${isPayment}
      ORDER BY height LIMIT ${BATCH}`.pipe(
      Effect.map((rows) => rows.map(recentOf)),
      narrowSql,
      Effect.withSpan("Ledger.recentClaims")
    )

  return { recent, recentClaims }
}

/** What becomes of recorded transfers as their blocks age. See `Ledger`. */
export const makeStanding = (moves: Moves) => {
  const { now, sql, write } = moves
  const displace = makeDisplace(moves)
  const isRecent = (key: string, evidence: Evidence) =>
    sql`claimed_by = ${key} AND evidence_key = ${evidenceKey(evidence)} AND standing = 'recent'`

  const final = (evidence: ReadonlyArray<Evidence>) =>
    evidence.length === 0
      ? Effect.void
      : sql`UPDATE payment_evidence SET standing = 'final'
          WHERE ${sql.in("evidence_key", evidence.map(evidenceKey))} AND standing = 'recent'`.pipe(
          Effect.asVoid,
          narrowSql,
          Effect.withSpan("Ledger.final")
        )

  const put = (key: string, from: Evidence, to: Evidence) =>
    Effect.map(
      sql`UPDATE payment_evidence
        SET evidence_key = ${evidenceKey(to)}, transaction_id = ${to.transaction}, position = ${to.index},
          height = ${to.height}, block_hash = ${to.blockHash ?? null}
        WHERE ${isRecent(key, from)} AND NOT EXISTS (SELECT 1 FROM payment_evidence AS other
          WHERE other.evidence_key = ${evidenceKey(to)} AND other.claimed_by <> ${key})
        RETURNING evidence_key`,
      (rows) => rows.length > 0
    )

  const moved = Effect.fn("Ledger.moved")(
    function* (key: string, from: Evidence, to: Evidence) {
      if (!(yield* put(key, from, to)) && !((yield* displace(to, key)) && (yield* put(key, from, to))))
        return false
      yield* sql`UPDATE payments SET transaction_id = ${to.transaction} WHERE authorization_key = ${key}`
      yield* write(key, "reorganised", JSON.stringify({ from, to }))
      return true
    },
    sql.withTransaction,
    narrowSql
  )

  const lost = Effect.fn("Ledger.lost")(
    function* (key: string, evidence: Evidence, proof: VoidProof) {
      const rows = yield* sql`UPDATE payment_evidence SET standing = 'lost' WHERE ${isRecent(key, evidence)}
        RETURNING evidence_key`
      if (rows.length === 0) return false
      const at = yield* now
      yield* sql`UPDATE payments SET proof = ${encodeProof(proof)}, updated_at = ${at} WHERE authorization_key = ${key}`
      yield* write(key, "lost", encodeProof(proof))
      return true
    },
    sql.withTransaction,
    narrowSql
  )

  const sold = Effect.fn("Ledger.sold")(function* (key: string) {
    const [row] = yield* narrowSql(sql<PaymentRow>`SELECT payments.*, 0 AS lapsed FROM payments
      WHERE authorization_key = ${key} AND state = 'settled' AND payload IS NOT NULL`)
    return yield* Effect.transposeMapOption(Option.fromNullable(row), decodeSettled)
  })

  return { ...makeReads(sql), final, moved, lost, sold }
}
