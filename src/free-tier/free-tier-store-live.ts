import { SqlClient } from "@effect/sql"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { retained } from "../storage/retention.ts"
import { narrowSql } from "../storage/sql-errors.ts"
import { freeTierConfig } from "./config.ts"
import { type FreeCaller, FreeTierStore } from "./free-tier-store.ts"

/** Time between two removals of calls that no window reaches any more. */
const PURGE_INTERVAL = Duration.minutes(10)

/** Any constant: free calls of one PostgreSQL database are counted one after another. */
const POSTGRES_LOCK = 3_402_002

/** Ids and addresses are only compared, so the table holds digests. The prefix keeps the two apart. */
const digest = (kind: "client" | "ip", text: string): string =>
  createHash("sha256").update(`${kind}:${text}`).digest("hex")

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { calls, window, callsPerIp, callsGlobal } = yield* freeTierConfig

  /** Counting and inserting are one statement, so a call is counted or does not happen. */
  const insert = (id: string, caller: FreeCaller, now: number) => {
    const client = digest("client", caller.clientId)
    const ip = digest("ip", caller.ip)
    const since = now - Duration.toMillis(window)
    return sql`INSERT INTO free_calls (id, client, ip, at)
      SELECT ${id}, ${client}, ${ip}, ${now}
      WHERE (SELECT COUNT(*) FROM free_calls WHERE client = ${client} AND at > ${since}) < ${calls}
        AND (SELECT COUNT(*) FROM free_calls WHERE ip = ${ip} AND at > ${since}) < ${callsPerIp}
        AND (SELECT COUNT(*) FROM free_calls WHERE at > ${since}) < ${callsGlobal}
      RETURNING id`
  }

  /** PostgreSQL counts what others have committed, not what they are about to: the lock makes them take turns. */
  const inTurn = (id: string, caller: FreeCaller, now: number) =>
    sql.onDialectOrElse({
      pg: () =>
        sql.withTransaction(
          Effect.zipRight(sql`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`, insert(id, caller, now))
        ),
      orElse: () => insert(id, caller, now)
    })

  const purge = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const oldest = now - Duration.toMillis(window)
    return (yield* narrowSql(sql`DELETE FROM free_calls WHERE at <= ${oldest} RETURNING id`)).length
  })

  yield* retained("free calls", PURGE_INTERVAL, purge)

  return FreeTierStore.of({
    reserve: Effect.fn("FreeTierStore.reserve")(function* (caller) {
      const id = yield* Effect.sync(() => randomUUID())
      const now = yield* Clock.currentTimeMillis
      const rows = yield* narrowSql(inTurn(id, caller, now))
      return rows.length === 0 ? Option.none<string>() : Option.some(id)
    }),
    release: Effect.fn("FreeTierStore.release")((reservation) =>
      Effect.asVoid(narrowSql(sql`DELETE FROM free_calls WHERE id = ${reservation}`))
    )
  })
})

/** Free calls in the service's database: exact under concurrency, also between processes. Requires `SqlClient`. */
export const FreeTierStoreLive = Layer.scoped(FreeTierStore, make)
