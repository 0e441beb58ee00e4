import { Effect, Schema } from "effect"
import { UpstreamError } from "../../domain/errors.ts"
import { PaymentRequirements, SettlementResponse, X402_VERSION } from "../../domain/x402.ts"
import { parsePaymentObject } from "../message/parse-payment.ts"
import type { SettleablePayment } from "../message/payment.ts"
import { VoidProof } from "../outcome.ts"
import { VerifiedPayment } from "../verifier/verified-payment.ts"
import type { Driven, LedgerEntry } from "./ledger.ts"

/** One row of `payments` as both dialects return it; PostgreSQL gives a BIGINT as text. */
export interface PaymentRow {
  readonly authorization_key: string
  readonly fingerprint: string
  readonly state: "claimed" | "settling" | "settled" | "refused"
  readonly watched: number
  readonly payer: string
  readonly since: number | string
  readonly payload: string | null
  readonly requirements: string | null
  readonly answer: string | null
  readonly settlement: string | null
  readonly transaction_id: string | null
  readonly reason: string | null
  /** Whether the lease is over, by the database's clock. */
  readonly lapsed: boolean | number
}

/** Canonical JSON of a payment: what is signed and the signatures, none of the client's spelling around it. */
export const encodePayload = (payment: SettleablePayment): string =>
  JSON.stringify(payment.scheme === "eip3009" ? payment.evm : payment.svm)

const decodeRequirements = Schema.decode(Schema.parseJson(PaymentRequirements))
const decodeJson = Schema.decode(Schema.parseJson())
const decodeSettlement = Schema.decode(Schema.parseJson(SettlementResponse))

/** JSON of a proof as it is stored beside its reason. */
export const encodeProof = Schema.encodeSync(Schema.parseJson(VoidProof))

/** A sold answer that is still kept. */
export interface BoughtRow {
  readonly answer: string
  readonly settlement: string
}

export const decodeBought = ({ answer, settlement }: BoughtRow) =>
  decodeSettlement(settlement).pipe(
    Effect.mapBoth({
      onSuccess: (settled) => ({ answer, settlement: settled }),
      onFailure: () =>
        new UpstreamError({ upstream: "database", kind: "malformed", detail: "a settlement cannot be read" })
    })
  )

const corrupt = (key: string) =>
  new UpstreamError({ upstream: "database", kind: "malformed", detail: `payment ${key} cannot be read` })

const decodeDriven = Effect.fnUntraced(function* (row: PaymentRow) {
  const { answer, authorization_key: authorizationKey } = row
  if (answer === null) return yield* corrupt(authorizationKey)
  const requirements = yield* decodeRequirements(row.requirements ?? "")
  const payload = yield* decodeJson(row.payload ?? "")
  const payment = yield* parsePaymentObject({ x402Version: X402_VERSION, accepted: requirements, payload })
  if (payment.scheme === "unsupported") return yield* corrupt(authorizationKey)
  const verified = VerifiedPayment.recorded({ payment, requirements }, row.payer)
  const driven: Driven = {
    authorizationKey,
    verified,
    answer,
    transaction: row.transaction_id,
    since: Number(row.since)
  }
  return driven
})

/** A settled row whose payload is still kept, as what would settle it again. */
export const decodeSettled = (row: PaymentRow): Effect.Effect<Driven, UpstreamError> =>
  Effect.mapError(decodeDriven(row), () => corrupt(row.authorization_key))

/** What a row says. A row that cannot be read is an outage of the ledger, never a free authorization. */
export const decodeRow = (row: PaymentRow): Effect.Effect<LedgerEntry, UpstreamError> =>
  Effect.gen(function* () {
    const common = {
      authorizationKey: row.authorization_key,
      fingerprint: row.fingerprint,
      payer: row.payer,
      payload: row.payload ?? ""
    }
    switch (row.state) {
      case "claimed":
        return { ...common, state: row.state, lapsed: Boolean(row.lapsed), since: Number(row.since) }
      case "settling":
        return { ...common, ...(yield* decodeDriven(row)), state: row.state }
      case "settled": {
        if (row.answer === null || row.settlement === null) {
          return { ...common, state: row.state, sold: undefined }
        }
        const settlement = yield* decodeSettlement(row.settlement)
        return { ...common, state: row.state, sold: { answer: row.answer, settlement } }
      }
      case "refused": {
        const driven = row.watched === 1 ? yield* decodeDriven(row) : undefined
        return { ...common, state: row.state, reason: row.reason ?? "", driven }
      }
    }
  }).pipe(Effect.mapError(() => corrupt(row.authorization_key)))
