import { SqlClient } from "@effect/sql"
import type { Redacted } from "effect"
import { Context, Effect, Layer, Schema } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { StoredInteger } from "../../storage/stored-integer.ts"

/**
 * One event on its way to a merchant. `attempts` counts this one. `secret` is set only for events of checkouts that
 * were created when every webhook still had a secret of its own.
 */
export interface Delivery {
  readonly id: string
  readonly checkoutId: string
  readonly url: string
  readonly host: string
  readonly secret: Redacted.Redacted | null
  readonly body: string
  readonly attempts: number
  /** Until when the event is this attempt's own; it is known by that from one that comes after it. */
  readonly leaseUntil: number
}

/** An attempt that ends. Where its event was asked for again or taken anew meanwhile, its end is nobody's. */
type Held = Pick<Delivery, "id" | "leaseUntil">

/** What a process can deliver now. Times are Unix milliseconds. */
export interface Capacity {
  readonly now: number
  /** Nobody else takes the event before this time, and after it the event is due again. */
  readonly leaseUntil: number
  readonly limit: number
  /** Events one receiver's host may have under way at once. */
  readonly perHost: number
  /** Hosts that have as many under way already. */
  readonly busyHosts: ReadonlyArray<string>
  /** How far back to look beside the newest, in thousandths of the time for which anything has waited. */
  readonly back: number
}

/**
 * Events that are looked at from the newest on, and as many from a moment on: where more are due they have their turn in
 * another look. Somebody may have made a hundred thousand for a receiver that takes none.
 */
const LOOKED_AT = 512

/** Longest wait between two attempts, in milliseconds: the last one of the schedule, and what a receiver may ask for. */
export const LONGEST_WAIT = 86_400_000

/** Events that wait for delivery, durable. */
export class WebhookOutbox extends Context.Tag("token-risk/WebhookOutbox")<
  WebhookOutbox,
  {
    /**
     * Takes due events, first attempts first; whoever created their checkouts take turns, at each host and among all. So
     * neither dead receivers nor a stranger's many names, nor events to another's host, hold up the others.
     */
    readonly take: (capacity: Capacity) => Effect.Effect<ReadonlyArray<Delivery>, UpstreamError>
    readonly delivered: (held: Held, now: number) => Effect.Effect<void, UpstreamError>
    /** `answer` is a short word for operators, never the receiver's text. */
    readonly retry: (held: Held, at: number, answer: string) => Effect.Effect<void, UpstreamError>
    /** True: nothing more is tried. */
    readonly abandon: (held: Held, now: number, answer: string) => Effect.Effect<boolean, UpstreamError>
    /** Sends an event again that ended, or is waiting, now. False: there is no such event of this checkout. */
    readonly replay: (checkoutId: string, id: string, now: number) => Effect.Effect<boolean, UpstreamError>
    /**
     * Makes events due whose time a clock wrote that was set back since: those that nobody has tried yet, and those that
     * wait longer than any does between two attempts.
     */
    readonly hasten: (now: number) => Effect.Effect<void, UpstreamError>
    /** Forgets events that ended before a time. */
    readonly purge: (before: number) => Effect.Effect<void, UpstreamError>
  }
>() {}

