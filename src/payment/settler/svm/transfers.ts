import { SqlClient, type Statement } from "@effect/sql"
import { Clock, Effect, Metric } from "effect"
import { SOLANA_NETWORK } from "../../../domain/chain.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { narrowSql } from "../../../storage/sql-errors.ts"
import { decodeTransaction } from "../../verifier/svm/transaction.ts"
import { BURNT_BY_CODE, BURNT_BY_FAILING, burntOn, feesOn } from "../fee-ledger.ts"
import { feesPaid } from "../metrics.ts"
import type { SignedTransfer } from "./fee-payer.ts"
import { isWillful } from "./lamports.ts"

const DAY = 86_400_000
const feesOnSolana = Metric.tagged(feesPaid, "network", SOLANA_NETWORK)
/** Transfers one look takes, of those that may still land and of those that did. */
const BATCH = 1_024

/** What is stored of a payment, and whether this call stored it. */
export interface Prepared extends SignedTransfer {
  readonly isFirst: boolean
}

/** A stored transfer that may still land, or that landed and is not final. */
export interface OpenTransfer extends SignedTransfer {
  readonly authorizationKey: string
  readonly state: "prepared" | "broadcast" | "included"
  /** Unix milliseconds. */
  readonly createdAt: number
}

interface Row {
  readonly authorization_key: string
  readonly id: string
  readonly wire: string
  readonly state: OpenTransfer["state"]
  readonly created_at: number | string
}

interface Charged {
  readonly fee_micros: number | string
}

const openOf = (row: Row): OpenTransfer => ({
  authorizationKey: row.authorization_key,
  id: row.id,
  wire: row.wire,
  state: row.state,
  createdAt: Number(row.created_at)
})

type Charge = ReturnType<typeof feesOn>["charge"]

const preparing = function* (
  sql: SqlClient.SqlClient,
  charge: Charge,
  authorizationKey: string,
  { id, wire }: SignedTransfer,
  feeMicros: bigint
) {
  const at = yield* Clock.currentTimeMillis
  const row = {
    authorization_key: authorizationKey,
    id,
    wire,
    state: "prepared",
    fee_micros: Number(feeMicros),
    created_at: at,
    updated_at: at,
    sent_at: at
  }
  const inserted = yield* sql`INSERT INTO settlement_transfers ${sql.insert(row)}
      ON CONFLICT (authorization_key) DO NOTHING RETURNING id`
  if (inserted.length > 0) {
    // From now on it may land.
    yield* charge(authorizationKey, SOLANA_NETWORK, row.fee_micros, at)
    return { id, wire, isFirst: true }
  }
  const [stored] = yield* sql<Row>`SELECT * FROM settlement_transfers
      WHERE authorization_key = ${authorizationKey}`
  return { id: stored?.id ?? id, wire: stored?.wire ?? wire, isFirst: false }
}

/** Ends a transfer that never landed and never will: it cost nothing. */
const close = (sql: SqlClient.SqlClient, charge: Charge, authorizationKey: string) =>
  Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const rows = yield* sql<Pick<Row, "created_at"> & Charged>`
      UPDATE settlement_transfers SET state = 'closed', updated_at = ${at}
      WHERE authorization_key = ${authorizationKey} AND state NOT IN ('final', 'closed') RETURNING created_at, fee_micros`
    for (const row of rows)
      yield* charge(authorizationKey, SOLANA_NETWORK, -Number(row.fee_micros), Number(row.created_at))
  }).pipe(sql.withTransaction, narrowSql)

/** What those cost that are not known to have landed yet: each is told once, by whoever is the first to see it. */
const include = (sql: SqlClient.SqlClient, authorizationKeys: ReadonlyArray<string>, at: number) =>
  Effect.map(
    sql<Charged>`UPDATE settlement_transfers SET state = 'included', updated_at = ${at}
      WHERE ${sql.in("authorization_key", authorizationKeys)} AND state IN ('prepared', 'broadcast') RETURNING fee_micros`,
    (rows) => rows.reduce((total, { fee_micros }) => total + Number(fee_micros), 0)
  )

const tellFees = (fees: number) => Metric.incrementBy(feesOnSolana, fees)

/** Writes down what landed, and what that cost. */
const setState = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  authorizationKeys: ReadonlyArray<string>,
  state: "included" | "final"
) {
  const at = yield* Clock.currentTimeMillis
  const fees = yield* narrowSql(include(sql, authorizationKeys, at))
  yield* tellFees(fees)
  if (state === "included") return
  yield* narrowSql(sql`UPDATE settlement_transfers SET state = ${state}, updated_at = ${at}
    WHERE ${sql.in("authorization_key", authorizationKeys)} AND state = 'included'`)
})

