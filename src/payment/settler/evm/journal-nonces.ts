import type { SqlError } from "@effect/sql/SqlError"
import { Clock, Effect } from "effect"
import { narrowSql } from "../../../storage/sql-errors.ts"
import { BASE_NETWORK } from "../../../domain/chain.ts"
import { BURNT_BY_CODE, BURNT_BY_FAILING, feesOn } from "../fee-ledger.ts"
import { jobMoves } from "./journal-jobs.ts"
import { type AttemptRow, type JobRow, readPlaces, readSlot, type SlotRow } from "./journal-rows.ts"
import type { Address, Inclusion, Preparation, Replacement } from "./journal.ts"
import { asStored, Beyond, fence, type Sql, Superseded } from "./key-lease.ts"
import { withNow } from "../../../domain/now.ts"

const inTransaction = <A, E>(sql: Sql, body: (now: number) => Effect.Effect<A, E | SqlError>) =>
  sql.withTransaction(withNow(body))

const readRows = (sql: Sql, address: Address, since: number) =>
  sql<SlotRow>`SELECT * FROM settlement_transactions
    WHERE address = ${address} AND state IN ('prepared', 'broadcast', 'included')
      AND (state <> 'included' OR block_number > ${since}) ORDER BY nonce`

const readClosable = (sql: Sql, address: Address, until: number) =>
  sql<SlotRow>`SELECT * FROM settlement_transactions
    WHERE address = ${address} AND state = 'included' AND block_number <= ${until} ORDER BY nonce`

/** No block holds any of its attempts. */
const isOpen = ({ hash }: SlotRow): boolean => hash === null

/** The rows with all that belongs to them. */
const readWhole = Effect.fnUntraced(function* (sql: Sql, address: Address, rows: ReadonlyArray<SlotRow>) {
  if (rows.length === 0) return { rows, attempts: [], jobs: [] }
  const nonces = rows.map(({ nonce }) => nonce)
  const attempts = yield* sql<AttemptRow>`SELECT * FROM settlement_attempts
      WHERE address = ${address} AND ${sql.in("nonce", nonces)} ORDER BY created_at`
  const jobs = yield* sql<JobRow>`SELECT * FROM settlement_jobs
      WHERE address = ${address} AND ${sql.in("nonce", nonces)} ORDER BY created_at`
  return { rows, attempts, jobs }
})

const wholeSlots = (read: Effect.Effect<Effect.Effect.Success<ReturnType<typeof readWhole>>, SqlError>) =>
  Effect.flatMap(narrowSql(read), ({ attempts, jobs, rows }) =>
    Effect.forEach(rows, (row) => readSlot(row, attempts, jobs))
  )

