import { Effect, Schema } from "effect"
import { UpstreamError } from "../../domain/errors.ts"
import { PaymentRequirements, SettlementResponse, X402_VERSION } from "../../domain/x402.ts"
import type { SettleablePayment } from "../message/payment.ts"
import { parsePaymentObject } from "../message/parse-payment.ts"
import type { LedgerEntry } from "./ledger.ts"

/** One row of `payments`, as both dialects return it. */
export interface PaymentRow {
  readonly authorization_key: string
  readonly fingerprint: string
  readonly state: "claimed" | "settling" | "settled"
  /** Unix milliseconds; PostgreSQL gives a BIGINT as text. */
  readonly lease_until: number | string
  readonly payer: string
  readonly payload: string
  readonly requirements: string
  readonly answer: string | null
  readonly settlement: string | null
  readonly transaction_id: string | null
}

/** Canonical JSON of a payment: what is signed and the signatures, none of the client's spelling around it. */
export const encodePayload = (payment: SettleablePayment): string =>
  JSON.stringify(payment.scheme === "eip3009" ? payment.evm : payment.svm)

const decodeRequirements = Schema.decode(Schema.parseJson(PaymentRequirements))
const decodeJson = Schema.decode(Schema.parseJson())
const decodeSettlement = Schema.decode(Schema.parseJson(SettlementResponse))

/** JSON of a settlement as it is stored beside its answer. */
export const encodeSettlement = Schema.encodeSync(Schema.parseJson(SettlementResponse))

const corrupt = (key: string) =>
  new UpstreamError({ upstream: "database", kind: "malformed", detail: `payment ${key} cannot be read` })

const decodeSettling = Effect.fnUntraced(function* (row: PaymentRow, answer: string) {
  const requirements = yield* decodeRequirements(row.requirements)
  const payload = yield* decodeJson(row.payload)
  const payment = yield* parsePaymentObject({ x402Version: X402_VERSION, accepted: requirements, payload })
  if (payment.scheme === "unsupported") return yield* corrupt(row.authorization_key)
  return { payment, requirements, answer, transaction: row.transaction_id, state: "settling" as const }
})

/** What a row says. A row that cannot be read is an outage of the ledger, never a free authorization. */
export const decodeRow = (row: PaymentRow, now: number): Effect.Effect<LedgerEntry, UpstreamError> => {
  const common = {
    authorizationKey: row.authorization_key,
    fingerprint: row.fingerprint,
    payer: row.payer,
    payload: row.payload
  }
  if (row.state === "claimed") {
    return Effect.succeed({ ...common, state: "claimed", lapsed: Number(row.lease_until) < now })
  }
  const { answer } = row
  if (answer === null) return Effect.fail(corrupt(row.authorization_key))
  return Effect.gen(function* () {
    if (row.state === "settling") return { ...common, ...(yield* decodeSettling(row, answer)) }
    const settlement = yield* decodeSettlement(row.settlement ?? "")
    return { ...common, state: "settled" as const, answer, settlement }
  }).pipe(Effect.mapError(() => corrupt(row.authorization_key)))
}
