import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import type { UpstreamError } from "../domain/errors.ts"
import { narrowSql } from "../storage/sql-errors.ts"

/** A merchant's receiving account and how far it was looked through. Times are Unix milliseconds. */
export interface ReceivingAccount {
  /** The merchant's wallet. */
  readonly owner: string
  /** Nothing before this can pay one of its checkouts. */
  readonly watchFrom: number
  /** Newest transaction that was read; null before the first look. */
  readonly cursor: string | null
  /** USDC in smallest units at the last look. */
  readonly balance: bigint | null
  /** A checkout's clock ran out, and only a look past that moment may end it. */
  readonly isDue: boolean
}

/** What a look at an account found out. */
export interface Look {
  readonly owner: string
  readonly cursor: string | null
  readonly balance: bigint
  /** The chain's time up to which nothing is unseen. */
  readonly scannedTo: number
}

/** Accounts that wallets may pay without us, one row each however many checkouts wait on it. */
export class ReceivingAccounts extends Context.Tag("token-risk/ReceivingAccounts")<
  ReceivingAccounts,
  {
    /** Accounts with checkouts that may still be paid, the least recently looked at first. */
    readonly next: (
      now: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ReceivingAccount>, UpstreamError>
    /** These accounts were looked at and nothing had changed. */
    readonly unchanged: (owners: ReadonlyArray<string>, now: number) => Effect.Effect<void, UpstreamError>
    readonly looked: (look: Look, now: number) => Effect.Effect<void, UpstreamError>
  }
>() {}

const PREFIX = `${SOLANA_NETWORK}:`

const Row = Schema.Struct({
  owner: Schema.String,
  watch_from: Schema.Union(Schema.Number, Schema.NumberFromString),
  cursor: Schema.NullOr(Schema.String),
  balance: Schema.NullOr(Schema.BigInt),
  due: Schema.Union(Schema.Number, Schema.NumberFromString)
})
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const next = Effect.fn("ReceivingAccounts.next")(function* (now: number, limit: number) {
    const rows = yield* narrowSql(sql`SELECT owner, watch_from, cursor, balance,
        CASE WHEN EXISTS (SELECT 1 FROM checkouts WHERE merchant = receiving_accounts.owner AND status = 'open'
          AND expires_at <= ${now} AND expires_at >= receiving_accounts.scanned_to) THEN 1 ELSE 0 END AS due
      FROM receiving_accounts WHERE scanned_to <= watch_until ORDER BY looked_at LIMIT ${limit}`)
    const decoded = yield* Effect.orDie(decodeRows(rows))
    return decoded.map(({ balance, cursor, due, owner, watch_from: watchFrom }): ReceivingAccount => ({
      owner: owner.slice(PREFIX.length),
      watchFrom,
      cursor,
      balance,
      isDue: due === 1
    }))
  })

  const unchanged = Effect.fn("ReceivingAccounts.unchanged")((owners: ReadonlyArray<string>, now: number) =>
    owners.length === 0
      ? Effect.void
      : narrowSql(sql`UPDATE receiving_accounts SET looked_at = ${now}
          WHERE ${sql.in(
            "owner",
            owners.map((owner) => PREFIX + owner)
          )}`).pipe(Effect.asVoid)
  )

  const looked = Effect.fn("ReceivingAccounts.looked")((look: Look, now: number) =>
    narrowSql(sql`UPDATE receiving_accounts SET looked_at = ${now}, cursor = ${look.cursor},
        balance = ${look.balance.toString()}, scanned_to = ${look.scannedTo}
      WHERE owner = ${PREFIX + look.owner}`).pipe(Effect.asVoid)
  )

  return ReceivingAccounts.of({ next, unchanged, looked })
})

/** Receiving accounts in the service's database. */
export const ReceivingAccountsSql = Layer.effect(ReceivingAccounts, make)
