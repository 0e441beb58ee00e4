import { SqlClient, type Statement } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Duration, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { databaseNow } from "../../storage/database-clock.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { type Evidence, evidenceKey, type VoidProof } from "../outcome.ts"
import { LEASE } from "./lease.ts"
import { Ledger, type NewClaim, type Recorded } from "./ledger.ts"
import { bindIdentifier, IdentifierTaken, paymentNamed } from "./identifiers.ts"
import {
  type BoughtRow,
  decodeBought,
  decodeRow,
  encodeProof,
  encodeSettlement,
  type PaymentRow
} from "./ledger-row.ts"
import { makePurge } from "./purge.ts"
import { makeStanding } from "./standing.ts"

/** Rows one pass of the reconciler looks at. */
const BATCH = 100

/** Milliseconds between two looks at a refused payment that might still land. */
const TOMBSTONE_INTERVAL = 60_000

type Event =
  | "claimed"
  | "settling"
  | "settled"
  | "unresolved"
  | "released"
  | "refused"
  | "taken-over"
  | "conflict"
  | "reorganised"
  | "lost"

type Rows = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** Whether a proof holds for ever: every other one stands on a block that a reorganisation may take away. */
const isFinal = (proof: VoidProof): boolean => proof.kind === "window-closed"

const LEASE_MILLIS = Duration.toMillis(LEASE)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* Effect.sync(() => randomUUID())
  const now = Effect.provideService(databaseNow, SqlClient.SqlClient, sql)

  const write = (key: string, event: Event, detail: string) =>
    Effect.flatMap(
      now,
      (at) => sql`INSERT INTO payment_events (authorization_key, event, detail, at)
        VALUES (${key}, ${event}, ${detail}, ${at})`
    )

  /** One compare-and-set and its event, or neither. The write comes first, so SQLite never upgrades a read lock. */
  const move = (key: string, event: Event, detail: string, statement: (at: Statement.Fragment) => Rows) =>
    Effect.gen(function* () {
      const rows = yield* statement(yield* now)
      if (rows.length === 0) return false
      yield* write(key, event, detail)
      return true
    }).pipe(sql.withTransaction, narrowSql)

  /** free → claimed, or with the answer at once → settling. */
  const take = (claim: NewClaim, answer: string | null) => (at: Statement.Fragment) => {
    const state = answer === null ? "claimed" : "settling"
    const watched = answer === null ? 0 : 1
    return sql`INSERT INTO payments
      (authorization_key, fingerprint, state, owner, lease_until, watched, network, payer, amount, since, payload,
        requirements, answer, created_at, updated_at)
      VALUES (${claim.authorizationKey}, ${claim.fingerprint}, ${state}, ${owner}, ${at} + ${LEASE_MILLIS}, ${watched},
        ${claim.network}, ${claim.payer}, ${claim.amount}, ${claim.since}, ${claim.payload},
        ${JSON.stringify(claim.requirements)}, ${answer}, ${at}, ${at})
      ON CONFLICT (authorization_key) DO UPDATE SET
        fingerprint = excluded.fingerprint, state = excluded.state, owner = excluded.owner,
        lease_until = excluded.lease_until, watched = excluded.watched, payer = excluded.payer,
        amount = excluded.amount, since = excluded.since, payload = excluded.payload,
        requirements = excluded.requirements, answer = excluded.answer, updated_at = excluded.updated_at
      WHERE payments.state = 'claimed' AND payments.lease_until < ${at}
      RETURNING authorization_key`
  }

  /** A claim and the caller's id for it, or neither. */
  const takeNamed = (claim: NewClaim, event: Event, answer: string | null) =>
    Effect.gen(function* () {
      const at = yield* now
      const rows = yield* take(claim, answer)(at)
      if (rows.length === 0) return false
      yield* bindIdentifier(sql, claim, at)
      yield* write(claim.authorizationKey, event, claim.fingerprint)
      return true
    }).pipe(
      sql.withTransaction,
      Effect.catchTag("IdentifierTaken", () => Effect.succeed("identifier-taken" as const)),
      narrowSql,
      Effect.flatMap((taken) =>
        taken === "identifier-taken" ? new IdentifierTaken() : Effect.succeed(taken)
      )
    )

  type Standing = "recent" | "final"

  const insertEvidence = (evidence: Evidence, by: string, standing: Standing, at: Statement.Fragment) =>
    sql`INSERT INTO payment_evidence
      (evidence_key, claimed_by, network, transaction_id, position, height, block_hash, payer, pay_to, amount, standing,
        created_at)
      VALUES (${evidenceKey(evidence)}, ${by}, ${evidence.network}, ${evidence.transaction}, ${evidence.index},
        ${evidence.height}, ${evidence.blockHash ?? null}, ${evidence.payer}, ${evidence.payTo}, ${evidence.amount},
        ${standing}, ${at})
      ON CONFLICT DO NOTHING RETURNING evidence_key`

  const isClaimedBy = (evidence: Evidence, by: string) =>
    Effect.map(
      sql<{ claimed_by: string }>`SELECT claimed_by FROM payment_evidence
        WHERE evidence_key = ${evidenceKey(evidence)}`,
      (rows) => rows[0]?.claimed_by === by
    )

  const claimEvidence = (evidence: Evidence, by: string, standing: Standing) =>
    Effect.gen(function* () {
      const inserted = yield* insertEvidence(evidence, by, standing, yield* now)
      return inserted.length > 0 || (yield* isClaimedBy(evidence, by))
    })

  const settled = (key: string, settlement: string, evidence: Evidence) =>
    Effect.gen(function* () {
      const at = yield* now
      const rows = yield* sql`UPDATE payments
        SET state = 'settled', watched = 0, settlement = ${settlement}, transaction_id = ${evidence.transaction},
          reason = NULL, proof = NULL, updated_at = ${at}
        WHERE authorization_key = ${key} AND state IN ('settling', 'refused')
        RETURNING authorization_key`
      if (rows.length === 0) return "not-open" as const
      if (!(yield* claimEvidence(evidence, key, "recent")))
        return yield* Effect.fail("used-elsewhere" as const)
      yield* write(key, "settled", JSON.stringify(evidence))
      return "recorded" as const
    }).pipe(
      sql.withTransaction,
      Effect.catchIf(
        (error): error is "used-elsewhere" => error === "used-elsewhere",
        (taken) => Effect.as(write(key, "conflict", evidenceKey(evidence)), taken)
      ),
      (recorded: Effect.Effect<Recorded, SqlError>) => narrowSql(recorded)
    )

  return Ledger.of({
    find: Effect.fn("Ledger.find")(function* (key) {
      const at = yield* now
      const rows = yield* narrowSql(
        sql<PaymentRow>`SELECT payments.*, lease_until < ${at} AS lapsed FROM payments WHERE authorization_key = ${key}`
      )
      return yield* Effect.transposeMapOption(Option.fromNullable(rows[0]), decodeRow)
    }),
    named: Effect.fn("Ledger.named")(function* (payer, identifier) {
      const at = yield* now
      return Option.fromNullable(yield* narrowSql(paymentNamed(sql, payer, identifier, at)))
    }),
    claim: Effect.fn("Ledger.claim")((claim) => takeNamed(claim, "claimed", null)),
    begin: Effect.fn("Ledger.begin")((claim, answer) => takeNamed(claim, "settling", answer)),
    bought: Effect.fn("Ledger.bought")(function* (payer, fingerprints) {
      const rows = yield* narrowSql(sql<BoughtRow>`SELECT answer, settlement FROM payments
        WHERE payer = ${payer} AND ${sql.in("fingerprint", fingerprints)} AND state = 'settled'
          AND answer IS NOT NULL AND settlement IS NOT NULL
        ORDER BY created_at DESC, authorization_key LIMIT 1`)
      return yield* Effect.transposeMapOption(Option.fromNullable(rows[0]), decodeBought)
    }),
    settling: Effect.fn("Ledger.settling")((key, answer) =>
      move(
        key,
        "settling",
        "",
        (at) => sql`UPDATE payments
          SET state = 'settling', watched = 1, answer = ${answer}, lease_until = ${at} + ${LEASE_MILLIS},
            updated_at = ${at}
          WHERE authorization_key = ${key} AND state = 'claimed' AND owner = ${owner}
          RETURNING authorization_key`
      )
    ),
    settled: Effect.fn("Ledger.settled")((key, settlement, evidence) =>
      settled(key, encodeSettlement(settlement), evidence)
    ),
    unresolved: Effect.fn("Ledger.unresolved")((key, transaction) =>
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
    refused: Effect.fn("Ledger.refused")((key, reason, proof) =>
      move(
        key,
        "refused",
        encodeProof(proof),
        (at) => sql`UPDATE payments
          SET state = 'refused', reason = ${reason}, proof = ${encodeProof(proof)}, watched = ${isFinal(proof) ? 0 : 1},
            lease_until = ${at} + ${TOMBSTONE_INTERVAL}, updated_at = ${at}
          WHERE authorization_key = ${key} AND state IN ('settling', 'refused') AND watched = 1 AND owner = ${owner}
          RETURNING authorization_key`
      )
    ),
    renew: Effect.fn("Ledger.renew")(function* (key) {
      const at = yield* now
      yield* narrowSql(sql`UPDATE payments SET lease_until = ${at} + ${LEASE_MILLIS}
        WHERE authorization_key = ${key} AND state <> 'settled' AND owner = ${owner}`)
    }),
    release: Effect.fn("Ledger.release")((key, reason) =>
      move(
        key,
        "released",
        reason,
        (at) => sql`UPDATE payments SET lease_until = 0, updated_at = ${at}
          WHERE authorization_key = ${key} AND state = 'claimed' AND owner = ${owner} RETURNING authorization_key`
      )
    ),
    takeOver: Effect.fn("Ledger.takeOver")((key) =>
      move(
        key,
        "taken-over",
        owner,
        (
          at
        ) => sql`UPDATE payments SET owner = ${owner}, lease_until = ${at} + ${LEASE_MILLIS}, updated_at = ${at}
          WHERE authorization_key = ${key} AND watched = 1 AND lease_until <= ${at}
          RETURNING authorization_key`
      )
    ),
    abandoned: Effect.gen(function* () {
      const at = yield* now
      const rows = yield* sql<{ authorization_key: string }>`SELECT authorization_key FROM payments
        WHERE watched = 1 AND lease_until <= ${at} ORDER BY lease_until LIMIT ${BATCH}`
      return rows.map((row) => row.authorization_key)
    }).pipe(narrowSql, Effect.withSpan("Ledger.abandoned")),
    claimEvidence: Effect.fn("Ledger.claimEvidence")((evidence, by) =>
      narrowSql(claimEvidence(evidence, by, "final"))
    ),
    purge: makePurge(sql, now),
    ...makeStanding({ sql, now, write })
  })
})

/** The ledger on the service's database. Requires `SqlClient`. */
export const LedgerLive = Layer.effect(Ledger, make)
