import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import { lockPostgres } from "../../storage/postgres-lock.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { Refund } from "./refund.ts"

/** What a look found. `evidence`: the transfer of the journal that a refund was seen as. */
export interface Looked extends Pick<Refund, "lookedTo" | "state"> {
  readonly evidence?: string
}

/** Prepared refunds on SQL. */
export class RefundRepo extends Context.Tag("token-risk/RefundRepo")<
  RefundRepo,
  {
    /**
     * False: another refund to this payer is open; or one to whomever that is none of `others`, the open ones that the
     * amount was reckoned beside, where they are given.
     */
    readonly insert: (refund: Refund, others?: ReadonlyArray<Refund>) => Effect.Effect<boolean, UpstreamError>
    /** Open refunds of a checkout. */
    readonly open: (checkoutId: string) => Effect.Effect<ReadonlyArray<Refund>, UpstreamError>
    /** Open refunds whose time for a look has come. */
    readonly due: (now: number, limit: number) => Effect.Effect<ReadonlyArray<Refund>, UpstreamError>
    /**
     * The refund behind this transfer of the journal is not in the chain any more. It may land again and is looked for,
     * unless another refund to this payer is open by now.
     */
    readonly reopen: (evidence: string, now: number) => Effect.Effect<void, UpstreamError>
    /** Whether another refund was seen as this transfer of the journal. */
    readonly isAnothers: (refund: Refund, evidence: string) => Effect.Effect<boolean, UpstreamError>
    /** What a look found. An ended refund stays as it is. */
    readonly looked: (refund: Refund, found: Looked, nextLook: number) => Effect.Effect<void, UpstreamError>
  }
>() {}

const Whole = Schema.Union(Schema.Number, Schema.NumberFromString)
const key = <A, I>(schema: Schema.Schema<A, I>, column: string) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(column))
const Row = Schema.Struct({
  id: Schema.String,
  checkoutId: key(Schema.String, "checkout_id"),
  payer: Schema.String,
  amount: Schema.BigInt,
  lifetime: Schema.String,
  validUntil: key(Schema.NullOr(Whole), "valid_until"),
  state: Schema.Literal("open", "seen", "void"),
  lookedTo: key(Whole, "looked_to"),
  preparedAt: key(Whole, "prepared_at")
})
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const read = (rows: ReadonlyArray<object>) => Effect.orDie(decodeRows(rows))

  /** PostgreSQL sees what others have committed, not what they are about to; SQLite's writers queue by themselves. */
  const inTurn = sql.onDialectOrElse({
    pg: () => lockPostgres(sql, "preparingRefunds"),
    orElse: () => Effect.void
  })

  const write = (refund: Refund) =>
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

  const insert = Effect.fn("RefundRepo.insert")(
    function* (refund: Refund, others?: ReadonlyArray<Refund>) {
      yield* inTurn
      if (!(yield* write(refund))) return false
      if (others === undefined) return true
      const known = [refund, ...others].map(({ id }) => id)
      const unknown = yield* sql`SELECT id FROM checkout_refunds
        WHERE checkout_id = ${refund.checkoutId} AND state = 'open' AND NOT ${sql.in("id", known)}`
      return unknown.length === 0 || (yield* Effect.fail("overtaken" as const))
    },
    sql.withTransaction,
    Effect.catchIf(
      (error): error is "overtaken" => error === "overtaken",
      () => Effect.succeed(false)
    ),
    narrowSql
  )

  const open = Effect.fn("RefundRepo.open")((checkoutId: string) =>
    Effect.flatMap(
      narrowSql(sql`SELECT * FROM checkout_refunds WHERE checkout_id = ${checkoutId} AND state = 'open'`),
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

  const isAnothers = Effect.fn("RefundRepo.isAnothers")(({ id }: Refund, evidence: string) =>
    Effect.map(
      narrowSql(sql`SELECT 1 FROM checkout_refunds WHERE evidence = ${evidence} AND id <> ${id}`),
      (rows) => rows.length > 0
    )
  )

  const reopen = Effect.fn("RefundRepo.reopen")((evidence: string, now: number) =>
    narrowSql(sql`UPDATE checkout_refunds SET state = 'open', evidence = NULL, next_look = ${now} WHERE id = (
      SELECT refund.id FROM checkout_transfers AS transfer
        JOIN checkout_refunds AS refund ON refund.checkout_id = transfer.checkout_id
          AND (refund.evidence = transfer.evidence OR refund.evidence IS NULL
            AND refund.payer = transfer.payer AND refund.amount = transfer.amount)
        WHERE transfer.evidence = ${evidence} AND refund.state = 'seen' AND NOT EXISTS (
          SELECT 1 FROM checkout_refunds AS other WHERE other.checkout_id = refund.checkout_id
            AND other.payer = refund.payer AND other.state = 'open')
        ORDER BY CASE WHEN refund.evidence IS NULL THEN 1 ELSE 0 END, refund.prepared_at DESC LIMIT 1)`).pipe(
      Effect.asVoid
    )
  )

  return RefundRepo.of({ insert, open, due, isAnothers, looked, reopen })
})

/** Prepared refunds in the service's database. */
export const RefundRepoLive = Layer.effect(RefundRepo, make)