/** Ends transfers that failed where they landed. What they cost counts as burnt. */
const fail = (sql: SqlClient.SqlClient, authorizationKeys: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const fees = yield* include(sql, authorizationKeys, at)
    const rows = yield* sql<Pick<Row, "wire"> & Charged>`
      UPDATE settlement_transfers SET state = 'final', updated_at = ${at}
      WHERE ${sql.in("authorization_key", authorizationKeys)} AND state NOT IN ('final', 'closed')
      RETURNING wire, fee_micros`
    for (const { fee_micros, wire } of rows) {
      const transaction = decodeTransaction(wire)
      const budget = transaction !== undefined && isWillful(transaction) ? BURNT_BY_CODE : BURNT_BY_FAILING
      yield* feesOn(sql).add(budget, SOLANA_NETWORK, Number(fee_micros), at)
    }
    return fees
  }).pipe(sql.withTransaction, narrowSql, Effect.flatMap(tellFees))

/**
 * The signed bytes of every Solana transfer, written before the first send. A payment has one message, and whoever
 * signs it again (after a change of the fee payer's key, say) gets the bytes that were stored first.
 */
export const makeTransfers = Effect.map(SqlClient.SqlClient, (sql) => {
  const now = Clock.currentTimeMillis
  const { charge } = feesOn(sql)
  const oldest = (which: Statement.Fragment) =>
    Effect.map(
      narrowSql(
        sql<Row>`SELECT * FROM settlement_transfers WHERE ${which} ORDER BY created_at LIMIT ${BATCH}`
      ),
      (rows) => rows.map(openOf)
    )
  return {
    /** Stores a signed transfer; the result is what is stored. Whoever was the first has the first turn at sending. */
    prepare: (
      authorizationKey: string,
      signed: SignedTransfer,
      feeMicros: bigint
    ): Effect.Effect<Prepared, UpstreamError> =>
      Effect.gen(() => preparing(sql, charge, authorizationKey, signed, feeMicros)).pipe(
        sql.withTransaction,
        narrowSql
      ),
    find: (authorizationKey: string) =>
      Effect.map(
        narrowSql(sql<Row>`SELECT * FROM settlement_transfers WHERE authorization_key = ${authorizationKey}`),
        ([row]) => (row === undefined ? undefined : { id: row.id, wire: row.wire })
      ),
    /**
     * Takes a turn at sending once more. `false`: somebody, here or in another process, sent it within `age` milliseconds.
     * A turn whose time lies in the future was taken by a wrong clock, and holds nobody up.
     */
    takeTurn: (authorizationKey: string, age: number) =>
      Effect.flatMap(now, (at) =>
        Effect.map(
          narrowSql(sql`UPDATE settlement_transfers
            SET sent_at = ${at}, state = CASE state WHEN 'prepared' THEN 'broadcast' ELSE state END
            WHERE authorization_key = ${authorizationKey} AND (sent_at <= ${at - age} OR sent_at > ${at + age})
            RETURNING authorization_key`),
          (rows) => rows.length > 0
        )
      ),
    setState: (authorizationKeys: ReadonlyArray<string>, state: "included" | "final") =>
      setState(sql, authorizationKeys, state),
    close: (authorizationKey: string) => close(sql, charge, authorizationKey),
    fail: (authorizationKeys: ReadonlyArray<string>) => fail(sql, authorizationKeys),
    /** Fees of the last 24 hours that payers' own assertions and high prices have burnt, millionths of a USD. */
    burntToday: burntOn(sql, SOLANA_NETWORK, BURNT_BY_CODE),
    /** The same of plain transfers whose money had gone. */
    failedToday: burntOn(sql, SOLANA_NETWORK, BURNT_BY_FAILING),
    /** What may still land, oldest first. */
    open: oldest(sql`state IN ('prepared', 'broadcast')`),
    /** What landed and is not known to be final, of those that were stored `age` milliseconds ago; oldest first. */
    included: (age: number) =>
      Effect.flatMap(now, (at) => oldest(sql`state = 'included' AND created_at <= ${at - age}`)),
    /** Fees of what landed in the last 24 hours, or may still land, millionths of a USD. */
    spentToday: Effect.flatMap(now, (at) =>
      narrowSql(
        sql<{ spent: number | string | null }>`SELECT SUM(fee_micros) AS spent FROM settlement_transfers
          WHERE state <> 'closed' AND updated_at > ${at - DAY}`
      )
    ).pipe(Effect.map(([row]) => BigInt(row?.spent ?? 0))),
    prune: (age: number) =>
      Effect.flatMap(now, (at) =>
        Effect.zipRight(
          sql`DELETE FROM settlement_transfers WHERE state IN ('final', 'closed') AND updated_at < ${at - age}`,
          feesOn(sql).prune(at)
        )
      ).pipe(narrowSql)
  }
})

export type Transfers = Effect.Effect.Success<typeof makeTransfers>
