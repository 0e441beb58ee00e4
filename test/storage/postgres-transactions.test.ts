/** Transactions on a PostgreSQL server that goes away in their middle, as it does when it is restarted or fails over. */
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { UpstreamError } from "../../src/domain/errors.ts"
import { databaseAt } from "../../src/storage/database.ts"
import { narrowSql } from "../../src/storage/sql-errors.ts"
import { sharedPostgres } from "../support/postgres.ts"

/** What becomes of a transaction whose connection is cut where it says so. */
const cutOff = (
  name: string,
  transaction: (sql: SqlClient.SqlClient, cut: Effect.Effect<void>) => Effect.Effect<unknown, unknown>
) =>
  Effect.gen(function* () {
    const postgres = yield* sharedPostgres
    const url = yield* postgres.database(name)
    const connect = Effect.map(Layer.build(Layer.fresh(databaseAt(url))), Context.get(SqlClient.SqlClient))
    const [sql, other] = [yield* connect, yield* connect]
    const cut = Effect.gen(function* () {
      const [own] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
      yield* other`SELECT pg_terminate_backend(${own?.pid ?? 0}, 5000)`
    }).pipe(Effect.orDie)
    const exit = yield* Effect.exit(transaction(sql, cut))
    expect(yield* sql`SELECT nonce FROM sign_ins`).toEqual([])
    return Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  })

const write = (sql: SqlClient.SqlClient) => sql`INSERT INTO sign_ins (nonce, used_at) VALUES ('one', 1)`

describe("a transaction on PostgreSQL whose connection is lost", () => {
  it.scopedLive("fails as the database does where its COMMIT is not answered", () =>
    Effect.gen(function* () {
      const error = yield* cutOff("commit", (sql, cut) =>
        narrowSql(sql.withTransaction(Effect.zipRight(write(sql), cut)))
      )
      expect(error).toBeInstanceOf(UpstreamError)
    })
  )

  it.scopedLive("fails as its own statement did where nothing can be taken back any more", () =>
    Effect.gen(function* () {
      const error = yield* cutOff("rollback", (sql, cut) =>
        narrowSql(sql.withTransaction(Effect.zipRight(cut, write(sql))))
      )
      expect(error).toBeInstanceOf(UpstreamError)
    })
  )
})
