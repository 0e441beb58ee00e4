/** What the service answers, decoded: the demo trusts nothing it has not checked. */
import { Effect, Schema } from "effect"
import { Jwks } from "../../src/domain/attestation.ts"
import { PingResult } from "../../src/domain/report.ts"
import { DemoFailure } from "./checks.ts"

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>

const decode = <A, I>(schema: Schema.Schema<A, I>) => {
  const decodeUnknown = Schema.decodeUnknown(schema)
  return (value: unknown): Effect.Effect<A, DemoFailure> =>
    Effect.mapError(decodeUnknown(value), ({ message }) => new DemoFailure({ message }))
}

/** One request; anything but a JSON answer is a failure. */
export const request = (send: Fetch, url: string, init?: RequestInit): Effect.Effect<Answer, DemoFailure> =>
  Effect.tryPromise({
    try: async () => {
      const response = await send(url, init)
      const body: unknown = JSON.parse(await response.text())
      return { status: response.status, body, headers: response.headers }
    },
    catch: (cause) => new DemoFailure({ message: `no answer from ${url}: ${String(cause)}` })
  })

export const asPing = decode(PingResult)

/** The parts of a deep report the demo talks about; the attestation is checked by `verifyReport`. */
export const asReport = decode(
  Schema.Struct({
    verdict: Schema.String,
    score: Schema.Number,
    band: Schema.String,
    reasons: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String })),
    free: Schema.Boolean
  })
)

export const asRecord = decode(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

export const asChallenge = decode(
  Schema.Struct({
    x402Version: Schema.Literal(2),
    accepts: Schema.Array(Schema.Struct({ network: Schema.String, amount: Schema.String }))
  })
)

export const asJwks = decode(Jwks)

const Receipt = Schema.parseJson(
  Schema.Struct({ success: Schema.Boolean, transaction: Schema.String, network: Schema.String })
)

/** The settlement in `PAYMENT-RESPONSE`. */
export const receiptOf = ({ headers }: Answer) =>
  decode(Receipt)(Buffer.from(headers.get("payment-response") ?? "", "base64").toString("utf8"))
