import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Redacted, Schema } from "effect"
import { CheckoutMetadata, CheckoutTerms } from "../domain/checkout.ts"
import { SettlementResponse } from "../domain/x402.ts"
import type { Checkout } from "./checkout.ts"
import type { NewCheckout } from "./checkout-repo.ts"
import { checkoutOf, CheckoutRow, TransferRow } from "./checkout-row.ts"

const encodeTerms = Schema.encodeSync(Schema.parseJson(CheckoutTerms))
/** JSON of a settlement as it is stored beside its receipt. */
export const encodeSettlement = Schema.encodeSync(Schema.parseJson(SettlementResponse))
const encodeMetadata = Schema.encodeSync(Schema.parseJson(CheckoutMetadata))
const decodeRow = Schema.decodeUnknown(CheckoutRow)
const decodeTransfers = Schema.decodeUnknown(Schema.Array(TransferRow))

type Query = Effect.Effect<ReadonlyArray<object>, SqlError>

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

export const toCheckouts = Effect.forEach(toCheckout)

/** The first row of a query as a checkout. */
export const oneCheckout = (query: Query) =>
  Effect.flatMap(query, ([row]) => (row === undefined ? Effect.succeedNone : Effect.asSome(toCheckout(row))))

export const manyCheckouts = (query: Query) => Effect.flatMap(query, toCheckouts)

export const toTransfers = (rows: ReadonlyArray<object>) => Effect.orDie(decodeTransfers(rows))

/** Columns of a checkout that was just created. */
export const columnsOf = (checkout: NewCheckout) => ({
  id: checkout.id,
  status: checkout.status,
  merchant: checkout.merchant,
  caller: checkout.caller,
  terms: encodeTerms(checkout.terms),
  created_at: checkout.createdAt,
  expires_at: checkout.expiresAt,
  idempotency_key: checkout.idempotencyKey,
  request_digest: checkout.requestDigest,
  webhook_url: checkout.webhook?.url ?? null,
  webhook_secret:
    checkout.webhook === null || checkout.webhook.secret === null
      ? null
      : Redacted.value(checkout.webhook.secret),
  metadata: checkout.metadata === null ? null : encodeMetadata(checkout.metadata)
})
