import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Clock, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { narrowSql } from "../../../storage/sql-errors.ts"
import { encodeEvidence, encodeJob, type Job } from "./job.ts"
import { asBoolean, fence, keyLeases, type Sql, Superseded } from "./key-lease.ts"
import {
  type Address,
  type Entry,
  type Inclusion,
  MAX_TRIES,
  type Preparation,
  SettlementJournal
} from "./journal.ts"
import {
  type AttemptRow,
  type JobRow,
  type Newest,
  readJob,
  readOutcome,
  readSlot,
  type SlotRow
} from "./journal-rows.ts"

/** Jobs one look takes from the queue. */
const WAITING = 200
const DAY = 86_400_000

const jobs = (sql: Sql) => {
  const insert = (job: Job, now: number, address: Address | null, nonce: number | null) => ({
    authorization_key: job.authorizationKey,
    job: encodeJob(job),
    state: nonce === null ? "waiting" : "assigned",
    tries: nonce === null ? 0 : 1,
    address,
    nonce,
    created_at: now,
    updated_at: now
  })
  return {
    offer: (job: Job) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (now) => sql`INSERT INTO settlement_jobs ${sql.insert(insert(job, now, null, null))}
          ON CONFLICT (authorization_key) DO UPDATE SET state = 'waiting', updated_at = ${now}
          WHERE settlement_jobs.state IN ('failed', 'expired') AND settlement_jobs.tries < ${MAX_TRIES}`
      ).pipe(Effect.asVoid),
    find: (authorizationKey: string) =>
      Effect.gen(function* () {
        const [row] = yield* sql<JobRow>`SELECT * FROM settlement_jobs
          WHERE authorization_key = ${authorizationKey}`
        if (row === undefined) return Option.none()
        const [newest] =
          yield* sql<Newest>`SELECT attempt.hash, attempt.sent_at FROM settlement_attempts AS attempt
          JOIN settlement_jobs AS job ON job.address = attempt.address AND job.nonce = attempt.nonce
          WHERE job.authorization_key = ${authorizationKey} AND attempt.kind = 'payment'
          ORDER BY attempt.created_at DESC LIMIT 1`
        return Option.some({ row, newest })
      }),
    waiting: sql<JobRow>`SELECT * FROM settlement_jobs WHERE state = 'waiting' ORDER BY created_at LIMIT ${WAITING}`,
    expire: (authorizationKey: string, reason: string) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (now) => sql`UPDATE settlement_jobs SET state = 'expired', reason = ${reason}, updated_at = ${now}
          WHERE authorization_key = ${authorizationKey} AND state = 'waiting' RETURNING authorization_key`
      ).pipe(Effect.map((rows) => rows.length > 0)),
    /** Gives a job its nonce; fails when another process did. */
    assign: ({ job, stored }: Entry, address: Address, nonce: number, now: number) =>
      Effect.filterOrFail(
        stored
          ? sql`UPDATE settlement_jobs
              SET state = 'assigned', address = ${address}, nonce = ${nonce}, tries = tries + 1, updated_at = ${now}
              WHERE authorization_key = ${job.authorizationKey} AND state = 'waiting' RETURNING authorization_key`
          : sql`INSERT INTO settlement_jobs ${sql.insert(insert(job, now, address, nonce))}
              ON CONFLICT (authorization_key) DO NOTHING RETURNING authorization_key`,
        (rows) => rows.length > 0,
        () => new Superseded()
      ),
    record: ({ authorizationKey, result }: Inclusion["results"][number], now: number) =>
      sql`UPDATE settlement_jobs SET state = ${result.state}, updated_at = ${now},
          evidence = ${result.state === "landed" ? encodeEvidence(result.evidence) : null},
          reason = ${"reason" in result ? result.reason : null},
          nonce = ${result.state === "waiting" ? sql.literal("NULL") : sql.literal("nonce")}
        WHERE authorization_key = ${authorizationKey}`
  }
}

