import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { sum } from "../../domain/bigint.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { StoredInteger } from "../../storage/stored-integer.ts"
import { lockedCheckout } from "../store/locking.ts"
import type { Refund } from "./refund.ts"

/** What a look found. `evidence`: the transfer of the journal that a refund was seen as. */
export interface Looked extends Pick<Refund, "lookedTo" | "state"> {
  readonly evidence?: string
}

/** What an amount was weighed against. */
export interface Weighed {
  /** The order's open refunds. */
  readonly open: ReadonlyArray<Refund>
  /** How many transfers of its journal went back. */
  readonly gone: number
}

/** Prepared refunds on SQL. */
export class RefundRepo extends Context.Tag("token-risk/RefundRepo")<
  RefundRepo,
  {
    /**
     * Writes down a refund whose amount was weighed. False: another is open by now, to this payer or to another one, or has
     * gone back meanwhile.
     */
    readonly insert: (refund: Refund, weighed: Weighed) => Effect.Effect<boolean, UpstreamError>
    /** Open refunds of a checkout. */
    readonly open: (checkoutId: string) => Effect.Effect<ReadonlyArray<Refund>, UpstreamError>
    /** Refunds of a checkout whose own transaction never lands. */
    readonly ended: (checkoutId: string) => Effect.Effect<ReadonlyArray<Refund>, UpstreamError>
    /** Open refunds whose time for a look has come. */
    readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<Refund>, UpstreamError>
    /**
     * The refunds behind this transfer of the journal are not in the chain any more. Each may land again and is looked for,
     * unless another refund to its payer is open by now.
     */
    readonly reopen: (evidence: string, now: number) => Effect.Effect<void, UpstreamError>
    /** What other refunds come to that were seen as this transfer of the journal, smallest units. */
    readonly ofOthers: (refund: Refund, evidence: string) => Effect.Effect<bigint, UpstreamError>
    /** What a look found. An ended refund stays as it is. */
    readonly looked: (refund: Refund, found: Looked, nextLook: number) => Effect.Effect<void, UpstreamError>
    /** What a look for a refund that ended found: with the transfer it is `seen` after all. */
    readonly lookedLate: (refund: Refund, found: Omit<Looked, "state">) => Effect.Effect<void, UpstreamError>
  }
>() {}

