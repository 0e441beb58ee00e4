import { HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Schema } from "effect"
import type { ContractError, RateLimit } from "../api/errors.ts"
import { CONTRACT_ERRORS, PaymentRequiredError } from "../api/errors.ts"
import type { SettlementResponse } from "../domain/x402.ts"

type Headers = Readonly<Record<string, string>>

export const isContractError = (error: unknown): error is ContractError =>
  CONTRACT_ERRORS.some((known) => error instanceof known)

const STATUS: ReadonlyMap<unknown, number> = new Map(
  CONTRACT_ERRORS.map((known) => [known, HttpApiSchema.getStatusError(known)])
)

export const statusOf = (error: ContractError): number => STATUS.get(error.constructor) ?? 500

const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64")

/** A body that is JSON text already; nothing a payer bought may sit in a shared cache. */
export const jsonText = (body: string, status: number, headers: Headers = {}) =>
  HttpServerResponse.text(body, {
    status,
    contentType: "application/json",
    headers: { "cache-control": "private, no-store", ...headers }
  })

/** `PAYMENT-RESPONSE`: the receipt of a settled payment, or the reason of a refused one. */
export const receipt = (settlement: SettlementResponse): Headers => ({
  "payment-response": base64(JSON.stringify(settlement))
})

/** `Retry-After` and the `RateLimit` fields. Source: draft-ietf-httpapi-ratelimit-headers-10, RFC 9651 items. */
const limitHeaders = (seconds: number | undefined, limit?: RateLimit): Headers => ({
  ...(seconds === undefined ? {} : { "retry-after": String(seconds) }),
  ...(limit === undefined
    ? {}
    : {
        "ratelimit-policy": `"${limit.policy}";q=${limit.quota};w=${limit.windowSeconds}`,
        ratelimit: `"${limit.policy}";r=0;t=${seconds ?? limit.windowSeconds}`
      })
})

const CLOSE: Headers = { connection: "close" }

const headersOf = (error: ContractError): Headers => {
  switch (error._tag) {
    case "MethodNotAllowed":
      return { allow: error.allow.join(", ") }
    case "TooManyRequests":
      return {
        ...limitHeaders(error.retryAfterSeconds, error.rateLimit),
        ...(error.endsConnection ? CLOSE : {}),
        ...(error.refusal === undefined ? {} : receipt(error.refusal))
      }
    case "Unavailable":
      return {
        ...limitHeaders(error.retryAfterSeconds, error.rateLimit),
        ...(error.endsConnection ? CLOSE : {})
      }
    case "Unauthorized":
      return { "www-authenticate": 'Bearer realm="merchant"' }
    case "RequestTimeout":
      return CLOSE
    case "PayloadTooLarge":
      return error.endsConnection ? CLOSE : {}
    default:
      return {}
  }
}

const encodeChallenge = Schema.encodeSync(Schema.parseJson(PaymentRequiredError))

/** 402 with the same JSON in body and header. */
const challenge = (error: PaymentRequiredError) => {
  const json = encodeChallenge(error)
  return jsonText(json, statusOf(error), {
    "payment-required": base64(json),
    "cache-control": "no-store",
    ...(error.refusal === undefined ? {} : receipt(error.refusal))
  })
}

/** An error of the contract on the wire: status by its annotation, `{ "error" }`, and the headers it carries. */
export const respond = (error: ContractError) =>
  error._tag === "PaymentRequiredError"
    ? challenge(error)
    : jsonText(JSON.stringify({ error: error.error }), statusOf(error), headersOf(error))