const readSlots = (sql: Sql, address: Address, since: number) =>
  Effect.gen(function* () {
    const wanted = sql`address = ${address} AND state IN ('prepared', 'broadcast', 'included')
      AND (state <> 'included' OR block_number > ${since})`
    const live = sql`(SELECT nonce FROM settlement_transactions WHERE ${wanted})`
    const rows = yield* sql<SlotRow>`SELECT * FROM settlement_transactions WHERE ${wanted} ORDER BY nonce`
    if (rows.length === 0) return { rows, attempts: [], jobs: [] }
    const attempts = yield* sql<AttemptRow>`SELECT * FROM settlement_attempts
      WHERE address = ${address} AND nonce IN ${live} ORDER BY created_at`
    const jobs = yield* sql<JobRow>`SELECT * FROM settlement_jobs
      WHERE address = ${address} AND nonce IN ${live} ORDER BY created_at`
    return { rows, attempts, jobs }
  })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* Effect.sync(() => randomUUID())
  const key = keyLeases(sql, owner)
  const job = jobs(sql)

  const inTransaction = <A, E>(body: (now: number) => Effect.Effect<A, E | SqlError>) =>
    sql.withTransaction(Effect.flatMap(Clock.currentTimeMillis, body))

  const addAttempt = (
    address: Address,
    nonce: number,
    { hash, kind, maxFee, raw, tip }: Preparation["attempt"],
    now: number
  ) =>
    sql`INSERT INTO settlement_attempts ${sql.insert({
      hash,
      address,
      nonce,
      kind,
      raw,
      max_fee: String(maxFee),
      tip: String(tip),
      created_at: now
    })} ON CONFLICT (hash) DO NOTHING`

  const prepare = ({ address, attempt, bound, entries, gas, nonce, windowEnd }: Preparation) =>
    inTransaction((now) =>
      Effect.gen(function* () {
        yield* fence(sql, owner, address, { nonce })
        const slot = {
          address,
          nonce,
          state: "prepared",
          gas: String(gas),
          bound: String(bound),
          window_end: windowEnd,
          created_at: now,
          updated_at: now
        }
        // A nonce is taken a second time only on a chain that was set back to an earlier state.
        yield* sql`DELETE FROM settlement_transactions WHERE address = ${address} AND nonce = ${nonce}`
        yield* sql`INSERT INTO settlement_transactions ${sql.insert(slot)}`
        yield* addAttempt(address, nonce, attempt, now)
        for (const entry of entries) yield* job.assign(entry, address, nonce, now)
      })
    )

  const include = (found: Inclusion) =>
    inTransaction((now) =>
      Effect.gen(function* () {
        yield* sql`UPDATE settlement_transactions SET state = ${found.isFinal ? "final" : "included"}, hash = ${found.hash},
            block_number = ${found.height}, block_hash = ${found.blockHash},
            fee_micros = ${Number(found.feeMicros)}, updated_at = ${now}
          WHERE address = ${found.address} AND nonce = ${found.nonce}`
        for (const result of found.results) yield* job.record(result, now)
      })
    )

  const abandon = (address: Address, nonce: number) =>
    inTransaction((now) =>
      Effect.zipRight(
        sql`UPDATE settlement_transactions SET state = 'foreign', updated_at = ${now}
          WHERE address = ${address} AND nonce = ${nonce}`,
        sql`UPDATE settlement_jobs SET state = 'waiting', nonce = NULL, updated_at = ${now}
          WHERE address = ${address} AND nonce = ${nonce} AND state = 'assigned'`
      )
    )

  const prune = (age: number) =>
    inTransaction((now) =>
      Effect.gen(function* () {
        const old = sql`(SELECT nonce FROM settlement_transactions
          WHERE settlement_transactions.address = settlement_attempts.address
            AND state IN ('final', 'foreign') AND updated_at < ${now - age})`
        yield* sql`DELETE FROM settlement_attempts WHERE nonce IN ${old}`
        yield* sql`DELETE FROM settlement_transactions
          WHERE state IN ('final', 'foreign') AND updated_at < ${now - age}`
        yield* sql`DELETE FROM settlement_jobs
          WHERE state IN ('landed', 'failed', 'expired') AND updated_at < ${now - age}`
      })
    )

  return SettlementJournal.of({
    hold: (address) => narrowSql(key.hold(address)),
    release: (address) => narrowSql(key.release(address)),
    nextNonce: (address) => narrowSql(key.nextNonce(address)),
    adoptNonce: (address, nonce) => narrowSql(key.adoptNonce(address, nonce)),
    offer: (offered) => narrowSql(job.offer(offered)),
    find: (authorizationKey) =>
      Effect.flatMap(
        narrowSql(job.find(authorizationKey)),
        Effect.transposeMapOption(({ newest, row }) => readOutcome(row, newest))
      ),
    finished: (authorizationKeys) =>
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
    waiting: Effect.flatMap(narrowSql(job.waiting), Effect.forEach(readJob)),
    expire: (authorizationKey, reason) => narrowSql(job.expire(authorizationKey, reason)),
    prepare: (preparation) => narrowSql(asBoolean(prepare(preparation))),
    replace: (address, nonce, attempt) =>
      narrowSql(
        asBoolean(
          inTransaction((now) =>
            Effect.zipRight(fence(sql, owner, address, undefined), addAttempt(address, nonce, attempt, now))
          )
        )
      ),
    sent: (address, nonce, hash) =>
      narrowSql(
        inTransaction((now) =>
          Effect.zipRight(
            sql`UPDATE settlement_attempts SET sent_at = ${now} WHERE hash = ${hash}`,
            sql`UPDATE settlement_transactions SET state = 'broadcast', updated_at = ${now}
              WHERE address = ${address} AND nonce = ${nonce} AND state = 'prepared'`
          )
        )
      ),
    slots: (address, since) =>
      Effect.flatMap(narrowSql(readSlots(sql, address, since)), ({ attempts, jobs, rows }) =>
        Effect.forEach(rows, (row) => readSlot(row, attempts, jobs))
      ),
    include: (found) => narrowSql(include(found)),
    reopen: (address, nonce) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        narrowSql(
          sql`UPDATE settlement_transactions SET state = 'broadcast', hash = NULL, updated_at = ${now}
            WHERE address = ${address} AND nonce = ${nonce} AND state = 'included'`
        )
      ),
    abandon: (address, nonce) => narrowSql(Effect.asVoid(abandon(address, nonce))),
    spentToday: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      narrowSql(
        sql<{ spent: number | string | null }>`SELECT SUM(fee_micros) AS spent FROM settlement_transactions
          WHERE updated_at > ${now - DAY}`
      )
    ).pipe(Effect.map(([row]) => BigInt(row?.spent ?? 0))),
    prune: (age) => narrowSql(Effect.asVoid(prune(age)))
  })
})

/** The journal on the service's database. Requires `SqlClient`. */
export const SettlementJournalLive = Layer.effect(SettlementJournal, make)
