import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { PaymentRequired, type SettlementResponse } from "../domain/x402.ts"

/**
 * Error bodies are exactly `{ "error": string }`. Each status has a class of its own because the API
 * encodes errors by the union of all of them: two anonymous structs would answer with each other's status. What belongs
 * into a header (when to come back, which methods there are, why a payment was refused) travels on the instance beside
 * the schema, so that it never reaches the body.
 */
const body = { error: Schema.String }

const answers = <A>(status: number, description: string) =>
  HttpApiSchema.annotations<A>({ status, description })

/** The request is invalid, or carries a malformed payment. Nothing is charged. */
export class BadRequest extends Schema.Class<BadRequest>("BadRequest")(
  body,
  answers(400, "Invalid request. Nothing is charged.")
) {
  readonly _tag = "BadRequest"
}

/** No merchant stands behind the token or the signature. Screening never asks for one. */
export class Unauthorized extends Schema.Class<Unauthorized>("Unauthorized")(
  body,
  answers(401, "The merchant token or signature is missing or not valid.")
) {
  readonly _tag = "Unauthorized"
}

/** The x402 challenge. */
export class PaymentRequiredError extends Schema.Class<PaymentRequiredError>("PaymentRequired")(
  PaymentRequired.fields,
  answers(
    402,
    "No valid payment was presented. The same challenge is in the PAYMENT-REQUIRED header, base64."
  )
) {
  readonly _tag = "PaymentRequiredError"
  /** Why the payment that came along was refused, for `PAYMENT-RESPONSE`. */
  refusal: SettlementResponse | undefined
  static of(challenge: PaymentRequired, refusal?: SettlementResponse): PaymentRequiredError {
    const error = new PaymentRequiredError(challenge, { disableValidation: true })
    error.refusal = refusal
    return error
  }
}

/** The caller's web origin is not allowed here. */
export class Forbidden extends Schema.Class<Forbidden>("Forbidden")(body, answers(403, "Not allowed.")) {
  readonly _tag = "Forbidden"
}

/** No pool of the token exists, or there is nothing under this id. Nothing is charged. */
export class NotFound extends Schema.Class<NotFound>("NotFound")(
  body,
  answers(404, "Unknown. Nothing is charged.")
) {
  readonly _tag = "NotFound"
}

export class MethodNotAllowed extends Schema.Class<MethodNotAllowed>("MethodNotAllowed")(
  body,
  answers(405, "The path has other methods; see Allow.")
) {
  readonly _tag = "MethodNotAllowed"
  /** The path's methods, for `Allow`. */
  allow: ReadonlyArray<string> = []
  static of(allow: ReadonlyArray<string>): MethodNotAllowed {
    const error = new MethodNotAllowed({ error: `method not allowed: this path takes ${allow.join(", ")}` })
    error.allow = allow
    return error
  }
}

/** The request did not arrive whole in time. */
export class RequestTimeout extends Schema.Class<RequestTimeout>("RequestTimeout")(
  body,
  answers(408, "The body took too long to arrive.")
) {
  readonly _tag = "RequestTimeout"
}

export class Conflict extends Schema.Class<Conflict>("Conflict")(
  body,
  answers(409, "In conflict with an earlier request. Nothing is charged.")
) {
  readonly _tag = "Conflict"
}

export class Gone extends Schema.Class<Gone>("Gone")(body, answers(410, "Expired. Nothing is charged.")) {
  readonly _tag = "Gone"
}

export class PayloadTooLarge extends Schema.Class<PayloadTooLarge>("PayloadTooLarge")(
  body,
  answers(413, "The body is too large.")
) {
  readonly _tag = "PayloadTooLarge"
  /** The connection ends with this answer. */
  endsConnection = false
  static of(maxBytes: number, endsConnection: boolean): PayloadTooLarge {
    const error = new PayloadTooLarge({ error: `body: must be at most ${maxBytes} bytes` })
    error.endsConnection = endsConnection
    return error
  }
}

export class UnsupportedMediaType extends Schema.Class<UnsupportedMediaType>("UnsupportedMediaType")(
  body,
  answers(415, "The body must be application/json.")
) {
  readonly _tag = "UnsupportedMediaType"
}

/** How much of a limit is left, in the terms of the IETF draft's `RateLimit` fields. */
export interface RateLimit {
  /** Name of the limit. */
  readonly policy: string
  /** Requests it admits at most within `windowSeconds`. */
  readonly quota: number
  readonly windowSeconds: number
}

/** When to come back: whole seconds, for `Retry-After`, and the limit that was reached, where there is one. */
type When = readonly [retryAfterSeconds: number, rateLimit?: RateLimit]

const comeBack = <E extends { retryAfterSeconds: number | undefined; rateLimit: RateLimit | undefined }>(
  error: E,
  ...[retryAfterSeconds, rateLimit]: When
): E => {
  error.retryAfterSeconds = retryAfterSeconds
  error.rateLimit = rateLimit
  return error
}

export class TooManyRequests extends Schema.Class<TooManyRequests>("TooManyRequests")(
  body,
  answers(
    429,
    "Too many requests; this one is not charged. Repeat it after Retry-After seconds, with the same payment if it carried one."
  )
) {
  readonly _tag = "TooManyRequests"
  retryAfterSeconds: number | undefined
  rateLimit: RateLimit | undefined
  /** The connection ends with this answer. */
  endsConnection = false
  /** For `PAYMENT-RESPONSE`, where it is certain that the payment which came along was not sent. */
  refusal: SettlementResponse | undefined
  static after(error: string, ...when: When): TooManyRequests {
    return comeBack(new TooManyRequests({ error }), ...when)
  }
}

export class InternalError extends Schema.Class<InternalError>("InternalError")(
  body,
  answers(500, "Unexpected failure.")
) {
  readonly _tag = "InternalError"
}

/**
 * Something the answer needs is out of reach, or the outcome of a settlement is not known yet. Send the same request
 * with the same payment again after `Retry-After` seconds; never sign a second payment.
 */
export class Unavailable extends Schema.Class<Unavailable>("Unavailable")(
  body,
  answers(
    503,
    "Repeat the request after Retry-After seconds, with the same payment if it carried one. Never sign a new one."
  )
) {
  readonly _tag = "Unavailable"
  retryAfterSeconds: number | undefined
  rateLimit: RateLimit | undefined
  /** The connection ends with this answer. */
  endsConnection = false
  static after(error: string, ...when: When): Unavailable {
    return comeBack(new Unavailable({ error }), ...when)
  }
}

/** How the body of a request may fail to be read, whatever stands in it. */
export const UnreadBody = Schema.Union(RequestTimeout, PayloadTooLarge, UnsupportedMediaType)

/** What every endpoint may answer. */
export const AnyFailure = Schema.Union(BadRequest, TooManyRequests, InternalError, Unavailable)

/** What every paid operation may answer instead of a result. */
export const NotSold = Schema.Union(
  BadRequest,
  PaymentRequiredError,
  NotFound,
  Conflict,
  TooManyRequests,
  InternalError,
  Unavailable
)

/** Every error of the contract. Its status stands in its annotation and nowhere else. */
export const CONTRACT_ERRORS = [
  BadRequest,
  Conflict,
  Forbidden,
  Gone,
  InternalError,
  MethodNotAllowed,
  NotFound,
  PayloadTooLarge,
  PaymentRequiredError,
  RequestTimeout,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UnsupportedMediaType
] as const

export type ContractError = InstanceType<(typeof CONTRACT_ERRORS)[number]>