const key = <A, I>(schema: Schema.Schema<A, I>, column: string) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(column))
const Row = Schema.Struct({
  id: Schema.String,
  checkoutId: key(Schema.String, "checkout_id"),
  payer: Schema.String,
  amount: Schema.BigInt,
  lifetime: Schema.String,
  validUntil: key(Schema.NullOr(StoredInteger), "valid_until"),
  state: Schema.Literal("open", "seen", "void"),
  lookedTo: key(StoredInteger, "looked_to"),
  preparedAt: key(StoredInteger, "prepared_at")
})
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const locked = lockedCheckout(sql)
  const read = (rows: ReadonlyArray<object>) => Effect.orDie(decodeRows(rows))

  const openRows = (checkoutId: string) =>
    Effect.flatMap(
      sql`SELECT * FROM checkout_refunds WHERE checkout_id = ${checkoutId} AND state = 'open'`,
      read
    )

  const insertRow = (refund: Refund) =>
    Effect.map(
      sql`INSERT INTO checkout_refunds ${sql.insert({
        id: refund.id,
        checkout_id: refund.checkoutId,
        payer: refund.payer,
        amount: refund.amount.toString(),
        lifetime: refund.lifetime,
        valid_until: refund.validUntil,
        state: refund.state,
        looked_to: refund.lookedTo,
        prepared_at: refund.preparedAt,
        next_look: refund.preparedAt
      })} ON CONFLICT DO NOTHING RETURNING id`,
      (rows) => rows.length > 0
    )

  const goneRows = (checkoutId: string) =>
    sql`SELECT evidence FROM checkout_transfers WHERE checkout_id = ${checkoutId} AND via = 'refund'`

  const insert = Effect.fn("RefundRepo.insert")(
    function* (refund: Refund, weighed: Weighed) {
      // Under the checkout's lock no other is written down, nor seen on chain, between this look and the row.
      yield* locked(refund.checkoutId)
      const others = yield* openRows(refund.checkoutId)
      const gone = yield* goneRows(refund.checkoutId)
      const known = new Set(weighed.open.map(({ id }) => id))
      const isSame = gone.length === weighed.gone && others.every(({ id }) => known.has(id))
      return isSame ? yield* insertRow(refund) : false
    },
    sql.withTransaction,
    narrowSql
  )

  const open = Effect.fn("RefundRepo.open")((checkoutId: string) => narrowSql(openRows(checkoutId)))

  const ended = Effect.fn("RefundRepo.ended")((checkoutId: string) =>
    Effect.flatMap(
      narrowSql(sql`SELECT * FROM checkout_refunds WHERE checkout_id = ${checkoutId} AND state = 'void'`),
      read
    )
  )

  const due = Effect.fn("RefundRepo.due")((now: number, limit: number) =>
    Effect.flatMap(
      narrowSql(sql`SELECT * FROM checkout_refunds WHERE state = 'open' AND next_look <= ${now}
        ORDER BY next_look LIMIT ${limit}`),
      read
    )
  )

  const looked = Effect.fn("RefundRepo.looked")(
    ({ id }: Refund, { evidence, lookedTo, state }: Looked, nextLook: number) =>
      narrowSql(sql`UPDATE checkout_refunds SET state = ${state}, looked_to = ${lookedTo},
          next_look = ${nextLook}, evidence = ${evidence ?? null} WHERE id = ${id} AND state = 'open'`).pipe(
        Effect.asVoid
      )
  )

  const lookedLate = Effect.fn("RefundRepo.lookedLate")(
    ({ id }: Refund, { evidence, lookedTo }: Omit<Looked, "state">) =>
      narrowSql(sql`UPDATE checkout_refunds SET state = ${evidence === undefined ? "void" : "seen"},
          looked_to = ${lookedTo}, evidence = ${evidence ?? null} WHERE id = ${id} AND state = 'void'`).pipe(
        Effect.asVoid
      )
  )

  const ofOthers = Effect.fn("RefundRepo.ofOthers")(({ id }: Refund, evidence: string) =>
    Effect.map(
      narrowSql(
        sql<{
          amount: string
        }>`SELECT amount FROM checkout_refunds WHERE evidence = ${evidence} AND id <> ${id}`
      ),
      (rows) => sum(rows.map(({ amount }) => BigInt(amount)))
    )
  )

  const isOnlyOne = sql`NOT EXISTS (SELECT 1 FROM checkout_refunds AS other
    WHERE other.checkout_id = checkout_refunds.checkout_id AND other.payer = checkout_refunds.payer
      AND other.state = 'open')`

  /** One that was seen before it was kept as which transfer: the newest of the same amount to the same payer. */
  const reopenNameless = (evidence: string, now: number) =>
    sql`UPDATE checkout_refunds SET state = 'open', next_look = ${now} WHERE ${isOnlyOne} AND id = (
      SELECT refund.id FROM checkout_transfers AS transfer
        JOIN checkout_refunds AS refund ON refund.checkout_id = transfer.checkout_id
          AND refund.evidence IS NULL AND refund.payer = transfer.payer AND refund.amount = transfer.amount
        WHERE transfer.evidence = ${evidence} AND refund.state = 'seen'
        ORDER BY refund.prepared_at DESC LIMIT 1)`

  const reopen = Effect.fn("RefundRepo.reopen")(function* (evidence: string, now: number) {
    const rows = yield* sql`UPDATE checkout_refunds SET state = 'open', evidence = NULL, next_look = ${now}
        WHERE evidence = ${evidence} AND state = 'seen' AND ${isOnlyOne} RETURNING id`
    if (rows.length === 0) yield* reopenNameless(evidence, now)
  }, narrowSql)

  return RefundRepo.of({ insert, open, ended, due, ofOthers, looked, lookedLate, reopen })
})

/** Prepared refunds in the service's database. */
export const RefundRepoLive = Layer.effect(RefundRepo, make)
