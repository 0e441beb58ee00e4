import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { databaseNow } from "../../../storage/database-clock.ts"
import { isOver } from "../../../storage/lease.ts"
import { narrowSql } from "../../../storage/sql-errors.ts"
import type { Address, Stored } from "./journal.ts"

/** Ends a transaction that must not happen. */
export class Superseded {
  readonly _tag = "Superseded"
}

/** Ends one whose fee the budgets of these payments have no room for. */
export class Beyond {
  readonly _tag = "Beyond"
  readonly keys: ReadonlyArray<string>
  constructor(keys: ReadonlyArray<string>) {
    this.keys = keys
  }
}

export type Sql = SqlClient.SqlClient

/** Who may use a key, and its next nonce. */
export const keyLeases = (sql: Sql, owner: string, lease: number) => ({
  hold: Effect.fnUntraced(function* (address: Address) {
    const now = yield* databaseNow(sql)
    const rows = yield* sql`INSERT INTO settlement_keys (address, owner, lease_until)
        VALUES (${address}, ${owner}, ${now} + ${sql.literal(String(lease))})
        ON CONFLICT (address) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
        WHERE settlement_keys.owner = ${owner} OR ${isOver(sql, "settlement_keys.lease_until", now, lease)}
        RETURNING address`
    return rows.length > 0
  }, narrowSql),
  release: (address: Address) =>
    sql`UPDATE settlement_keys SET lease_until = 0 WHERE address = ${address} AND owner = ${owner}`.pipe(
      Effect.asVoid,
      narrowSql
    ),
  nextNonce: (address: Address) =>
    sql<{ next_nonce: number | string | null }>`SELECT next_nonce FROM settlement_keys
      WHERE address = ${address}`.pipe(
      Effect.map(([row]) => (row === undefined || row.next_nonce === null ? null : Number(row.next_nonce))),
      narrowSql
    ),
  adoptNonce: (address: Address, nonce: number) =>
    sql`UPDATE settlement_keys SET next_nonce = ${nonce} WHERE address = ${address} AND owner = ${owner}`.pipe(
      Effect.asVoid,
      narrowSql
    )
})

/** Whether a key is ours, as the first write of a transaction: it also locks the row against a new owner. */
export const fence = Effect.fnUntraced(function* (
  sql: Sql,
  owner: string,
  address: Address,
  next: { nonce: number } | undefined
) {
  const now = yield* databaseNow(sql)
  const rows =
    next === undefined
      ? yield* sql`UPDATE settlement_keys SET owner = owner
            WHERE address = ${address} AND owner = ${owner} AND lease_until > ${now} RETURNING address`
      : yield* sql`UPDATE settlement_keys SET next_nonce = ${next.nonce + 1}
            WHERE address = ${address} AND owner = ${owner} AND lease_until > ${now} AND next_nonce = ${next.nonce}
            RETURNING address`
  if (rows.length === 0) return yield* Effect.fail(new Superseded())
})

/** The result of a transaction that stores signed bytes. */
export const asStored = <E, R>(effect: Effect.Effect<unknown, E | Superseded | Beyond, R>) =>
  Effect.as(effect, { state: "stored" } satisfies Stored).pipe(
    Effect.catchIf(
      (error): error is Superseded | Beyond => error instanceof Superseded || error instanceof Beyond,
      (error) =>
        Effect.succeed<Stored>(
          error instanceof Beyond ? { state: "beyond", keys: error.keys } : { state: "superseded" }
        )
    )
  )
