import { SqlClient } from "@effect/sql"
import { Clock, Duration, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { narrowSql } from "../../../storage/sql-errors.ts"
import { leaseConfig } from "../../config.ts"
import { BASE_NETWORK } from "../../../domain/chain.ts"
import { BURNT_BY_CODE, BURNT_BY_FAILING, burntOn, feesOn } from "../fee-ledger.ts"
import { makeJournalJobs } from "./journal-jobs.ts"
import { makeJournalNonces } from "./journal-nonces.ts"
import { SettlementJournal } from "./journal.ts"
import { keyLeases, type Sql } from "./key-lease.ts"

const DAY = 86_400_000

/** Beside what transactions have cost: what payments may come to cost that are begun, sent or not, and have no result yet. */
const spentToday = (sql: Sql) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    narrowSql(
      sql<{ spent: number | string }>`SELECT COALESCE((SELECT SUM(fee_micros) FROM settlement_transactions
          WHERE updated_at > ${now - DAY}), 0)
        + COALESCE((SELECT SUM(fee_quote) FROM payments
          WHERE watched = 1 AND state = 'settling' AND network = ${BASE_NETWORK}
            AND NOT EXISTS (SELECT 1 FROM settlement_jobs AS job
              WHERE job.authorization_key = payments.authorization_key
                AND job.state IN ('landed', 'failed', 'expired'))), 0) AS spent`
    )
  ).pipe(Effect.map(([row]) => BigInt(row?.spent ?? 0)))

const prune = (sql: Sql, age: number) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const old = sql`(SELECT nonce FROM settlement_transactions
      WHERE settlement_transactions.address = settlement_attempts.address
        AND state IN ('final', 'foreign') AND updated_at < ${now - age})`
    yield* sql`DELETE FROM settlement_attempts WHERE nonce IN ${old}`
    yield* sql`DELETE FROM settlement_transactions
      WHERE state IN ('final', 'foreign') AND updated_at < ${now - age}`
    yield* sql`DELETE FROM settlement_jobs
      WHERE state IN ('landed', 'failed', 'expired') AND updated_at < ${now - age}`
    yield* feesOn(sql).prune(now)
  }).pipe(sql.withTransaction, narrowSql)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* Effect.sync(() => randomUUID())
  // A key changes hands before the payments do: whoever takes them over can send them.
  const lease = Duration.toMillis(yield* leaseConfig) / 2
  return SettlementJournal.of({
    lease,
    ...keyLeases(sql, owner, lease),
    ...makeJournalJobs(sql),
    ...makeJournalNonces(sql, owner),
    spentToday: spentToday(sql),
    burntToday: burntOn(sql, BASE_NETWORK, BURNT_BY_CODE),
    failedToday: burntOn(sql, BASE_NETWORK, BURNT_BY_FAILING),
    prune: (age) => prune(sql, age)
  })
})

/** The journal on the service's database. Requires `SqlClient`; reads `PAYMENT_LEASE`. */
export const SettlementJournalLive = Layer.effect(SettlementJournal, make)
