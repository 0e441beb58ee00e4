import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { narrowSql } from "../../storage/sql-errors.ts"
import type { CheckoutRepo, Listing } from "../checkout-repo.ts"
import { manyCheckouts, oneCheckout } from "../checkout-rows.ts"
import { transfersOn } from "./transfers.ts"

type Reading = Pick<
  CheckoutRepo["Type"],
  "find" | "findByKey" | "findByReferences" | "list" | "transfers" | "unfinished"
>

/** Unfinished payments one sweep looks at; the next sweep goes on where it ended. */
const BATCH = 100

const escapeLike = (text: string): string => text.replace(/[!%_]/g, (character) => `!${character}`)

/** The memo alone: the terms beside it hold texts of their own, which a search must not find. */
const memoOn = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql`(terms::json ->> 'memo')`,
    orElse: () => sql`(terms ->> '$.memo')`
  })

const conditionsOf = (sql: SqlClient.SqlClient, { before, caller, memo, status }: Listing) => [
  sql`caller = ${caller}`,
  ...(status === null ? [] : [sql`status = ${status}`]),
  // The text is looked for as it is: `%` and `_` in it mean themselves.
  ...(memo === null ? [] : [sql`${memoOn(sql)} LIKE ${`%${escapeLike(memo)}%`} ESCAPE '!'`]),
  ...(before === null
    ? []
    : [sql`(created_at < ${before.createdAt} OR (created_at = ${before.createdAt} AND id < ${before.id}))`])
]

/** Checkouts and their transfers as they stand. */
export const makeReading = (sql: SqlClient.SqlClient): Reading => {
  const find = Effect.fn("CheckoutRepo.find")((id: string) =>
    narrowSql(oneCheckout(sql`SELECT * FROM checkouts WHERE id = ${id}`))
  )

  const findByKey = Effect.fn("CheckoutRepo.findByKey")((key: string) =>
    narrowSql(oneCheckout(sql`SELECT * FROM checkouts WHERE idempotency_key = ${key}`))
  )

  const findByReferences = Effect.fn("CheckoutRepo.findByReferences")((references: ReadonlyArray<string>) =>
    references.length === 0
      ? Effect.succeed([])
      : narrowSql(
          manyCheckouts(sql`SELECT * FROM checkouts WHERE id IN
            (SELECT checkout_id FROM checkout_references WHERE ${sql.in("reference", references)})`)
        )
  )

  const list = Effect.fn("CheckoutRepo.list")((listing: Listing) =>
    narrowSql(
      manyCheckouts(sql`SELECT * FROM checkouts WHERE ${sql.and(conditionsOf(sql, listing))}
        ORDER BY created_at DESC, id DESC LIMIT ${listing.limit}`)
    )
  )

  const transfers = Effect.fn("CheckoutRepo.transfers")((id: string) => narrowSql(transfersOn(sql)(id)))

  const unfinished: CheckoutRepo["Type"]["unfinished"] = Effect.fn("CheckoutRepo.unfinished")((
    before,
    after
  ) => {
    const isNext =
      after === null
        ? sql`TRUE`
        : sql`(processing_at > ${after.since} OR (processing_at = ${after.since} AND id > ${after.id}))`
    return Effect.map(
      narrowSql(
        manyCheckouts(sql`SELECT * FROM checkouts WHERE status = 'processing' AND processing_at <= ${before}
            AND ${isNext} ORDER BY processing_at, id LIMIT ${BATCH}`)
      ),
      (found) => found.filter((checkout) => checkout.status === "processing")
    )
  })

  return { find, findByKey, findByReferences, list, transfers, unfinished }
}