const Row = Schema.Struct({
  id: Schema.String,
  checkoutId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("checkout_id")),
  url: Schema.String,
  host: Schema.String,
  secret: Schema.NullOr(Schema.Redacted(Schema.String)),
  body: Schema.String,
  attempts: Schema.Number,
  leaseUntil: Schema.propertySignature(StoredInteger).pipe(Schema.fromKey("next_at"))
})
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const take = Effect.fn("WebhookOutbox.take")(function* (capacity: Capacity) {
    const { back, now, leaseUntil, limit, perHost, busyHosts } = capacity
    const free = busyHosts.length === 0 ? sql`TRUE` : sql`NOT ${sql.in("host", busyHosts)}`
    const isFirst = sql`CASE WHEN attempts = 0 THEN 0 ELSE 1 END`
    const waiting = sql`FROM webhook_deliveries WHERE state = 'pending' AND next_at <= ${now} AND ${free}`
    const longest = sql`${now} - (SELECT MIN(next_at) FROM webhook_deliveries WHERE state = 'pending')`
    const candidates = sql`SELECT id FROM (SELECT id ${waiting} ORDER BY next_at DESC LIMIT ${LOOKED_AT}) AS newest
      UNION SELECT id FROM (SELECT id ${waiting} AND next_at >= ${now} - (${longest}) * ${back} / 1000
        ORDER BY next_at LIMIT ${LOOKED_AT}) AS earlier`
    const due = sql`SELECT id, host, attempts, next_at,
        (SELECT caller FROM checkouts WHERE checkouts.id = checkout_id) AS caller
      FROM webhook_deliveries WHERE id IN (${candidates})`
    // Whoever names many hosts, or floods another's, waits for turns of its own: a host's places go by the same turns.
    const turns = sql`SELECT due.*, ROW_NUMBER() OVER (PARTITION BY caller ORDER BY attempts, next_at) AS turn
      FROM (${due}) AS due`
    const places = sql`SELECT turns.*, ROW_NUMBER() OVER (PARTITION BY host ORDER BY ${isFirst}, turn, next_at) AS place
      FROM (${turns}) AS turns WHERE turn <= ${limit}`
    // The outer condition is checked again on the row as it stands, so two processes cannot take the same event.
    const rows =
      yield* narrowSql(sql`UPDATE webhook_deliveries SET attempts = attempts + 1, next_at = ${leaseUntil}
      WHERE state = 'pending' AND next_at <= ${now} AND id IN (SELECT id FROM (${places}) AS places WHERE place <= ${perHost}
        ORDER BY ${isFirst}, turn, next_at LIMIT ${limit}) RETURNING *`)
    return yield* Effect.orDie(decodeRows(rows))
  })

  const isHeld = ({ id, leaseUntil }: Held) =>
    sql`id = ${id} AND state = 'pending' AND next_at = ${leaseUntil}`

  const delivered = Effect.fn("WebhookOutbox.delivered")((held: Held, now: number) =>
    narrowSql(sql`UPDATE webhook_deliveries SET state = 'delivered', ended_at = ${now}, last_answer = 'accepted'
      WHERE ${isHeld(held)}`).pipe(Effect.asVoid)
  )

  const retry = Effect.fn("WebhookOutbox.retry")((held: Held, at: number, answer: string) =>
    narrowSql(sql`UPDATE webhook_deliveries SET next_at = ${at}, last_answer = ${answer}
      WHERE ${isHeld(held)}`).pipe(Effect.asVoid)
  )

  const abandon = Effect.fn("WebhookOutbox.abandon")((held: Held, now: number, answer: string) =>
    narrowSql(sql`UPDATE webhook_deliveries SET state = 'abandoned', ended_at = ${now}, last_answer = ${answer}
      WHERE ${isHeld(held)} RETURNING id`).pipe(Effect.map((rows) => rows.length > 0))
  )

  const replay = Effect.fn("WebhookOutbox.replay")((checkoutId: string, id: string, now: number) =>
    narrowSql(sql`UPDATE webhook_deliveries SET state = 'pending', attempts = 0, next_at = ${now}, ended_at = NULL
      WHERE id = ${id} AND checkout_id = ${checkoutId} RETURNING id`).pipe(
      Effect.map((rows) => rows.length > 0)
    )
  )

  const hasten = Effect.fn("WebhookOutbox.hasten")((now: number) =>
    narrowSql(sql`UPDATE webhook_deliveries SET next_at = ${now} WHERE state = 'pending' AND next_at > ${now}
      AND (attempts = 0 OR next_at > ${now + LONGEST_WAIT})`).pipe(Effect.asVoid)
  )

  const purge = Effect.fn("WebhookOutbox.purge")((before: number) =>
    narrowSql(sql`DELETE FROM webhook_deliveries WHERE state <> 'pending' AND ended_at < ${before}`).pipe(
      Effect.asVoid
    )
  )

  return WebhookOutbox.of({ take, delivered, retry, abandon, replay, hasten, purge })
})

/** The outbox in the service's database. */
export const WebhookOutboxLive = Layer.effect(WebhookOutbox, make)
