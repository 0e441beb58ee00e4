import { Migrator, SqlClient } from "@effect/sql"
import { Effect, Schedule } from "effect"
import { codeIn, isHopeless, NewerDatabase, OlderDatabase } from "./open-errors.ts"
import { lockPostgres } from "./postgres-lock.ts"
import payments from "./migrations/0001_payments.ts"
import freeCalls from "./migrations/0002_free_calls.ts"
import attestationKeys from "./migrations/0003_attestation_keys.ts"
import checkouts from "./migrations/0004_checkouts.ts"
import webhookDeliveries from "./migrations/0005_webhook_deliveries.ts"
import paymentOutcomes from "./migrations/0006_payment_outcomes.ts"
import evidenceByTransaction from "./migrations/0007_evidence_by_transaction.ts"
import settlements from "./migrations/0010_settlements.ts"
import solanaTransfers from "./migrations/0011_solana_transfers.ts"
import webhookHosts from "./migrations/0015_webhook_hosts.ts"
import checkoutJournal from "./migrations/0016_checkout_journal.ts"
import merchants from "./migrations/0017_merchants.ts"
import paymentIdentifiers from "./migrations/0018_payment_identifiers.ts"
import signIns from "./migrations/0019_sign_ins.ts"
import evidenceStanding from "./migrations/0020_evidence_standing.ts"
import accountScans from "./migrations/0025_account_scans.ts"
import checkoutRefunds from "./migrations/0026_checkout_refunds.ts"
import checkoutLosses from "./migrations/0034_checkout_losses.ts"
import checkoutIndexes from "./migrations/0035_checkout_indexes.ts"
import feePurses from "./migrations/0036_fee_purses.ts"
import checkoutSightings from "./migrations/0037_checkout_sightings.ts"
import transferEndings from "./migrations/0038_transfer_endings.ts"
import feeReservations from "./migrations/0047_fee_reservations.ts"
import accountKnowledge from "./migrations/0048_account_knowledge.ts"
import feeLimits from "./migrations/0052_fee_limits.ts"
import transferBlocks from "./migrations/0053_transfer_blocks.ts"
import freeCallCounts from "./migrations/0054_free_call_counts.ts"
import waitingJobs from "./migrations/0055_waiting_jobs.ts"
import overtakenPayments from "./migrations/0056_overtaken_payments.ts"
import refundEvidence from "./migrations/0057_refund_evidence.ts"
import strayNames from "./migrations/0058_stray_names.ts"
import freeCallNetworks from "./migrations/0059_free_call_networks.ts"
import dueDeliveries from "./migrations/0060_due_deliveries.ts"
import codeFindings from "./migrations/0030_code_findings.ts"

/**
 * Every migration in order: `NNNN_name` and its effect. To add one, write `migrations/NNNN_name.ts` with an effect as
 * its default export and name it here. A migration that was ever released is never edited.
 */
const MIGRATIONS: Readonly<Record<string, Effect.Effect<unknown, unknown, SqlClient.SqlClient>>> = {
  "0001_payments": payments,
  "0002_free_calls": freeCalls,
  "0003_attestation_keys": attestationKeys,
  "0004_checkouts": checkouts,
  "0005_webhook_deliveries": webhookDeliveries,
  "0006_payment_outcomes": paymentOutcomes,
  "0007_evidence_by_transaction": evidenceByTransaction,
  "0010_settlements": settlements,
  "0011_solana_transfers": solanaTransfers,
  "0015_webhook_hosts": webhookHosts,
  "0016_checkout_journal": checkoutJournal,
  "0017_merchants": merchants,
  "0018_payment_identifiers": paymentIdentifiers,
  "0019_sign_ins": signIns,
  "0020_evidence_standing": evidenceStanding,
  "0025_account_scans": accountScans,
  "0026_checkout_refunds": checkoutRefunds,
  "0030_code_findings": codeFindings,
  "0034_checkout_losses": checkoutLosses,
  "0035_checkout_indexes": checkoutIndexes,
  "0036_fee_purses": feePurses,
  "0037_checkout_sightings": checkoutSightings,
  "0038_transfer_endings": transferEndings,
  "0047_fee_reservations": feeReservations,
  "0048_account_knowledge": accountKnowledge,
  "0052_fee_limits": feeLimits,
  "0053_transfer_blocks": transferBlocks,
  "0054_free_call_counts": freeCallCounts,
  "0055_waiting_jobs": waitingJobs,
  "0056_overtaken_payments": overtakenPayments,
  "0057_refund_evidence": refundEvidence,
  "0058_stray_names": strayNames,
  "0059_free_call_networks": freeCallNetworks,
  "0060_due_deliveries": dueDeliveries
}

const idOf = (name: string): number => Number.parseInt(name, 10)

/** The newest migration this program knows. */
export const LATEST = Math.max(...Object.keys(MIGRATIONS).map(idOf))

const run = (last: number) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(
      Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => idOf(name) <= last))
    )
  })

/** The newest migration that a database has seen. */
const latestIn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ latest: number }>`SELECT MAX(migration_id) AS latest FROM effect_sql_migrations`
  return row?.latest ?? 0
})

/**
 * On SQLite the loser of a race is told "locked" and goes on at once, so it waits here until the winner has finished.
 */
const requireMigrated = Effect.fnUntraced(function* (last: number) {
  if ((yield* latestIn) < last) return yield* Effect.fail("another process is still migrating" as const)
})

/**
 * The migrator looks for its table with a statement that fails when there is none, which would end the transaction that
 * holds the lock. So the table exists before it looks.
 */
const runLocked = Effect.fnUntraced(function* (last: number) {
  const sql = yield* SqlClient.SqlClient
  // A large table takes its time, and so does the process that migrates first.
  yield* sql`SET LOCAL statement_timeout = 0`
  yield* sql`SET LOCAL lock_timeout = 0`
  yield* lockPostgres(sql, "migrating")
  yield* sql`CREATE TABLE IF NOT EXISTS effect_sql_migrations (
    migration_id integer PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    name text NOT NULL
  )`
  yield* run(last)
})

/**
 * Brings the database to the schema of a migration. Safe when several processes start at once,
 * on both dialects.
 */
export const migrateTo = Effect.fnUntraced(
  function* (last: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql.onDialectOrElse({
      pg: () => sql.withTransaction(runLocked(last)),
      orElse: () => Effect.zipRight(run(last), requireMigrated(last))
    })
  },
  Effect.retry({
    schedule: Schedule.spaced("100 millis").pipe(Schedule.intersect(Schedule.recurs(50))),
    while: (error) => !isHopeless(error)
  })
)

/** Brings the database to the latest schema. */
export const migrate = Effect.gen(function* () {
  yield* migrateTo(LATEST)
  if ((yield* latestIn) > LATEST) return yield* new NewerDatabase()
})

/** A table that is not there, in SQLite's words and in PostgreSQL's. */
const NO_TABLE = /^(?:SQLITE_ERROR|42P01)$/

/**
 * Passes a database of the latest schema and changes none. A migration cannot be undone, and whoever only wants to read
 * must not put an end to the older service that is running on it.
 */
export const requireLatest = Effect.gen(function* () {
  const latest = yield* Effect.catchIf(
    latestIn,
    (error) => NO_TABLE.test(codeIn(error)),
    () => Effect.succeed(0)
  )
  if (latest > LATEST) return yield* new NewerDatabase()
  if (latest < LATEST) return yield* new OlderDatabase({ isEmpty: latest === 0 })
})
