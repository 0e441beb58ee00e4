import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { databaseNow } from "../../../storage/database-clock.ts"
import { type Address, LEASE } from "./journal.ts"

/** Ends a transaction that must not happen. */
export class Superseded {
  readonly _tag = "Superseded"
}

export type Sql = SqlClient.SqlClient

const databaseTime = (sql: Sql) => Effect.provideService(databaseNow, SqlClient.SqlClient, sql)

/** Who may use a key, and its next nonce. */
export const keyLeases = (sql: Sql, owner: string) => ({
  hold: (address: Address) =>
    Effect.gen(function* () {
      const now = yield* databaseTime(sql)
      const rows = yield* sql`INSERT INTO settlement_keys (address, owner, lease_until)
        VALUES (${address}, ${owner}, ${now} + ${sql.literal(String(LEASE))})
        ON CONFLICT (address) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
        WHERE settlement_keys.owner = ${owner} OR settlement_keys.lease_until <= ${now}
        RETURNING address`
      return rows.length > 0
    }),
  release: (address: Address) =>
    Effect.asVoid(
      sql`UPDATE settlement_keys SET lease_until = 0 WHERE address = ${address} AND owner = ${owner}`
    ),
  nextNonce: (address: Address) =>
    Effect.map(
      sql<{ next_nonce: number | string | null }>`SELECT next_nonce FROM settlement_keys
        WHERE address = ${address}`,
      ([row]) => (row === undefined || row.next_nonce === null ? null : Number(row.next_nonce))
    ),
  adoptNonce: (address: Address, nonce: number) =>
    Effect.asVoid(
      sql`UPDATE settlement_keys SET next_nonce = ${nonce} WHERE address = ${address} AND owner = ${owner}`
    )
})

/** Whether a key is ours, as the first write of a transaction: it also locks the row against a new owner. */
export const fence = (sql: Sql, owner: string, address: Address, next: { nonce: number } | undefined) =>
  Effect.gen(function* () {
    const now = yield* databaseTime(sql)
    const rows =
      next === undefined
        ? yield* sql`UPDATE settlement_keys SET owner = owner
            WHERE address = ${address} AND owner = ${owner} AND lease_until > ${now} RETURNING address`
        : yield* sql`UPDATE settlement_keys SET next_nonce = ${next.nonce + 1}
            WHERE address = ${address} AND owner = ${owner} AND lease_until > ${now} AND next_nonce = ${next.nonce}
            RETURNING address`
    if (rows.length === 0) return yield* Effect.fail(new Superseded())
  })

/** `false` for a transaction that was superseded. */
export const asBoolean = <E, R>(effect: Effect.Effect<unknown, E | Superseded, R>) =>
  Effect.as(effect, true).pipe(
    Effect.catchIf(
      (error): error is Superseded => error instanceof Superseded,
      () => Effect.succeed(false)
    )
  )
