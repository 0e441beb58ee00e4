import { SqlClient, type Statement } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Clock, type Config, Duration, Effect, Fiber, Layer, Option } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { withNow } from "../domain/now.ts"
import { span } from "../domain/span.ts"
import { databaseNow } from "../storage/database-clock.ts"
import { lockPostgres } from "../storage/postgres-lock.ts"
import { retained } from "../storage/retention.ts"
import { narrowSql } from "../storage/sql-errors.ts"
import { unsynced } from "../storage/unsynced.ts"
import { freeTierConfig } from "./config.ts"
import { type FreeCaller, FreeTierStore } from "./free-tier-store.ts"
import { ADDRESSES_A_NETWORK, networkOf } from "./network.ts"

/** Time between two removals of calls that no window reaches any more. */
const PURGE_INTERVAL = Duration.minutes(10)

/** Calls that are removed in one transaction: others have their turn in between. */
const PURGED_TOGETHER = 200

/** How long a call that failed waits until what it may have counted is given back; then that goes on without it. */
const GIVING_BACK = Duration.seconds(1)

/** Ids and addresses are only compared, so the table holds digests. The prefix keeps them apart. */
const digest = (kind: "client" | "ip" | "net", text: string): string =>
  createHash("sha256").update(`${kind}:${text}`).digest("hex")

/** Later ones sort behind earlier ones: calls that come together write to one page of the index and not to one each. */
const idAt = (now: number): string => `${now.toString(36).padStart(9, "0")}-${randomUUID()}`

/** One who asks for a free call: whose it is, in digests, and how many before them in the same statement share that. */
interface Asked {
  readonly id: string
  readonly client: string
  readonly ip: string
  /** None for an address that belongs to no network that is counted. */
  readonly net: string | null
  readonly before: readonly [client: number, ip: number, net: number]
}

const NOBODY = [0, 0, 0] as const
const NONE = Effect.succeed<ReadonlySet<string>>(new Set())

const askedBy = (callers: ReadonlyArray<FreeCaller>, now: number): ReadonlyArray<Asked> => {
  const seen = new Map<string, number>()
  const next = (digest: string): number => {
    const before = seen.get(digest) ?? 0
    seen.set(digest, before + 1)
    return before
  }
  return callers.map((caller) => {
    const [client, ip] = [digest("client", caller.clientId), digest("ip", caller.ip)]
    const network = networkOf(caller.ip)
    const net = network === undefined ? null : digest("net", network)
    return { id: idAt(now), client, ip, net, before: [next(client), next(ip), net === null ? 0 : next(net)] }
  })
}

type Limits = Omit<Config.Config.Success<typeof freeTierConfig>, "window">

/**
 * The statement that takes free calls, and tells which it took. The counts are of all rows, also of those the window has
 * left, which are not fewer than those it reaches: who is below the limit by them, and by those who are asked for before in
 * the same statement, is below it. Counting and inserting are one statement, so a call is counted or does not happen.
 */
const makeInsert = (sql: SqlClient.SqlClient, { calls, callsGlobal, callsPerIp }: Limits) => {
  const rows = (asked: ReadonlyArray<Asked>) => {
    const json = JSON.stringify(
      asked.map(({ before, client, id, ip, net }, at) => [id, client, ip, net, ...before, at])
    )
    return sql.onDialectOrElse({
      pg: (): Statement.Fragment => sql`jsonb_array_elements(${json}::jsonb) AS asked (value)`,
      orElse: () => sql`json_each(${json})`
    })
  }

  const member = (at: number) => `(value ->> ${at})`
  const counted = (whose: string) =>
    `COALESCE((SELECT calls FROM free_calls_counts WHERE caller = ${whose}), 0)`
  const below = (whose: string, at: number) => `${counted(whose)} + CAST(${member(at)} AS INTEGER) <`
  const [belowClient, belowIp, belowNet, belowAll] = [
    sql.literal(below(member(1), 4)),
    sql.literal(below(member(2), 5)),
    sql.literal(below(member(3), 6)),
    sql.literal(below("'all'", 7))
  ]
  const columns = sql.literal([0, 1, 2, 3].map(member).join(", "))
  const callsPerNetwork = callsPerIp * ADDRESSES_A_NETWORK

  return (asked: ReadonlyArray<Asked>, now: number): Effect.Effect<ReadonlySet<string>, SqlError> =>
    Effect.map(
      sql<{
        id: string
      }>`INSERT INTO free_calls (id, client, ip, net, at) SELECT ${columns}, ${now} FROM ${rows(asked)}
        WHERE ${belowClient} ${calls} AND ${belowIp} ${callsPerIp} AND ${belowNet} ${callsPerNetwork}
          AND ${belowAll} ${callsGlobal} RETURNING id`,
      (taken) => new Set(taken.map(({ id }) => id))
    )
}

