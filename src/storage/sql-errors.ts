import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Schedule } from "effect"
import { UpstreamError } from "../domain/errors.ts"
import { labelledCounter } from "../domain/labelled-counter.ts"

const codeOf = (error: SqlError): string => {
  const cause = error.cause
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : ""
}

/** SQLite's "another process is writing"; PostgreSQL's serialization failure and deadlock. The statement did nothing. */
const isContention = (error: SqlError): boolean => {
  const code = codeOf(error)
  return code.startsWith("SQLITE_BUSY") || code === "40001" || code === "40P01"
}

/** PostgreSQL's lock time-out: the statement has waited for as long as a caller may, and is not asked again. */
const isLockTimeout = (error: SqlError): boolean => codeOf(error) === "55P03"

/** Longest time in which a statement is repeated after its first repeat: a deadlock is only told after a second. */
const PATIENCE = "5 seconds"

/** Before a statement is begun again for the first time. */
const FIRST_PAUSE = "5 millis"

const backoff = Schedule.exponential(FIRST_PAUSE, 1.6).pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.recurs(13)),
  Schedule.upTo(PATIENCE)
)

/** Again and again while another process holds the database; for what has failed once. */
const again = <A, R>(effect: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
  Effect.delay(Effect.retry(effect, { schedule: backoff, while: isContention }), FIRST_PAUSE)

/** Statements that came to nothing, by `kind`. What was repeated and then done is none. */
const failures = labelledCounter(
  "token_risk_database_failures_total",
  "Statements and transactions that the database did not do, by kind",
  ["kind"]
)

const narrowed = (error: SqlError): UpstreamError => {
  const kind = isContention(error) || isLockTimeout(error) ? "timeout" : "transport"
  failures.count({ kind })
  return new UpstreamError({
    upstream: "database",
    kind,
    detail: `${codeOf(error)} ${error.message}`.trim()
  })
}

/**
 * Runs a statement (or a whole transaction) again while another process holds the database, for about six seconds at most;
 * only what changed nothing is repeated. Every other SQL failure, and what is left of this one, becomes the one
 * infrastructure error. Its `detail` is for logs.
 */
export const narrowSql = <A, R>(effect: Effect.Effect<A, SqlError, R>): Effect.Effect<A, UpstreamError, R> =>
  // The schedule is begun when there is something to wait for: every sale runs about ten statements, and none meets any.
  Effect.catchAll(effect, (error) =>
    isContention(error) ? Effect.mapError(again(effect), narrowed) : Effect.fail(narrowed(error))
  )
