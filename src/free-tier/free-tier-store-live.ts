import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { withNow } from "../domain/now.ts"
import { span } from "../domain/span.ts"
import { retained } from "../storage/retention.ts"
import { narrowSql } from "../storage/sql-errors.ts"
import { unsynced } from "../storage/unsynced.ts"
import { freeTierConfig } from "./config.ts"
import { type FreeCaller, FreeTierStore } from "./free-tier-store.ts"

/** Time between two removals of calls that no window reaches any more. */
const PURGE_INTERVAL = Duration.minutes(10)

/** Calls that are removed in one transaction: others have their turn in between. */
const PURGED_TOGETHER = 200

/** Any constant: free calls of one PostgreSQL database are counted one after another. */
const POSTGRES_LOCK = 3_402_002

/** Ids and addresses are only compared, so the table holds digests. The prefix keeps the two apart. */
const digest = (kind: "client" | "ip", text: string): string =>
  createHash("sha256").update(`${kind}:${text}`).digest("hex")

/** Later ones sort behind earlier ones: calls that come together write to one page of the index and not to one each. */
const idAt = (now: number): string => `${now.toString(36).padStart(9, "0")}-${randomUUID()}`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { calls, window, callsPerIp, callsGlobal } = yield* freeTierConfig
  const windowMillis = Duration.toMillis(window)

  /**
   * The counts are of all rows, also of those the window has left, which are not fewer than those it reaches: who is below
   * the limit by them is below it. Counting and inserting are one statement, so a call is counted or does not happen.
   */
  const insert = (caller: FreeCaller, now: number): Effect.Effect<Option.Option<string>, SqlError> => {
    const id = idAt(now)
    const client = digest("client", caller.clientId)
    const ip = digest("ip", caller.ip)
    return Effect.map(
      sql`INSERT INTO free_calls (id, client, ip, at) SELECT ${id}, ${client}, ${ip}, ${now}
        WHERE COALESCE((SELECT calls FROM free_calls_counts WHERE caller = ${client}), 0) < ${calls}
        AND COALESCE((SELECT calls FROM free_calls_counts WHERE caller = ${ip}), 0) < ${callsPerIp}
        AND COALESCE((SELECT calls FROM free_calls_counts WHERE caller = 'all'), 0) < ${callsGlobal}
        RETURNING id`,
      ({ length }) => (length === 0 ? Option.none() : Option.some(id))
    )
  }

  /**
   * What is counted need not be on disk before a caller is answered. And PostgreSQL sees what others have committed, not
   * what they are about to: the lock makes all who count take turns.
   */
  const inTurn = <A>(counting: Effect.Effect<A, SqlError>) =>
    sql.onDialectOrElse({
      pg: () => unsynced(sql)(Effect.zipRight(sql`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`, counting)),
      orElse: () => unsynced(sql)(counting)
    })

  const purgeSome = (oldest: number) =>
    narrowSql(
      inTurn(sql`DELETE FROM free_calls WHERE id IN
        (SELECT id FROM free_calls WHERE at <= ${oldest} ORDER BY at LIMIT ${PURGED_TOGETHER}) RETURNING id`)
    )

  /** Removes what the window has left, and says how many calls that were. Each call is removed once. */
  const purge = Effect.fnUntraced(function* (now: number) {
    let purged = 0
    for (;;) {
      const { length } = yield* purgeSome(now - windowMillis)
      purged += length
      if (length < PURGED_TOGETHER) return purged
    }
  })

  yield* retained("free calls", PURGE_INTERVAL, Effect.flatMap(Clock.currentTimeMillis, purge))

  const takeAll = (callers: ReadonlyArray<FreeCaller>, now: number) =>
    narrowSql(inTurn(Effect.forEach(callers, (caller) => insert(caller, now))))

  /**
   * Who is refused is refused by exact counts: what the window has left is gone before they are asked again. Also when
   * there was nothing to remove, for somebody else may just have removed it.
   */
  const reserveAll = (callers: ReadonlyArray<FreeCaller>) =>
    withNow((now) =>
      Effect.flatMap(takeAll(callers, now), (taken) => {
        const refused = callers.filter((_, at) => Option.isNone(taken[at] ?? Option.none()))
        if (refused.length === 0) return Effect.succeed(taken)
        return Effect.map(Effect.zipRight(purge(now), takeAll(refused, now)), (again) => {
          const second = again.values()
          return taken.map((first) => (Option.isSome(first) ? first : (second.next().value ?? first)))
        })
      })
    )

  const reserve = (caller: FreeCaller) =>
    Effect.map(reserveAll([caller]), ([taken = Option.none<string>()]) => taken)

  return FreeTierStore.of({
    reserve: (caller) => span("FreeTierStore.reserve")(reserve(caller)),
    reserveAll: (callers) => span("FreeTierStore.reserve")(reserveAll(callers)),
    release: (reservation) =>
      Effect.asVoid(narrowSql(inTurn(sql`DELETE FROM free_calls WHERE id = ${reservation}`))).pipe(
        span("FreeTierStore.release")
      )
  })
})

/** Free calls in the service's database: exact under concurrency, also between processes. Requires `SqlClient`. */
export const FreeTierStoreLive = Layer.scoped(FreeTierStore, make)
