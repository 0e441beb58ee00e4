import { HttpServerResponse } from "@effect/platform"
import type { PaymentRejected } from "../domain/errors.ts"
import type { SettlementResponse } from "../domain/x402.ts"
import type { PreparedChallenge } from "../operations/offers.ts"

type Headers = Readonly<Record<string, string>>

/** Seconds after which a request that met an outage is worth repeating. */
const RETRY_AFTER_SECONDS = 5

const base64Json = (value: unknown): string => Buffer.from(JSON.stringify(value), "utf8").toString("base64")

/** A body that is JSON text already; nothing a payer bought may sit in a shared cache. */
export const jsonText = (body: string, status: number, headers: Headers = {}) =>
  HttpServerResponse.text(body, {
    status,
    contentType: "application/json",
    headers: { "cache-control": "private, no-store", ...headers }
  })

/** `{ "error": message }` (contract 2.5). */
export const errorBody = (status: number, message: string, headers: Headers = {}) =>
  jsonText(JSON.stringify({ error: message }), status, headers)

export const unavailable = (message: string, retryAfterSeconds = RETRY_AFTER_SECONDS) =>
  errorBody(503, message, { "retry-after": String(retryAfterSeconds) })

/** 402 with the challenge in body and header. */
export const challenge = (prepared: PreparedChallenge, headers: Headers = {}) =>
  jsonText(prepared.json, 402, {
    "payment-required": prepared.base64,
    "cache-control": "no-store",
    ...headers
  })

export const receipt = (settlement: SettlementResponse): Headers => ({
  "payment-response": base64Json(settlement)
})

/** `PAYMENT-RESPONSE` of a payment that was refused: the machine-readable reason beside a fresh challenge. */
export const refusal = (rejected: PaymentRejected): Headers => ({
  "payment-response": base64Json({
    success: false,
    errorReason: rejected.reason,
    transaction: "",
    network: rejected.network ?? "",
    ...(rejected.payer === undefined ? {} : { payer: rejected.payer })
  })
})
