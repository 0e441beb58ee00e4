import type { SqlClient } from "@effect/sql"
import { Data, Effect, Option } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { CheckoutRepo, Insertion, NewCheckout } from "../checkout-repo.ts"
import { columnsOf, oneCheckout } from "../checkout-rows.ts"
import type { Counters } from "../counters.ts"
import { REST_MILLIS } from "../watch/receiving-accounts.ts"

/** Ends a transaction that must not leave anything behind. */
class NotInserted extends Data.TaggedError("NotInserted")<{
  readonly outcome: Exclude<Insertion, { readonly _tag: "inserted" }>
}> {}

const limited = (by: "created" | "open") => new NotInserted({ outcome: { _tag: "limited", by } })

/** Watches the receiving account for what wallets send by themselves. */
const makeWatchAccount = (sql: SqlClient.SqlClient) => {
  /** The account was not watched any more, and nothing from before can pay a new checkout. */
  const forgotten = (now: number) => sql`receiving_accounts.watch_until < ${now - REST_MILLIS}`
  return ({ createdAt, expiresAt, merchant, references }: NewCheckout) =>
    references.length > 0
      ? sql`INSERT INTO receiving_accounts (owner, watch_from, watch_until, looked_at, scanned_to)
          VALUES (${merchant}, ${createdAt}, ${expiresAt}, 0, 0)
          ON CONFLICT (owner) DO UPDATE SET
            watch_from = CASE WHEN ${forgotten(createdAt)} THEN ${createdAt} ELSE receiving_accounts.watch_from END,
            cursor = CASE WHEN ${forgotten(createdAt)} THEN NULL ELSE receiving_accounts.cursor END,
            watch_until = CASE WHEN receiving_accounts.watch_until > ${expiresAt}
              THEN receiving_accounts.watch_until ELSE ${expiresAt} END`
      : Effect.void
}

/** The one way a checkout comes into being: its row, its limits, what leads to it and the watch over its account. */
export const makeCreating = (
  sql: SqlClient.SqlClient,
  counters: Counters
): Pick<CheckoutRepo["Type"], "insert"> => {
  const watchAccount = makeWatchAccount(sql)

  const insertRow = Effect.fnUntraced(function* (checkout: NewCheckout) {
    const { idempotencyKey: key } = checkout
    const rows = yield* sql`INSERT INTO checkouts ${sql.insert(columnsOf(checkout))}
      ON CONFLICT (idempotency_key) DO NOTHING RETURNING id`
    if (rows.length > 0 || key === null) return
    const earlier = yield* oneCheckout(sql`SELECT * FROM checkouts WHERE idempotency_key = ${key}`)
    if (Option.isSome(earlier))
      return yield* new NotInserted({ outcome: { _tag: "earlier", checkout: earlier.value } })
  })

  /** An order that ended long ago gives up what led to it: until then late money is still its own. */
  const lead = (reference: string, { createdAt, id }: NewCheckout) =>
    Effect.map(
      sql`INSERT INTO checkout_references ${sql.insert({ reference, checkout_id: id })}
        ON CONFLICT (reference) DO UPDATE SET checkout_id = ${id} WHERE EXISTS (SELECT 1 FROM checkouts AS earlier
          WHERE earlier.id = checkout_references.checkout_id AND earlier.status NOT IN ('open', 'processing')
          AND earlier.expires_at < ${createdAt - REST_MILLIS}) RETURNING reference`,
      (rows) => rows.length > 0
    )

  const insert: CheckoutRepo["Type"]["insert"] = Effect.fn("CheckoutRepo.insert")(
    function* (checkout, limits) {
      const { caller, createdAt } = checkout
      yield* insertRow(checkout)
      if (!(yield* counters.take(caller, "created", createdAt, limits.createsPerMinute)))
        return yield* limited("created")
      if (!(yield* counters.take(caller, "open", createdAt, limits.maxOpen))) return yield* limited("open")
      for (const reference of checkout.references) {
        if (!(yield* lead(reference, checkout))) return yield* new NotInserted({ outcome: { _tag: "taken" } })
      }
      yield* watchAccount(checkout)
      return { _tag: "inserted" } as const
    },
    sql.withTransaction,
    Effect.catchTag("NotInserted", ({ outcome }) => Effect.succeed(outcome)),
    narrowSql
  )

  return { insert }
}
