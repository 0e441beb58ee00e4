import { Clock, Effect, Option } from "effect"
import { narrowSql } from "../../../storage/sql-errors.ts"
import type { Job } from "./job.ts"
import { type JobRow, type Newest, readJob, readOutcome, writeJob } from "./journal-rows.ts"
import {
  type Address,
  type Entry,
  type Inclusion,
  type InLine,
  MAX_TRIES,
  type WaitingJobs
} from "./journal.ts"
import { type Sql, Superseded } from "./key-lease.ts"

/** Jobs one look takes from the queue. */
const WAITING = 200
/** In front of every job. */
const FIRST: InLine = { createdAt: 0, authorizationKey: "" }

const rowOf = (job: Job, now: number, address: Address | null, nonce: number | null) => ({
  authorization_key: job.authorizationKey,
  job: writeJob(job),
  state: nonce === null ? "waiting" : "assigned",
  tries: nonce === null ? 0 : 1,
  address,
  nonce,
  created_at: now,
  updated_at: now
})

/** A job that got its nonce; `budgets` names the budgets its fee comes out of. */
interface Assigned {
  readonly key: string
  readonly budgets: string | null
}

const budgetsOf = (sql: Sql) => sql`(SELECT fee_purses FROM payments
  WHERE payments.authorization_key = settlement_jobs.authorization_key) AS budgets`

/** Moves of jobs inside the transactions that take or close a nonce. */
export const jobMoves = (sql: Sql) => ({
  /**
   * Gives jobs their nonce; fails when another process did for one of them. Answers the keys of those whose fee comes out
   * of somebody's budgets.
   */
  assign: Effect.fnUntraced(function* (
    entries: ReadonlyArray<Entry>,
    address: Address,
    nonce: number,
    now: number
  ) {
    const stored = entries.filter((entry) => entry.stored).map(({ job }) => job.authorizationKey)
    const fresh = entries.filter((entry) => !entry.stored).map(({ job }) => rowOf(job, now, address, nonce))
    const returned = sql`RETURNING authorization_key AS key, ${budgetsOf(sql)}`
    const assigned = [
      ...(stored.length === 0
        ? []
        : yield* sql<Assigned>`UPDATE settlement_jobs
              SET state = 'assigned', address = ${address}, nonce = ${nonce}, tries = tries + 1, updated_at = ${now}
              WHERE ${sql.in("authorization_key", stored)} AND state = 'waiting' ${returned}`),
      ...(fresh.length === 0
        ? []
        : yield* sql<Assigned>`INSERT INTO settlement_jobs ${sql.insert(fresh)}
              ON CONFLICT (authorization_key) DO NOTHING ${returned}`)
    ]
    if (assigned.length < entries.length) return yield* Effect.fail(new Superseded())
    return assigned.filter(({ budgets }) => budgets !== null).map(({ key }) => key)
  }),
  /** Writes results that jobs do not have yet: when a transaction becomes final, nearly all have theirs. */
  record: (results: Inclusion["results"], now: number) => {
    const rows = results.map(({ authorizationKey, result }) => {
      const evidence = result.state === "landed" ? JSON.stringify(result.evidence) : null
      return sql`(${authorizationKey}, ${result.state}, ${evidence}, ${"reason" in result ? result.reason : null})`
    })
    return rows.length === 0
      ? Effect.void
      : sql`WITH given (key, state, evidence, reason) AS (VALUES ${sql.csv(rows)})
          UPDATE settlement_jobs SET state = given.state, updated_at = ${now}, evidence = given.evidence,
            reason = given.reason, nonce = CASE given.state WHEN 'waiting' THEN NULL ELSE nonce END
          FROM given WHERE authorization_key = given.key AND (settlement_jobs.state <> given.state
            OR (given.state = 'waiting' AND nonce IS NOT NULL)
            OR settlement_jobs.evidence IS DISTINCT FROM given.evidence
            OR settlement_jobs.reason IS DISTINCT FROM given.reason)`
  },
  /** The jobs of a lost nonce wait for another one. */
  putBack: (address: Address, nonce: number, now: number) =>
    sql`UPDATE settlement_jobs SET state = 'waiting', nonce = NULL, updated_at = ${now}
      WHERE address = ${address} AND nonce = ${nonce} AND state = 'assigned'`
})

