import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { narrowSql } from "../../storage/sql-errors.ts"
import { LEASE } from "./lease.ts"
import { Ledger } from "./ledger.ts"
import { decodeRow, encodeSettlement, type PaymentRow } from "./ledger-row.ts"

/** Rows one pass of the reconciler looks at. */
const BATCH = 100

type Event = "claimed" | "settling" | "settled" | "unresolved" | "released" | "void" | "taken-over"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* Effect.sync(() => randomUUID())

  /** One compare-and-set and its event, or neither. The write comes first, so SQLite never upgrades a read lock. */
  const move = (
    key: string,
    event: Event,
    detail: string,
    statement: (now: number) => Effect.Effect<ReadonlyArray<unknown>, SqlError>
  ) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const rows = yield* statement(now)
      if (rows.length === 0) return false
      yield* sql`INSERT INTO payment_events ${sql.insert({ authorization_key: key, event, detail, at: now })}`
      return true
    }).pipe(sql.withTransaction, narrowSql)

  const leaseFrom = (now: number) => now + Duration.toMillis(LEASE)

  return Ledger.of({
    find: Effect.fn("Ledger.find")(function* (key) {
      const rows = yield* narrowSql(sql<PaymentRow>`SELECT * FROM payments WHERE authorization_key = ${key}`)
      const now = yield* Clock.currentTimeMillis
      return yield* Effect.transposeMapOption(Option.fromNullable(rows[0]), (row) => decodeRow(row, now))
    }),
    claim: Effect.fn("Ledger.claim")((claim) =>
      move(claim.authorizationKey, "claimed", claim.fingerprint, (now) => {
        const row = {
          authorization_key: claim.authorizationKey,
          fingerprint: claim.fingerprint,
          state: "claimed",
          owner,
          lease_until: leaseFrom(now),
          network: claim.network,
          payer: claim.payer,
          amount: claim.amount,
          payload: claim.payload,
          requirements: JSON.stringify(claim.requirements),
          created_at: now,
          updated_at: now
        }
        return sql`INSERT INTO payments ${sql.insert(row)}
          ON CONFLICT (authorization_key) DO UPDATE SET
            fingerprint = excluded.fingerprint, owner = excluded.owner, lease_until = excluded.lease_until,
            payer = excluded.payer, amount = excluded.amount, payload = excluded.payload,
            requirements = excluded.requirements, updated_at = excluded.updated_at
          WHERE payments.state = 'claimed' AND payments.lease_until < ${now}
          RETURNING authorization_key`
      })
    ),
    settling: Effect.fn("Ledger.settling")((key, answer) =>
      move(
        key,
        "settling",
        "",
        (now) => sql`UPDATE payments
          SET state = 'settling', answer = ${answer}, lease_until = ${leaseFrom(now)}, updated_at = ${now}
          WHERE authorization_key = ${key} AND state = 'claimed' AND owner = ${owner}
          RETURNING authorization_key`
      )
    ),
    settled: Effect.fn("Ledger.settled")((key, settlement) =>
      move(
        key,
        "settled",
        settlement.transaction,
        (now) => sql`UPDATE payments
          SET state = 'settled', settlement = ${encodeSettlement(settlement)},
            transaction_id = ${settlement.transaction}, updated_at = ${now}
          WHERE authorization_key = ${key} AND state = 'settling'
          RETURNING authorization_key`
      )
    ),
    unresolved: Effect.fn("Ledger.unresolved")((key, transaction) =>
      move(
        key,
        "unresolved",
        transaction ?? "",
        (now) => sql`UPDATE payments
          SET transaction_id = COALESCE(${transaction ?? null}, transaction_id), lease_until = ${now}, updated_at = ${now}
          WHERE authorization_key = ${key} AND state = 'settling' AND owner = ${owner}
          RETURNING authorization_key`
      )
    ),
    renew: Effect.fn("Ledger.renew")(function* (key) {
      const now = yield* Clock.currentTimeMillis
      yield* narrowSql(sql`UPDATE payments SET lease_until = ${leaseFrom(now)}
        WHERE authorization_key = ${key} AND state <> 'settled' AND owner = ${owner}`)
    }),
    release: Effect.fn("Ledger.release")((key, reason) =>
      move(
        key,
        "released",
        reason,
        () => sql`DELETE FROM payments
          WHERE authorization_key = ${key} AND state = 'claimed' AND owner = ${owner} RETURNING authorization_key`
      )
    ),
    void: Effect.fn("Ledger.void")((key, reason) =>
      move(
        key,
        "void",
        reason,
        () => sql`DELETE FROM payments
          WHERE authorization_key = ${key} AND state = 'settling' AND owner = ${owner} RETURNING authorization_key`
      )
    ),
    takeOver: Effect.fn("Ledger.takeOver")((key) =>
      move(
        key,
        "taken-over",
        owner,
        (
          now
        ) => sql`UPDATE payments SET owner = ${owner}, lease_until = ${leaseFrom(now)}, updated_at = ${now}
          WHERE authorization_key = ${key} AND state = 'settling' AND lease_until <= ${now}
          RETURNING authorization_key`
      )
    ),
    abandoned: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* sql`DELETE FROM payments WHERE state = 'claimed' AND lease_until < ${now}`
      const rows = yield* sql<{ authorization_key: string }>`SELECT authorization_key FROM payments
        WHERE state = 'settling' AND lease_until <= ${now} ORDER BY updated_at LIMIT ${BATCH}`
      return rows.map((row) => row.authorization_key)
    }).pipe(narrowSql, Effect.withSpan("Ledger.abandoned"))
  })
})

/** The ledger on the service's database. Requires `SqlClient`. */
export const LedgerLive = Layer.effect(Ledger, make)
