import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Any numbers, each its own: who does one of these things waits for who does the same, and for nobody else. */
const LOCKS = {
  migrating: 3_402_001,
  settingFeesAside: 3_402_002,
  countingFreeCalls: 3_402_003,
  preparingRefunds: 3_402_004
} as const

/** Waits for its turn in a PostgreSQL database that processes share, and has it to the end of the transaction. */
export const lockPostgres = (sql: SqlClient.SqlClient, what: keyof typeof LOCKS) =>
  Effect.asVoid(sql`SELECT pg_advisory_xact_lock(${LOCKS[what]})`)