const findRow = Effect.fnUntraced(function* (sql: Sql, authorizationKey: string) {
  const [row] = yield* sql<JobRow>`SELECT * FROM settlement_jobs
      WHERE authorization_key = ${authorizationKey}`
  if (row === undefined) return Option.none()
  const [newest] = yield* sql<Newest>`SELECT attempt.hash, attempt.sent_at FROM settlement_attempts AS attempt
      JOIN settlement_jobs AS job ON job.address = attempt.address AND job.nonce = attempt.nonce
      WHERE job.authorization_key = ${authorizationKey} AND attempt.kind = 'payment'
      ORDER BY attempt.created_at DESC LIMIT 1`
  return Option.some({ row, newest })
})

type WaitingRow = JobRow & { readonly created_at: number | string }

const waitingRows = (sql: Sql, { authorizationKey, createdAt }: InLine = FIRST) =>
  sql<WaitingRow>`SELECT * FROM settlement_jobs WHERE state = 'waiting' AND created_at >= ${createdAt}
    AND (created_at > ${createdAt} OR authorization_key > ${authorizationKey})
    ORDER BY created_at, authorization_key LIMIT ${WAITING}`

const readWaiting = (rows: ReadonlyArray<WaitingRow>) => {
  const last = rows.length < WAITING ? undefined : rows.at(-1)
  return Effect.map(Effect.forEach(rows, readJob), (jobs): WaitingJobs => ({
    jobs,
    last: last && { createdAt: Number(last.created_at), authorizationKey: last.authorization_key }
  }))
}

/** The jobs of the journal, from the hand-over to their result. See `SettlementJournal`. */
export const makeJournalJobs = (sql: Sql) => ({
  offer: (job: Job) =>
    Effect.flatMap(
      Clock.currentTimeMillis,
      (now) => sql`INSERT INTO settlement_jobs ${sql.insert(rowOf(job, now, null, null))}
        ON CONFLICT (authorization_key) DO UPDATE SET state = 'waiting', job = ${writeJob({ ...job, apart: true })},
          updated_at = ${now}
        WHERE settlement_jobs.state IN ('failed', 'expired') AND settlement_jobs.tries < ${MAX_TRIES}`
    ).pipe(Effect.asVoid, narrowSql),
  find: (authorizationKey: string) =>
    Effect.flatMap(
      narrowSql(findRow(sql, authorizationKey)),
      Effect.transposeMapOption(({ newest, row }) => readOutcome(row, newest))
    ),
  finished: (authorizationKeys: ReadonlyArray<string>) =>
    authorizationKeys.length === 0
      ? Effect.succeed([])
      : Effect.flatMap(
          narrowSql(sql<JobRow>`SELECT * FROM settlement_jobs
            WHERE ${sql.in("authorization_key", authorizationKeys)} AND state IN ('landed', 'failed', 'expired')`),
          Effect.forEach((row) =>
            Effect.map(readOutcome(row, undefined), ({ result }) => ({
              authorizationKey: row.authorization_key,
              result
            }))
          )
        ),
  waiting: (after: InLine | undefined) => Effect.flatMap(narrowSql(waitingRows(sql, after)), readWaiting),
  expire: (authorizationKey: string, reason: string) =>
    Effect.flatMap(
      Clock.currentTimeMillis,
      (now) => sql`UPDATE settlement_jobs SET state = 'expired', reason = ${reason}, updated_at = ${now}
        WHERE authorization_key = ${authorizationKey} AND state = 'waiting' RETURNING authorization_key`
    ).pipe(
      Effect.map((rows) => rows.length > 0),
      narrowSql
    )
})
