import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  type Capacity,
  LONGEST_WAIT,
  WebhookOutbox,
  WebhookOutboxLive
} from "../../../src/checkout/webhooks/outbox.ts"
import { bothDatabases } from "../../support/postgres.ts"
import { emptied } from "../../support/storage/tables.ts"

const NOW = 1_800_000_000_000
const LATER = NOW + 60_000
const capacity: Capacity = { now: NOW, leaseUntil: LATER, limit: 100, perHost: 100, busyHosts: [], back: 0 }

/** An event of a checkout of its own that waits for its first attempt. */
const wait = Effect.fnUntraced(function* (name: string, host = "shop.example", since = NOW) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO webhook_deliveries ${sql.insert({
    id: name,
    checkout_id: `chk_${name}`,
    state: "pending",
    url: `https://${host}/`,
    host,
    secret: null,
    body: "{}",
    attempts: 0,
    created_at: since,
    next_at: since
  })}`
})

/** The attempt that holds an event until then. */
const held = (id: string, leaseUntil = LATER) => ({ id, leaseUntil })

/** What stands of each event, by its name: its state, its attempts, when it is due, and when it ended. */
const stand = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    id: string
    state: string
    attempts: number
    next_at: number | string
    ended_at: number | string | null
  }>`SELECT * FROM webhook_deliveries`
  return Object.fromEntries(
    rows.map(({ attempts, ended_at, id, next_at, state }) => [
      id,
      [state, attempts, Number(next_at), ended_at === null ? null : Number(ended_at)]
    ])
  )
})

const taken = Effect.fnUntraced(function* (over: Partial<Capacity> = {}) {
  const outbox = yield* WebhookOutbox
  return (yield* outbox.take({ ...capacity, ...over })).map(({ id }) => id).toSorted()
})

describe.each(bothDatabases("outbox"))("the outbox on %s", (_name, database) => {
  layer(Layer.provideMerge(WebhookOutboxLive, database), { timeout: 120_000 })((it) => {
    it.effect("has nothing wait for as long as a clock had run ahead, and no wait of its own cut short", () =>
      Effect.gen(function* () {
        yield* emptied
        const outbox = yield* WebhookOutbox
        const sql = yield* SqlClient.SqlClient
        const day = 86_400_000
        yield* wait("new", "shop.example", NOW + day)
        yield* wait("sent before", "shop.example", NOW + 3 * day)
        yield* wait("left alone", "shop.example", NOW + day)
        yield* sql`UPDATE webhook_deliveries SET attempts = 4 WHERE id <> 'new'`
        yield* outbox.hasten(NOW)
        expect(yield* stand).toEqual({
          new: ["pending", 0, NOW, null],
          "sent before": ["pending", 4, NOW, null],
          "left alone": ["pending", 4, NOW + day, null]
        })
        expect(yield* taken()).toEqual(["new", "sent before"])
      })
    )

    it.effect("gives each event an end of its own, and one that ended no other", () =>
      Effect.gen(function* () {
        yield* emptied
        const outbox = yield* WebhookOutbox
        for (const name of ["delivered", "failed", "abandoned", "under way"]) yield* wait(name)
        yield* taken()
        yield* outbox.delivered(held("delivered"), NOW + 1)
        yield* outbox.retry(held("failed"), NOW + 5_000, "status 500")
        yield* outbox.abandon(held("abandoned"), NOW + 2, "status 410")
        const ended = {
          delivered: ["delivered", 1, LATER, NOW + 1],
          failed: ["pending", 1, NOW + 5_000, null],
          abandoned: ["abandoned", 1, LATER, NOW + 2],
          "under way": ["pending", 1, LATER, null]
        }
        expect(yield* stand).toEqual(ended)
        for (const name of ["delivered", "abandoned"]) {
          yield* outbox.retry(held(name), NOW + 9, "too late")
          yield* outbox.abandon(held(name), NOW + 9, "too late")
        }
        expect(yield* stand).toEqual(ended)
        expect(yield* taken({ now: NOW + 4_999 })).toEqual([])
        expect(yield* taken({ now: NOW + 5_000, leaseUntil: LATER + 5_000 })).toEqual(["failed"])
        expect(yield* taken({ now: LATER })).toEqual(["under way"])
      })
    )

    it.effect("hastens what no clock of now can have written, and neither an attempt nor a pause", () =>
      Effect.gen(function* () {
        yield* emptied
        const outbox = yield* WebhookOutbox
        for (const name of ["under way", "pause", "too long", "ended"]) yield* wait(name)
        yield* taken()
        yield* outbox.retry(held("pause"), NOW + LONGEST_WAIT, "status 500")
        yield* outbox.retry(held("too long"), NOW + LONGEST_WAIT + 1, "status 500")
        yield* outbox.delivered(held("ended"), NOW + 1)
        yield* wait("untried", "shop.example", NOW + 3_600_000)
        yield* wait("due", "shop.example", NOW - 5)
        const before = yield* stand
        yield* outbox.hasten(NOW)
        expect(yield* stand).toEqual({
          ...before,
          "too long": ["pending", 1, NOW, null],
          untried: ["pending", 0, NOW, null]
        })
      })
    )

    it.effect("sends again what belongs to a checkout, and nothing else", () =>
      Effect.gen(function* () {
        yield* emptied
        const outbox = yield* WebhookOutbox
        for (const name of ["one", "two"]) yield* wait(name)
        yield* taken()
        for (const name of ["one", "two"]) yield* outbox.delivered(held(name), NOW + 1)
        const before = yield* stand
        expect(yield* outbox.replay("chk_two", "one", NOW + 2)).toBe(false)
        expect(yield* outbox.replay("chk_one", "nothing", NOW + 2)).toBe(false)
        expect(yield* stand).toEqual(before)
        expect(yield* outbox.replay("chk_one", "one", NOW + 2)).toBe(true)
        expect(yield* stand).toEqual({ ...before, one: ["pending", 0, NOW + 2, null] })
      })
    )

    it.effect(
      "hears nothing of an attempt whose event was asked for again, or taken by another, meanwhile",
      () =>
        Effect.gen(function* () {
          yield* emptied
          const outbox = yield* WebhookOutbox
          const names = ["delivered", "failed", "abandoned"]
          for (const name of names) yield* wait(name)
          yield* taken()
          for (const name of names) yield* outbox.replay(`chk_${name}`, name, NOW + 1)
          const late = Effect.gen(function* () {
            yield* outbox.delivered(held("delivered"), NOW + 2)
            yield* outbox.retry(held("failed"), NOW + 86_400_000, "status 500")
            expect(yield* outbox.abandon(held("abandoned"), NOW + 2, "status 410")).toBe(false)
          })
          yield* late
          const due = ["pending", 0, NOW + 1, null]
          expect(yield* stand).toEqual({ delivered: due, failed: due, abandoned: due })
          yield* taken({ now: NOW + 3, leaseUntil: LATER + 3 })
          yield* late
          const again = ["pending", 1, LATER + 3, null]
          expect(yield* stand).toEqual({ delivered: again, failed: again, abandoned: again })
          expect(yield* outbox.abandon(held("abandoned", LATER + 3), NOW + 4, "status 410")).toBe(true)
        })
    )

    /** Thousands of events that wait for one host, each since a time of its own, a millisecond apart. */
    const backlog = (name: string, host: string, since: number) =>
      Effect.flatMap(SqlClient.SqlClient, (sql) => {
        const numbers = sql.literal(
          "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)"
        )
        return sql`INSERT INTO webhook_deliveries (id, checkout_id, state, url, host, secret, body, attempts, created_at, next_at)
          ${numbers} SELECT ${name} || n, 'chk', 'pending', 'https://x/', ${host}, NULL, '{}', 0, CAST(${since} AS BIGINT) + n, CAST(${since} AS BIGINT) + n
          FROM numbers`
      })

    it.effect("finds what is due behind and before thousands that wait for another host", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* backlog("older", "dead.example", NOW - 20_000)
        yield* wait("between", "shop.example", NOW - 15_000)
        yield* backlog("newer", "dead.example", NOW - 10_000)
        yield* wait("new", "other.example", NOW)
        const look = { perHost: 2, limit: 10_000 }
        expect(yield* taken(look)).toEqual(["new", "newer2490", "newer2491"])
        expect(yield* taken({ ...look, back: 751 })).toContain("between")
        yield* wait("also between", "shop.example", NOW - 15_000)
        expect(yield* taken({ ...look, busyHosts: ["dead.example"] })).toEqual(["also between"])
      })
    )

    it.effect("leaves alone whose host has enough under way", () =>
      Effect.gen(function* () {
        yield* emptied
        yield* wait("busy", "busy.example")
        yield* wait("idle", "idle.example")
        expect(yield* taken({ busyHosts: ["busy.example"] })).toEqual(["idle"])
        expect(yield* taken()).toEqual(["busy"])
      })
    )

    it.effect("forgets what ended before a time, and never what waits", () =>
      Effect.gen(function* () {
        yield* emptied
        const outbox = yield* WebhookOutbox
        for (const name of ["delivered", "abandoned", "later", "waiting"])
          yield* wait(name, "shop.example", NOW - 1_000)
        yield* outbox.delivered(held("delivered", NOW - 1_000), NOW - 1)
        yield* outbox.abandon(held("abandoned", NOW - 1_000), NOW - 1, "status 410")
        yield* outbox.delivered(held("later", NOW - 1_000), NOW)
        yield* outbox.purge(NOW)
        expect(Object.keys(yield* stand).toSorted()).toEqual(["later", "waiting"])
      })
    )
  })
})