/**
 * What is counted need not be on disk before a caller is answered. And PostgreSQL sees what others have committed, not
 * what they are about to: the lock makes all who count take turns.
 */
const takingTurns =
  (sql: SqlClient.SqlClient) =>
  <A>(counting: Effect.Effect<A, SqlError>) =>
    sql.onDialectOrElse({
      pg: () => unsynced(sql)(Effect.zipRight(lockPostgres(sql, "countingFreeCalls"), counting)),
      orElse: () => unsynced(sql)(counting)
    })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const scope = yield* Effect.scope
  const { window, ...limits } = yield* freeTierConfig
  const windowMillis = Duration.toMillis(window)
  const insert = makeInsert(sql, limits)
  const inTurn = takingTurns(sql)

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

  /** What a clock that ran ahead has counted is counted now: it would else hold its callers up for as long as it ran ahead. */
  const bringBack = Effect.flatMap(databaseNow(sql), (now) =>
    narrowSql(inTurn(sql`UPDATE free_calls SET at = ${now} WHERE at > ${now}`))
  )

  yield* retained(
    "free calls",
    PURGE_INTERVAL,
    Effect.zipRight(bringBack, Effect.flatMap(Clock.currentTimeMillis, purge))
  )

  const take = (asked: ReadonlyArray<Asked>, now: number) => narrowSql(inTurn(insert(asked, now)))

  /** Each by itself: one who is refused stands in nobody's way. */
  const takeEach = (asked: ReadonlyArray<Asked>, now: number) =>
    Effect.map(
      narrowSql(inTurn(Effect.forEach(asked, (one) => insert([{ ...one, before: NOBODY }], now)))),
      (taken) => new Set(taken.flatMap((ids) => [...ids]))
    )

  /**
   * Nobody of those who came together gets anything, and whose call was counted has not had it. What failed may have been
   * done: a connection can end between that and its word.
   */
  const giveBack = (asked: ReadonlyArray<Asked>) => {
    const ids = asked.map(({ id }) => id)
    return narrowSql(inTurn(sql`DELETE FROM free_calls WHERE ${sql.in("id", ids)}`)).pipe(
      Effect.ignoreLogged,
      Effect.forkIn(scope),
      // Whoever waits is not kept waiting for long by a database that has just failed.
      Effect.flatMap((giving) => Effect.timeoutOption(Effect.interruptible(Fiber.await(giving)), GIVING_BACK))
    )
  }

  /**
   * Who is refused is refused by exact counts: what the window has left is gone before they are asked again. Also when
   * there was nothing to remove, for somebody else may just have removed it.
   */
  const takeExactly = (asked: ReadonlyArray<Asked>, now: number) =>
    Effect.flatMap(take(asked, now), (taken) => {
      const refused = asked.filter(({ id }) => !taken.has(id))
      const again = refused.length === 0 ? NONE : Effect.zipRight(purge(now), takeEach(refused, now))
      return Effect.map(again, (second) =>
        asked.map(({ id }) => (taken.has(id) || second.has(id) ? Option.some(id) : Option.none()))
      )
    }).pipe(Effect.onError(() => giveBack(asked)))

  const reserveAll = (callers: ReadonlyArray<FreeCaller>) =>
    withNow((now) => takeExactly(askedBy(callers, now), now))

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
