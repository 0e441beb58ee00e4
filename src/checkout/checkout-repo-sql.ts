import { SqlClient } from "@effect/sql"
import { Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import { SettlementResponse } from "../domain/x402.ts"
import { narrowSql } from "../storage/sql-errors.ts"
import type { Checkout, Paid } from "./checkout.ts"
import type { Insertion, OutboxMessage } from "./checkout-repo.ts"
import { CheckoutRepo } from "./checkout-repo.ts"
import { columnsOf, manyCheckouts, oneCheckout, toCheckouts, toTransfers } from "./checkout-rows.ts"
import { makeCounters } from "./counters.ts"
import type { Transfer } from "./journal.ts"
import { REST_MILLIS } from "./receiving-accounts.ts"
import { hostOf } from "./webhooks/url.ts"

/** Rows one sweep ends or looks at; the next sweep takes the rest. */
const BATCH = 100

const encodeSettlement = Schema.encodeSync(Schema.parseJson(SettlementResponse))

/** Ends a transaction that must not leave anything behind. */
class NotInserted extends Data.TaggedError("NotInserted")<{
  readonly outcome: Exclude<Insertion, { readonly _tag: "inserted" }>
}> {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const counters = yield* makeCounters

  const post = (checkout: Checkout, now: number) => (message: OutboxMessage) =>
    checkout.webhook === null
      ? Effect.void
      : sql`INSERT INTO webhook_deliveries ${sql.insert({
          id: message.id,
          checkout_id: checkout.id,
          state: "pending",
          url: checkout.webhook.url,
          host: hostOf(new URL(checkout.webhook.url)),
          secret: checkout.webhook.secret === null ? null : Redacted.value(checkout.webhook.secret),
          body: message.body,
          attempts: 0,
          created_at: now,
          next_at: now
        })} ON CONFLICT (id) DO NOTHING`.pipe(Effect.asVoid)

  const byKey = (key: string) => oneCheckout(sql`SELECT * FROM checkouts WHERE idempotency_key = ${key}`)

  /** Nobody looked at the account any more, and nothing from before can pay what is new. */
  const forgotten = (now: number) => sql`receiving_accounts.watch_until < ${now - REST_MILLIS}`

  const watchAccount = ({ createdAt, expiresAt, merchant, terms }: Checkout) =>
    terms.network === SOLANA_NETWORK
      ? sql`INSERT INTO receiving_accounts (owner, watch_from, watch_until, looked_at, scanned_to)
          VALUES (${merchant}, ${createdAt}, ${expiresAt}, 0, 0)
          ON CONFLICT (owner) DO UPDATE SET
            watch_from = CASE WHEN ${forgotten(createdAt)} THEN ${createdAt} ELSE receiving_accounts.watch_from END,
            cursor = CASE WHEN ${forgotten(createdAt)} THEN NULL ELSE receiving_accounts.cursor END,
            watch_until = CASE WHEN receiving_accounts.watch_until > ${expiresAt}
              THEN receiving_accounts.watch_until ELSE ${expiresAt} END`
      : Effect.void

  const insert: CheckoutRepo["Type"]["insert"] = Effect.fn("CheckoutRepo.insert")(
    function* (checkout, limits) {
      const { caller, createdAt } = checkout
      const limited = (by: "created" | "open") => new NotInserted({ outcome: { _tag: "limited", by } })
      const rows = yield* sql`INSERT INTO checkouts ${sql.insert(columnsOf(checkout))}
        ON CONFLICT (idempotency_key) DO NOTHING RETURNING id`
      if (rows.length === 0 && checkout.idempotencyKey !== null) {
        const earlier = yield* byKey(checkout.idempotencyKey)
        if (Option.isSome(earlier)) {
          return yield* new NotInserted({ outcome: { _tag: "earlier", checkout: earlier.value } })
        }
      }
      if (!(yield* counters.take(caller, "created", createdAt, limits.createsPerMinute)))
        return yield* limited("created")
      if (!(yield* counters.take(caller, "open", createdAt, limits.maxOpen))) return yield* limited("open")
      for (const reference of checkout.references) {
        yield* sql`INSERT INTO checkout_references ${sql.insert({ reference, checkout_id: checkout.id })}`
      }
      yield* watchAccount(checkout)
      return { _tag: "inserted" } as const
    },
    sql.withTransaction,
    Effect.catchTag("NotInserted", ({ outcome }) => Effect.succeed(outcome)),
    narrowSql
  )

  const find = Effect.fn("CheckoutRepo.find")((id: string) =>
    narrowSql(oneCheckout(sql`SELECT * FROM checkouts WHERE id = ${id}`))
  )

  const findByReferences = Effect.fn("CheckoutRepo.findByReferences")((references: ReadonlyArray<string>) =>
    references.length === 0
      ? Effect.succeed([])
      : narrowSql(
          manyCheckouts(sql`SELECT * FROM checkouts WHERE id IN
            (SELECT checkout_id FROM checkout_references WHERE ${sql.in("reference", references)})`)
        )
  )

  const list: CheckoutRepo["Type"]["list"] = Effect.fn("CheckoutRepo.list")(({
    before,
    caller,
    limit,
    memo,
    status
  }) => {
    const conditions = [
      sql`caller = ${caller}`,
      ...(status === null ? [] : [sql`status = ${status}`]),
      // The text is looked for as it is: `%` and `_` in it mean themselves.
      ...(memo === null ? [] : [sql`terms LIKE ${`%"memo":"%${escapeLike(memo)}%`} ESCAPE '!'`]),
      ...(before === null
        ? []
        : [
            sql`(created_at < ${before.createdAt} OR (created_at = ${before.createdAt} AND id < ${before.id}))`
          ])
    ]
    return narrowSql(
      manyCheckouts(
        sql`SELECT * FROM checkouts WHERE ${sql.and(conditions)} ORDER BY created_at DESC, id DESC LIMIT ${limit}`
      )
    )
  })

  const bind: CheckoutRepo["Type"]["bind"] = Effect.fn("CheckoutRepo.bind")((id, payment) =>
    narrowSql(
      oneCheckout(sql`UPDATE checkouts SET status = 'processing', payment = ${payment.key}, attempt = ${payment.attempt},
        binding = ${payment.binding}, payload = ${payment.payload}, processing_at = ${payment.since}
      WHERE id = ${id} AND expires_at > ${payment.since}
        AND (status = 'open' OR (status = 'processing' AND payment = ${payment.key})) RETURNING *`)
    ).pipe(Effect.map(Option.isSome))
  )

  const release: CheckoutRepo["Type"]["release"] = Effect.fn("CheckoutRepo.release")((id, attempts) =>
    narrowSql(sql`UPDATE checkouts SET status = 'open', payment = NULL, attempt = NULL, binding = NULL, payload = NULL
      WHERE id = ${id} AND status = 'processing' AND ${sql.in("attempt", attempts)}`).pipe(Effect.asVoid)
  )

  const end = (checkout: Checkout, now: number) =>
    checkout.status === "open" || checkout.status === "processing"
      ? counters.add(checkout.caller, "open", now, -1)
      : Effect.void

  const markPaid = Effect.fnUntraced(function* (checkout: Checkout, paid: Paid) {
    if (checkout.status === "paid") return
    yield* sql`UPDATE checkouts SET status = 'paid', payment = ${paid.paymentKey}, receipt = ${paid.receipt},
        settlement = ${encodeSettlement(paid.settlement)}, paid_at = ${paid.at} WHERE id = ${checkout.id}`
    yield* end(checkout, paid.at)
    yield* counters.add(checkout.caller, "paid", paid.at, 1)
  })

  const transfersOf = (id: string) =>
    Effect.flatMap(sql`SELECT * FROM checkout_transfers WHERE checkout_id = ${id}`, toTransfers)

  /** The row is locked before it is read: PostgreSQL lets others change what was only looked at. */
  const lock = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE`, orElse: () => sql`` })

  const current = (id: string) =>
    Effect.flatMap(
      oneCheckout(sql`SELECT * FROM checkouts WHERE id = ${id} ${lock}`),
      Option.match({
        onNone: () => Effect.dieMessage(`a transfer for checkout ${id}, which does not exist`),
        onSome: (checkout) => Effect.succeed(checkout)
      })
    )

  const record: CheckoutRepo["Type"]["record"] = Effect.fn("CheckoutRepo.record")(
    function* (transfer, now, conclude) {
      const isNew = yield* insertTransfer(transfer, now)
      const checkout = yield* current(transfer.checkoutId)
      if (!isNew) return checkout
      const { messages, paid } = conclude(checkout, yield* transfersOf(checkout.id))
      if (paid !== null) yield* markPaid(checkout, paid)
      yield* Effect.forEach(messages, post(checkout, now), { discard: true })
      return yield* current(checkout.id)
    },
    sql.withTransaction,
    narrowSql
  )

  const insertTransfer = (transfer: Transfer, now: number) =>
    sql`INSERT INTO checkout_transfers ${sql.insert({
      evidence: transfer.evidence,
      checkout_id: transfer.checkoutId,
      via: transfer.via,
      transaction_id: transfer.transaction,
      payer: transfer.payer,
      amount: transfer.amount.toString(),
      at: transfer.at,
      seen_at: now
    })} ON CONFLICT (evidence) DO NOTHING RETURNING evidence`.pipe(Effect.map((rows) => rows.length > 0))

  const expire: CheckoutRepo["Type"]["expire"] = Effect.fn("CheckoutRepo.expire")(
    function* (now, message) {
      // On Solana only once the merchant's account was looked through past the clock's end.
      const over = sql`status = 'open' AND expires_at <= ${now} AND (merchant NOT LIKE ${`${SOLANA_NETWORK}:%`}
        OR EXISTS (SELECT 1 FROM receiving_accounts
          WHERE owner = checkouts.merchant AND scanned_to > checkouts.expires_at))`
      const rows = yield* sql`UPDATE checkouts SET status = 'expired', expired_at = expires_at
        WHERE ${over} AND id IN (SELECT id FROM checkouts WHERE ${over} ORDER BY expires_at LIMIT ${BATCH})
        RETURNING *`
      const expired = yield* toCheckouts(rows)
      for (const checkout of expired) {
        yield* counters.add(checkout.caller, "open", now, -1)
        yield* post(checkout, now)(message(checkout))
      }
      return expired.length
    },
    sql.withTransaction,
    narrowSql
  )

  const cancel: CheckoutRepo["Type"]["cancel"] = Effect.fn("CheckoutRepo.cancel")(
    function* (id, caller, now) {
      const rows = yield* sql`UPDATE checkouts SET status = 'cancelled', cancelled_at = ${now}
        WHERE id = ${id} AND caller = ${caller} AND status = 'open' RETURNING id`
      if (rows.length > 0) yield* counters.add(caller, "open", now, -1)
      return rows.length > 0
    },
    sql.withTransaction,
    narrowSql
  )

  const unfinished = Effect.fn("CheckoutRepo.unfinished")((before: number) =>
    narrowSql(
      manyCheckouts(sql`SELECT * FROM checkouts WHERE status = 'processing' AND processing_at <= ${before}
        ORDER BY processing_at LIMIT ${BATCH}`)
    )
  )

  const purge = Effect.fn("CheckoutRepo.purge")(
    function* (before: number, now: number) {
      const forgotten = sql`status IN ('expired', 'cancelled') AND expires_at < ${before}
        AND NOT EXISTS (SELECT 1 FROM checkout_transfers WHERE checkout_id = checkouts.id)`
      yield* sql`DELETE FROM checkout_references WHERE checkout_id IN (SELECT id FROM checkouts WHERE ${forgotten})`
      yield* sql`DELETE FROM checkouts WHERE ${forgotten}`
      yield* counters.purge(now)
    },
    sql.withTransaction,
    narrowSql
  )

  return CheckoutRepo.of({
    insert,
    find,
    findByKey: (key) => narrowSql(byKey(key)),
    findByReferences,
    list,
    paidInADay: (caller, now) => narrowSql(counters.paidInADay(caller, now)),
    bind,
    release,
    record,
    transfers: (id) => narrowSql(transfersOf(id)),
    expire,
    cancel,
    unfinished,
    purge
  })
})

const escapeLike = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[!%_]/g, (character) => `!${character}`)

/** Checkouts in the service's database. */
export const CheckoutRepoSql: Layer.Layer<CheckoutRepo, never, SqlClient.SqlClient> = Layer.effect(
  CheckoutRepo,
  make
)