const addAttempt = (
  sql: Sql,
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

/** Sets aside what a transaction may cost, in equal parts for the payments it carries. */
const makeCoverAll = (sql: Sql) => {
  const { cover } = feesOn(sql)
  return Effect.fnUntraced(function* (
    keys: ReadonlyArray<string>,
    parts: number,
    mostFee: bigint,
    isUrgent: boolean
  ) {
    if (keys.length === 0) return
    const each = (mostFee + BigInt(parts) - 1n) / BigInt(parts)
    const without = yield* cover(BASE_NETWORK, keys, each, isUrgent)
    if (without.length > 0) return yield* Effect.fail(new Beyond(without))
  })
}

/** Signed bytes are stored here before they are sent, by the holder of the key alone. */
const makeSigning = (sql: Sql, owner: string) => {
  const { assign } = jobMoves(sql)
  const coverAll = makeCoverAll(sql)

  const prepare = ({ address, attempt, bound, entries, gas, mostFee, nonce, windowEnd }: Preparation) =>
    inTransaction(
      sql,
      Effect.fnUntraced(function* (now) {
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
        // A nonce is taken a second time only on a chain that was set back to an earlier state, or where it was given up.
        yield* sql`DELETE FROM settlement_transactions
          WHERE address = ${address} AND nonce = ${nonce} AND state IN ('final', 'foreign')`
        const taken = yield* sql`INSERT INTO settlement_transactions ${sql.insert(slot)}
          ON CONFLICT DO NOTHING RETURNING nonce`
        if (taken.length === 0) return yield* Effect.fail(new Superseded())
        yield* addAttempt(sql, address, nonce, attempt, now)
        const budgeted = yield* assign(entries, address, nonce, now)
        yield* coverAll(budgeted, entries.length, mostFee, false)
      })
    )

  const replace = ({ address, attempt, mostFee, nonce }: Replacement) =>
    inTransaction(
      sql,
      Effect.fnUntraced(function* (now) {
        yield* fence(sql, owner, address, undefined)
        yield* addAttempt(sql, address, nonce, attempt, now)
        const jobs = yield* sql<{ key: string }>`SELECT authorization_key AS key FROM settlement_jobs
          WHERE address = ${address} AND nonce = ${nonce}`
        const keys = jobs.map(({ key }) => key)
        yield* coverAll(keys, keys.length, mostFee, attempt.kind === "cancel")
      })
    )

  return {
    prepare: (preparation: Preparation) => narrowSql(asStored(prepare(preparation))),
    replace: (replacement: Replacement) => narrowSql(asStored(replace(replacement))),
    sent: (address: Address, nonce: number, hash: string) =>
      inTransaction(sql, (now) =>
        Effect.zipRight(
          sql`UPDATE settlement_attempts SET sent_at = ${now} WHERE hash = ${hash}`,
          sql`UPDATE settlement_transactions SET state = 'broadcast', updated_at = ${now}
            WHERE address = ${address} AND nonce = ${nonce} AND state = 'prepared'`
        )
      ).pipe(Effect.asVoid, narrowSql)
  }
}

/** What became of a nonce, as its key's holder has seen it. */
const makeInclusions = (sql: Sql) => {
  const { putBack, record } = jobMoves(sql)
  const fees = feesOn(sql)

  /** When it is seen again, for example in another block, a transaction may have cost something else. */
  const chargeFee = Effect.fnUntraced(function* (
    { address, failedPart = 0, feeMicros, isBurnt = false, nonce }: Inclusion,
    now: number
  ) {
    const [before] = yield* sql<{ fee: number | string | null }>`SELECT fee_micros AS fee
        FROM settlement_transactions WHERE address = ${address} AND nonce = ${nonce}`
    const more = Number(feeMicros) - Number(before?.fee ?? 0)
    if (more === 0) return
    yield* fees.share({ address, nonce }, more, now)
    if (isBurnt) yield* fees.add(BURNT_BY_CODE, BASE_NETWORK, more, now)
    else if (failedPart > 0)
      yield* fees.add(BURNT_BY_FAILING, BASE_NETWORK, Math.ceil(more * failedPart), now)
  })

  const include = (found: Inclusion) =>
    inTransaction(
      sql,
      Effect.fnUntraced(function* (now) {
        yield* chargeFee(found, now)
        yield* sql`UPDATE settlement_transactions SET state = ${found.isFinal ? "final" : "included"}, hash = ${found.hash},
            block_number = ${found.height}, block_hash = ${found.blockHash},
            fee_micros = ${Number(found.feeMicros)}, updated_at = ${now}
          WHERE address = ${found.address} AND nonce = ${found.nonce}`
        yield* record(found.results, now)
      })
    )

  return {
    include: (found: Inclusion) => narrowSql(include(found)),
    reopen: (address: Address, nonce: number) =>
      Effect.flatMap(
        Clock.currentTimeMillis,
        (now) => sql`UPDATE settlement_transactions SET state = 'broadcast', hash = NULL, updated_at = ${now}
          WHERE address = ${address} AND nonce = ${nonce} AND state = 'included'`
      ).pipe(Effect.asVoid, narrowSql),
    abandon: (address: Address, nonce: number) =>
      inTransaction(sql, (now) =>
        Effect.zipRight(
          sql`UPDATE settlement_transactions SET state = 'foreign', updated_at = ${now}
            WHERE address = ${address} AND nonce = ${nonce}`,
          putBack(address, nonce, now)
        )
      ).pipe(Effect.asVoid, narrowSql)
  }
}

/** The nonces of the journal: signed, sent, included, given up. See `SettlementJournal`. */
export const makeJournalNonces = (sql: Sql, owner: string) => ({
  ...makeSigning(sql, owner),
  ...makeInclusions(sql),
  slots: (address: Address, since: number) =>
    wholeSlots(Effect.flatMap(readRows(sql, address, since), (rows) => readWhole(sql, address, rows))),
  closable: (address: Address, until: number) =>
    wholeSlots(Effect.flatMap(readClosable(sql, address, until), (rows) => readWhole(sql, address, rows))),
  underWay: (address: Address, since: number) =>
    Effect.flatMap(narrowSql(readRows(sql, address, since)), (rows) =>
      Effect.zipWith(
        wholeSlots(readWhole(sql, address, rows.filter(isOpen))),
        readPlaces(rows),
        (open, included) => ({ open, included })
      )
    )
})
