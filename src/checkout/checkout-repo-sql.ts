import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { CheckoutTerms } from "../domain/checkout.ts"
import { SettlementResponse } from "../domain/x402.ts"
import { narrowSql } from "../storage/sql-errors.ts"
import type { Checkout } from "./checkout.ts"
import type { NewCheckout, OutboxMessage } from "./checkout-repo.ts"
import { CheckoutRepo } from "./checkout-repo.ts"
import { checkoutOf, CheckoutRow } from "./checkout-row.ts"

/** Rows one sweep ends or looks at; the next sweep takes the rest. */
const BATCH = 100

/** A wallet may have paid in the last second, and the chain shows it late: milliseconds. */
const WATCHED_GRACE = 90_000

const encodeTerms = Schema.encodeSync(Schema.parseJson(CheckoutTerms))
const encodeSettlement = Schema.encodeSync(Schema.parseJson(SettlementResponse))
const decodeRow = Schema.decodeUnknown(CheckoutRow)
const Count = Schema.Tuple(Schema.Struct({ count: Schema.Union(Schema.Number, Schema.NumberFromString) }))
const decodeCount = Schema.decodeUnknown(Count)

/** A row that does not decode was not written by us: a defect, not an outage. */
const toCheckout = (row: unknown): Effect.Effect<Checkout> =>
  decodeRow(row).pipe(
    Effect.orDie,
    Effect.flatMap((decoded) => {
      const checkout = checkoutOf(decoded)
      return checkout === undefined
        ? Effect.dieMessage(`checkout ${decoded.id} is damaged`)
        : Effect.succeed(checkout)
    })
  )

