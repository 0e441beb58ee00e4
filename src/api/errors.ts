import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { PaymentRequired } from "../domain/x402.ts"

/**
 * Error bodies are exactly `{ "error": string }` (contract 2.5). Each status has a class of its own because the API
 * encodes errors by the union of all of them: two anonymous structs would answer with each other's status.
 */
const body = { error: Schema.String }

/** The request is invalid, or carries a malformed payment. Nothing is charged. */
export class BadRequest extends Schema.Class<BadRequest>("BadRequest")(
  body,
  HttpApiSchema.annotations({ status: 400, description: "Invalid request. Nothing is charged." })
) {
  readonly _tag = "BadRequest"
}

/** The challenge of contract 2.4. */
export class PaymentRequiredError extends Schema.Class<PaymentRequiredError>("PaymentRequiredError")(
  PaymentRequired.fields,
  HttpApiSchema.annotations({
    status: 402,
    description:
      "No valid payment was presented. The same challenge is in the PAYMENT-REQUIRED header, base64."
  })
) {
  readonly _tag = "PaymentRequiredError"
}

/** No pool of the token exists, or there is nothing under this id. Nothing is charged. */
export class NotFound extends Schema.Class<NotFound>("NotFound")(
  body,
  HttpApiSchema.annotations({ status: 404, description: "Unknown. Nothing is charged." })
) {
  readonly _tag = "NotFound"
}

export class MethodNotAllowed extends Schema.Class<MethodNotAllowed>("MethodNotAllowed")(
  body,
  HttpApiSchema.annotations({ status: 405, description: "The path has other methods; see Allow." })
) {
  readonly _tag = "MethodNotAllowed"
}

export class Conflict extends Schema.Class<Conflict>("Conflict")(
  body,
  HttpApiSchema.annotations({
    status: 409,
    description: "In conflict with an earlier request. Nothing is charged."
  })
) {
  readonly _tag = "Conflict"
}

export class Gone extends Schema.Class<Gone>("Gone")(
  body,
  HttpApiSchema.annotations({ status: 410, description: "Expired. Nothing is charged." })
) {
  readonly _tag = "Gone"
}

export class PayloadTooLarge extends Schema.Class<PayloadTooLarge>("PayloadTooLarge")(
  body,
  HttpApiSchema.annotations({ status: 413, description: "The body is too large." })
) {
  readonly _tag = "PayloadTooLarge"
}

export class UnsupportedMediaType extends Schema.Class<UnsupportedMediaType>("UnsupportedMediaType")(
  body,
  HttpApiSchema.annotations({ status: 415, description: "The body must be application/json." })
) {
  readonly _tag = "UnsupportedMediaType"
}

export class TooManyRequests extends Schema.Class<TooManyRequests>("TooManyRequests")(
  body,
  HttpApiSchema.annotations({
    status: 429,
    description: "Too many requests; see Retry-After. Nothing is charged."
  })
) {
  readonly _tag = "TooManyRequests"
}

export class InternalError extends Schema.Class<InternalError>("InternalError")(
  body,
  HttpApiSchema.annotations({ status: 500, description: "Unexpected failure." })
) {
  readonly _tag = "InternalError"
}

/**
 * Something the answer needs is out of reach, or the outcome of a settlement is not known yet. Send the same request
 * with the same payment again after `Retry-After` seconds; never sign a second payment.
 */
export class Unavailable extends Schema.Class<Unavailable>("Unavailable")(
  body,
  HttpApiSchema.annotations({
    status: 503,
    description:
      "Try the same request with the same payment again after Retry-After seconds. Never sign a new one."
  })
) {
  readonly _tag = "Unavailable"
}
