import { SqlClient, type Statement } from "@effect/sql"
import { Array as Arr, Effect } from "effect"
import type { Network } from "../../domain/chain.ts"
import { narrowSql } from "../../storage/sql-errors.ts"

/** One payment as an operator sees it. Times are Unix milliseconds, the amount smallest units of USDC. */
export interface PaymentRecord {
  readonly key: string
  readonly state: "claimed" | "settling" | "settled" | "refused"
  readonly network: Network
  readonly payer: string
  readonly amount: string
  readonly transaction: string | null
  readonly reason: string | null
  /** JSON of the proof a refused payment ended with. */
  readonly proof: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** One move of a payment. `detail` is the evidence, the proof, a transaction or an owner, as the event says. */
export interface PaymentEvent {
  readonly event: string
  readonly detail: string
  readonly at: number
}

interface Row extends Omit<PaymentRecord, "createdAt" | "updatedAt"> {
  readonly created_at: number | string
  readonly updated_at: number | string
}

/** A transfer the ledger counts as income. */
export interface EvidenceRecord {
  readonly network: Network
  readonly transaction: string
  readonly payer: string
  readonly amount: string
}

/** Rows a list shows at most: what is older is found by id. */
const MOST_RECORDS = 200
/** Transactions of one question. */
const ASKED_TOGETHER = 500

const recordOf = ({ created_at, updated_at, ...row }: Row): PaymentRecord => ({
  ...row,
  createdAt: Number(created_at),
  updatedAt: Number(updated_at)
})

/** What the ledger says, for reading only. Requires `SqlClient`. */
export const makeRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(`authorization_key AS "key", state, network, payer, amount,
    transaction_id AS "transaction", reason, proof, created_at, updated_at`)

  const evidenceWhere = (which: Statement.Fragment) =>
    narrowSql(
      sql<EvidenceRecord & { readonly payTo: string }>`SELECT network, transaction_id AS "transaction", payer,
        amount, pay_to AS "payTo" FROM payment_evidence WHERE ${which} AND standing <> 'lost'`
    )

  return {
    /** The newest payments that are unresolved, or that were refused. */
    list: (state: "settling" | "refused") =>
      sql<Row>`SELECT ${columns} FROM payments WHERE state = ${state}
        ORDER BY updated_at DESC LIMIT ${MOST_RECORDS}`.pipe(
        Effect.map((rows) => rows.map(recordOf)),
        narrowSql
      ),
    /** The newest payments that were sold and whose transfers a reorganisation took away for good. */
    lost: sql<Row>`SELECT ${columns} FROM payments WHERE authorization_key IN
        (SELECT claimed_by FROM payment_evidence WHERE standing = 'lost' ORDER BY created_at DESC LIMIT ${MOST_RECORDS})
        ORDER BY updated_at DESC`.pipe(
      Effect.map((rows) => rows.map(recordOf)),
      narrowSql
    ),
    /** Payments with this key or this transaction. */
    find: (id: string) =>
      sql<Row>`SELECT ${columns} FROM payments
        WHERE authorization_key = ${id} OR authorization_key IN
          (SELECT claimed_by FROM payment_evidence WHERE transaction_id = ${id}) OR (watched = 1 AND transaction_id = ${id})
        LIMIT ${MOST_RECORDS}`.pipe(
        Effect.map((rows) => rows.map(recordOf)),
        narrowSql
      ),
    events: (key: string) =>
      sql<{ event: string; detail: string; at: number | string }>`SELECT event, detail, at FROM payment_events
        WHERE authorization_key = ${key} ORDER BY id`.pipe(
        Effect.map((rows) => rows.map((row): PaymentEvent => ({ ...row, at: Number(row.at) }))),
        narrowSql
      ),
    /** Transfers that were recorded between two times, Unix milliseconds. */
    evidence: (from: number, to: number) => evidenceWhere(sql`created_at >= ${from} AND created_at < ${to}`),
    /** The transfers of these transactions, whenever they were recorded. */
    evidenceIn: (transactions: ReadonlyArray<string>) =>
      Effect.map(
        Effect.forEach(Arr.chunksOf(transactions, ASKED_TOGETHER), (some) =>
          evidenceWhere(sql.in("transaction_id", some))
        ),
        (found) => found.flat()
      )
  }
})