const toCheckouts = Effect.forEach(toCheckout)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const one = (query: Effect.Effect<ReadonlyArray<object>, SqlError>) =>
    narrowSql(query).pipe(
      Effect.flatMap(([row]) => (row === undefined ? Effect.succeedNone : Effect.asSome(toCheckout(row))))
    )
  const count = (query: Effect.Effect<ReadonlyArray<object>, SqlError>) =>
    narrowSql(query).pipe(
      Effect.flatMap((rows) => Effect.orDie(decodeCount(rows))),
      Effect.map(([row]) => row.count)
    )

  const post = (checkout: Checkout, message: OutboxMessage, now: number): Effect.Effect<unknown, SqlError> =>
    checkout.webhook === null
      ? Effect.void
      : sql`INSERT INTO webhook_deliveries ${sql.insert({
          id: message.id,
          checkout_id: checkout.id,
          state: "pending",
          url: checkout.webhook.url,
          secret: Redacted.value(checkout.webhook.secret),
          body: message.body,
          attempts: 0,
          created_at: now,
          next_at: now
        })} ON CONFLICT (id) DO NOTHING`

  const findByKey = Effect.fn("CheckoutRepo.findByKey")((key: string) =>
    one(sql`SELECT * FROM checkouts WHERE idempotency_key = ${key}`)
  )

  const insert = Effect.fn("CheckoutRepo.insert")(function* (checkout: NewCheckout) {
    const inserted = yield* one(
      sql`INSERT INTO checkouts ${sql.insert({
        id: checkout.id,
        status: checkout.status,
        merchant: checkout.merchant,
        terms: encodeTerms(checkout.terms),
        created_at: checkout.createdAt,
        expires_at: checkout.expiresAt,
        idempotency_key: checkout.idempotencyKey,
        request_digest: checkout.requestDigest,
        webhook_url: checkout.webhook?.url ?? null,
        webhook_secret: checkout.webhook === null ? null : Redacted.value(checkout.webhook.secret)
      })} ON CONFLICT (idempotency_key) DO NOTHING RETURNING *`
    )
    if (Option.isSome(inserted) || checkout.idempotencyKey === null) return Option.none<Checkout>()
    return yield* findByKey(checkout.idempotencyKey)
  })

  const find = Effect.fn("CheckoutRepo.find")((id: string) =>
    one(sql`SELECT * FROM checkouts WHERE id = ${id}`)
  )

  const load: CheckoutRepo["Type"]["load"] = Effect.fn("CheckoutRepo.load")((merchant, since) =>
    Effect.all({
      open: count(sql`SELECT COUNT(*) AS count FROM checkouts WHERE merchant = ${merchant}
        AND status IN ('open', 'processing') AND expires_at > ${since.now}`),
      createdLately: count(sql`SELECT COUNT(*) AS count FROM checkouts WHERE merchant = ${merchant}
        AND created_at > ${since.created}`),
      paymentsLately: count(sql`SELECT COUNT(*) AS count FROM checkouts WHERE merchant = ${merchant}
        AND processing_at > ${since.payments}`)
    })
  )

  const bind: CheckoutRepo["Type"]["bind"] = Effect.fn("CheckoutRepo.bind")((id, payment) =>
    one(sql`UPDATE checkouts SET status = 'processing', payment = ${payment.key}, attempt = ${payment.attempt},
        binding = ${payment.binding}, payload = ${payment.payload}, processing_at = ${payment.since}
      WHERE id = ${id} AND expires_at > ${payment.since}
        AND (status = 'open' OR (status = 'processing' AND payment = ${payment.key})) RETURNING *`).pipe(
      Effect.map(Option.isSome)
    )
  )

  const release: CheckoutRepo["Type"]["release"] = Effect.fn("CheckoutRepo.release")((id, attempts) =>
    narrowSql(sql`UPDATE checkouts SET status = 'open', payment = NULL, attempt = NULL, binding = NULL, payload = NULL
      WHERE id = ${id} AND status = 'processing' AND ${sql.in("attempt", attempts)}`).pipe(Effect.asVoid)
  )

  const markPaid: CheckoutRepo["Type"]["markPaid"] = Effect.fn("CheckoutRepo.markPaid")(function* (record) {
    const write = Effect.gen(function* () {
      const rows = yield* sql`UPDATE checkouts SET status = 'paid', payment = ${record.paymentKey},
          receipt = ${record.receipt}, settlement = ${encodeSettlement(record.settlement)}, paid_at = ${record.at}
        WHERE id = ${record.id} AND status <> 'paid' RETURNING *`
      const [paid] = yield* toCheckouts(rows)
      if (paid !== undefined) yield* post(paid, record.message, record.at)
    })
    yield* narrowSql(sql.withTransaction(write))
    return yield* Effect.flatMap(
      find(record.id),
      Option.match({
        onNone: () => Effect.dieMessage(`paid checkout ${record.id} does not exist`),
        onSome: (checkout) => Effect.succeed(checkout)
      })
    )
  })

  const expire: CheckoutRepo["Type"]["expire"] = Effect.fn("CheckoutRepo.expire")((now, message) => {
    const over = sql`status = 'open' AND expires_at <= ${now}
      AND (watched_at IS NULL OR expires_at <= ${now - WATCHED_GRACE})`
    const write = Effect.gen(function* () {
      const rows = yield* sql`UPDATE checkouts SET status = 'expired', expired_at = expires_at
        WHERE ${over} AND id IN (SELECT id FROM checkouts WHERE ${over} ORDER BY expires_at LIMIT ${BATCH})
        RETURNING *`
      const expired = yield* toCheckouts(rows)
      yield* Effect.forEach(expired, (checkout) => post(checkout, message(checkout), now), { discard: true })
      return expired.length
    })
    return narrowSql(sql.withTransaction(write))
  })

  const unfinished = Effect.fn("CheckoutRepo.unfinished")((before: number) =>
    narrowSql(sql`SELECT * FROM checkouts WHERE status = 'processing' AND processing_at <= ${before}
      ORDER BY processing_at LIMIT ${BATCH}`).pipe(Effect.flatMap(toCheckouts))
  )

  const watch = Effect.fn("CheckoutRepo.watch")((id: string, now: number) =>
    narrowSql(sql`UPDATE checkouts SET watched_at = ${now} WHERE id = ${id} AND status = 'open'`).pipe(
      Effect.asVoid
    )
  )

  const watched = Effect.fn("CheckoutRepo.watched")((limit: number) =>
    narrowSql(sql`SELECT * FROM checkouts WHERE status = 'open' AND watched_at IS NOT NULL
      ORDER BY watched_at DESC LIMIT ${limit}`).pipe(Effect.flatMap(toCheckouts))
  )

  const purge = Effect.fn("CheckoutRepo.purge")((before: number) =>
    narrowSql(sql`DELETE FROM checkouts WHERE status = 'expired' AND expires_at < ${before}`).pipe(
      Effect.asVoid
    )
  )

  return CheckoutRepo.of({
    insert,
    find,
    findByKey,
    load,
    bind,
    release,
    markPaid,
    expire,
    unfinished,
    watch,
    watched,
    purge
  })
})

/** Checkouts in the service's database; migrations 0004 and 0005. */
export const CheckoutRepoSql = Layer.effect(CheckoutRepo, make)
