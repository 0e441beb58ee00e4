import {
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "@effect/platform"
import { Duration, Effect, Option, Redacted, Schedule, Schema, Stream } from "effect"
import { readBounded } from "../../../domain/bounded-body.ts"
import { parseBounded } from "../../../domain/bounded-json.ts"
import { UpstreamError } from "../../../domain/errors.ts"
import { type PaymentRequirements, SettlementResponse, X402_VERSION } from "../../../domain/x402.ts"
import type { SettleablePayment } from "../../message/payment.ts"

/** Answer of `/verify`. Source: x402 specification v2, facilitator interface. */
const VerifyResponse = Schema.Struct({
  isValid: Schema.Boolean,
  invalidReason: Schema.optional(Schema.NullOr(Schema.String)),
  payer: Schema.optional(Schema.NullOr(Schema.String))
})

const SupportedResponse = Schema.Struct({
  kinds: Schema.Array(
    Schema.Struct({
      x402Version: Schema.Number,
      scheme: Schema.String,
      network: Schema.String,
      extra: Schema.optional(Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown })))
    })
  )
})

const VERIFY_TIMEOUT = Duration.seconds(8)
/** A facilitator waits for the chain inside `/settle`. */
const SETTLE_TIMEOUT = Duration.seconds(75)

/**
 * Whether an answer under this status is about what was asked. A facilitator in trouble, or one that does not let us in or is
 * asked too much, may say so in the words of a refusal: the payment is not what it refuses.
 */
const isAboutQuestion = (status: number): boolean => status < 500 && ![401, 403, 408, 429].includes(status)

const upstream = (kind: UpstreamError["kind"], detail: string) =>
  new UpstreamError({ upstream: "facilitator", kind, detail })

const transport = (error: HttpClientError.HttpClientError) => upstream("transport", error.reason)

/** A facilitator of every network there is names its kinds in a few kilobytes. */
const MAX_BODY_BYTES = 256 * 1_024

/** The JSON of an answer. Whoever sends more than that, or without end, has not answered. */
const bodyOf = ({ stream }: HttpClientResponse.HttpClientResponse): Effect.Effect<unknown, UpstreamError> =>
  readBounded(Stream.mapError(stream, transport), MAX_BODY_BYTES, () =>
    upstream("malformed", `body of more than ${MAX_BODY_BYTES} bytes`)
  ).pipe(
    Effect.flatMap((text) =>
      Effect.try({
        try: () => parseBounded(text),
        catch: () => upstream("transport", "body is not JSON, too deep or too long")
      })
    )
  )

/** x402's message, written anew from what we parsed and from our own terms: never the client's bytes. */
const message = (payment: SettleablePayment, requirements: PaymentRequirements) => {
  const { resource, extensions } = payment.envelope
  return {
    x402Version: X402_VERSION,
    paymentPayload: {
      x402Version: X402_VERSION,
      ...(resource === undefined ? {} : { resource }),
      accepted: requirements,
      payload: payment.scheme === "eip3009" ? payment.evm : payment.svm,
      ...(extensions === undefined ? {} : { extensions })
    },
    paymentRequirements: requirements
  }
}

/** A remote x402 facilitator at `url` (no trailing slash). Every answer is decoded; a status alone says nothing. */
export const makeFacilitator = (url: string, authorization: Option.Option<Redacted.Redacted>) =>
  Effect.map(HttpClient.HttpClient, (client) => {
    const authorized = (request: HttpClientRequest.HttpClientRequest) =>
      Option.match(authorization, {
        onNone: () => request,
        onSome: (value) => HttpClientRequest.setHeader(request, "authorization", Redacted.value(value))
      })

    const send = <A, I>(
      request: HttpClientRequest.HttpClientRequest,
      schema: Schema.Schema<A, I>,
      timeout: Duration.Duration,
      isRead: (status: number) => boolean = () => true
    ) => {
      const read = (response: HttpClientResponse.HttpClientResponse) => {
        const { status } = response
        const unread = upstream(status === 429 ? "rate-limited" : "malformed", `status ${status}`)
        const decode = Schema.decodeUnknown(schema)
        return Effect.flatMap(bodyOf(response), (body) =>
          isRead(status) ? Effect.mapError(decode(body), () => unread) : unread
        )
      }
      return client
        .execute(authorized(request))
        .pipe(
          Effect.mapError(transport),
          Effect.flatMap(read),
          Effect.scoped,
          Effect.timeoutFail({ duration: timeout, onTimeout: () => upstream("timeout", "no answer in time") })
        )
    }

    const post = (path: string, payment: SettleablePayment, requirements: PaymentRequirements) =>
      HttpClientRequest.bodyUnsafeJson(
        HttpClientRequest.post(`${url}${path}`),
        message(payment, requirements)
      )

    const patiently = Schedule.exponential("200 millis").pipe(Schedule.intersect(Schedule.recurs(2)))

    return {
      /** Moves nothing, so it may be asked again. */
      verify: (payment: SettleablePayment, requirements: PaymentRequirements) =>
        send(post("/verify", payment, requirements), VerifyResponse, VERIFY_TIMEOUT, isAboutQuestion).pipe(
          Effect.retry({
            schedule: patiently,
            while: ({ kind }) => kind === "transport" || kind === "rate-limited"
          })
        ),
      /**
       * Asked once: what a lost reply said is learnt from the chain. Whatever the status, its answer is a hint where to look.
       */
      settle: (payment: SettleablePayment, requirements: PaymentRequirements) =>
        send(post("/settle", payment, requirements), SettlementResponse, SETTLE_TIMEOUT),
      supported: send(HttpClientRequest.get(`${url}/supported`), SupportedResponse, VERIFY_TIMEOUT).pipe(
        Effect.retry(patiently)
      )
    }
  })

export type Facilitator = Effect.Effect.Success<ReturnType<typeof makeFacilitator>>
