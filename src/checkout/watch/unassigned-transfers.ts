import { SqlClient } from "@effect/sql"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../domain/chain.ts"
import { UnassignedReason } from "../../domain/merchant.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { StoredInteger } from "../../storage/stored-integer.ts"

/**
 * Money that came into a watched account and belongs to no one order. Amount in smallest units, `at` Unix milliseconds.
 */
export interface UnassignedTransfer {
  /** Names it for ever. One transaction may hold several. */
  readonly evidence: string
  readonly transaction: string
  readonly payer: string | null
  readonly amount: bigint
  readonly at: number
  readonly reason: UnassignedReason
}

/** The same as it is written down. `account` is the receiving address with its network. */
export interface Unassigned extends UnassignedTransfer {
  readonly account: string
}

/** Transfers without an order: never counted for an order, and never forgotten. */
export class UnassignedTransfers extends Context.Tag("token-risk/UnassignedTransfers")<
  UnassignedTransfers,
  {
    /**
     * Whether somebody wants to know of it. One that names no order at all is of interest only to a merchant who proved
     * the account: all other accounts are used for much else.
     */
    readonly isWanted: (
      transfer: Pick<Unassigned, "account" | "reason">
    ) => Effect.Effect<boolean, UpstreamError>
    /** Writes down a transfer that came in. */
    readonly note: (transfer: Unassigned) => Effect.Effect<void, UpstreamError>
    /** A reorganisation took it away. Should it come back, it is noted anew. */
    readonly forget: (evidence: string) => Effect.Effect<void, UpstreamError>
    /**
     * Newest first. `account` is the receiving address with its network; `before` where an earlier page ended. What was
     * paid for an answer of ours is not among them: an operator may be a merchant with the same account.
     */
    readonly list: (
      account: string,
      before: Pick<UnassignedTransfer, "at" | "evidence"> | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<UnassignedTransfer>, UpstreamError>
    /** Forgets what came before a time. */
    readonly purge: (before: number) => Effect.Effect<void, UpstreamError>
  }
>() {}

const Row = Schema.Struct({
  evidence: Schema.String,
  transaction: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("transaction_id")),
  payer: Schema.NullOr(Schema.String),
  amount: Schema.BigInt,
  at: StoredInteger,
  reason: UnassignedReason
})
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const isWanted = Effect.fn("UnassignedTransfers.isWanted")(
    ({ account, reason }: Pick<Unassigned, "account" | "reason">) =>
      reason === "no-order"
        ? Effect.map(
            narrowSql(sql`SELECT 1 FROM merchants WHERE account = ${account}`),
            (rows) => rows.length > 0
          )
        : Effect.succeed(true)
  )

  const note = Effect.fn("UnassignedTransfers.note")(function* (transfer: Unassigned) {
    const { account, amount, at, evidence, payer, reason, transaction } = transfer
    const now = yield* Clock.currentTimeMillis
    yield* narrowSql(sql`INSERT INTO unassigned_transfers
        (evidence, account, transaction_id, payer, amount, at, reason, seen_at)
      VALUES (${evidence}, ${account}, ${transaction}, ${payer}, ${amount.toString()}, ${at}, ${reason}, ${now})
      ON CONFLICT (evidence) DO UPDATE SET at = ${at}`)
  })

  const forget = Effect.fn("UnassignedTransfers.forget")((evidence: string) =>
    narrowSql(sql`DELETE FROM unassigned_transfers WHERE evidence = ${evidence}`).pipe(Effect.asVoid)
  )

  /** Of several transfers of one transaction on Base, the one behind the authorization's own log. */
  const isItsTransfer = sql`evidence =
    network || ':' || payment_evidence.transaction_id || ':' || (position + 1) || ':' || LOWER(pay_to)`

  /**
   * The transfer of a payment that was settled through us. It may land and be noted before that is written down, so it is
   * left out when the list is read.
   */
  const isPayment = sql`EXISTS (SELECT 1 FROM payment_evidence
    WHERE payment_evidence.transaction_id = unassigned_transfers.transaction_id
      AND (network = ${SOLANA_NETWORK} AND network || ':' || pay_to = account
        OR network = ${BASE_NETWORK} AND ${isItsTransfer})
      AND EXISTS (SELECT 1 FROM payments WHERE authorization_key = claimed_by))`

  const list = Effect.fn("UnassignedTransfers.list")((
    account: string,
    before: Pick<UnassignedTransfer, "at" | "evidence"> | null,
    limit: number
  ) => {
    const { at, evidence } = before ?? { at: Number.MAX_SAFE_INTEGER, evidence: "" }
    return narrowSql(sql`SELECT evidence, transaction_id, payer, amount, at, reason FROM unassigned_transfers
        WHERE account = ${account} AND (at < ${at} OR (at = ${at} AND evidence < ${evidence})) AND NOT ${isPayment}
        ORDER BY at DESC, evidence DESC LIMIT ${limit}`).pipe(
      Effect.flatMap((rows) => Effect.orDie(decodeRows(rows)))
    )
  })

  const purge = Effect.fn("UnassignedTransfers.purge")((before: number) =>
    narrowSql(sql`DELETE FROM unassigned_transfers WHERE seen_at < ${before}`).pipe(Effect.asVoid)
  )

  return UnassignedTransfers.of({ isWanted, note, forget, list, purge })
})

/** Transfers without an order in the service's database. */
export const UnassignedTransfersLive = Layer.effect(UnassignedTransfers, make)
