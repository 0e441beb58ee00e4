import type { HttpClientResponse } from "@effect/platform"
import { HttpClient, HttpClientError, HttpClientRequest } from "@effect/platform"
import { Data, Duration, Effect, Either, Option, Ref, Schema } from "effect"
import type { PaymentRequirements } from "../domain/x402.ts"
import { PaymentRequired, SettlementResponse } from "../domain/x402.ts"
import type { SpendingPolicy } from "./policy.ts"
import { choose, PolicyRefusal } from "./policy.ts"
import type { Wallet } from "./wallet.ts"
import { SigningFailed } from "./wallet.ts"

/** The server's payment headers are not what x402 v2 says. Nothing was signed. */
export class MalformedChallenge extends Data.TaggedError("MalformedChallenge")<{
  readonly message: string
}> {}

export type PaymentError = PolicyRefusal | SigningFailed | MalformedChallenge

/** How often, and for how long at most each time, a paid request is repeated with the same payment. */
const RESENDS = 5
const LONGEST_PAUSE = Duration.seconds(10)

const fromBase64 = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownOption(Schema.parseJson(schema))
  return (text: string): Option.Option<A> => decode(Buffer.from(text, "base64").toString("utf8"))
}
const decodeChallenge = fromBase64(PaymentRequired)
const decodeReceipt = fromBase64(SettlementResponse)

/** The receipt of a paid answer; none on a free one. */
export const receiptOf = (response: HttpClientResponse.HttpClientResponse): SettlementResponse | null => {
  const header = response.headers["payment-response"]
  return header === undefined ? null : Option.getOrNull(decodeReceipt(header))
}

/** Money a client has committed, and what its policy leaves. */
export interface Purse {
  readonly wallet: Wallet
  readonly policy: SpendingPolicy
  /** Smallest units signed away so far. A payment is taken off again only when it was certainly not executed. */
  readonly spent: Ref.Ref<bigint>
  /** Asked before each signature, after the policy agreed. Failing stops the payment: nothing is signed. */
  readonly approve?: Approve | undefined
}

/** A last word before a payment is signed, for a person or a limit the policy does not know. */
export type Approve = (chosen: PaymentRequirements) => Effect.Effect<void, PolicyRefusal>

const sameOrigin = (resource: string, request: string): boolean =>
  URL.canParse(resource) && URL.canParse(request) && new URL(resource).origin === new URL(request).origin

const readChallenge = (header: string, url: string): Effect.Effect<PaymentRequired, MalformedChallenge> =>
  Option.match(decodeChallenge(header), {
    onNone: () =>
      new MalformedChallenge({ message: "PAYMENT-REQUIRED is not an x402 v2 challenge of this service" }),
    onSome: (challenge) =>
      sameOrigin(challenge.resource.url, url)
        ? Effect.succeed(challenge)
        : new MalformedChallenge({
            message: `the challenge is for ${challenge.resource.url}, not for ${url}`
          })
  })

/** Takes the price out of the purse before signing, so that parallel calls cannot spend the same budget. */
const reserve = (
  purse: Purse,
  challenge: PaymentRequired
): Effect.Effect<PaymentRequirements, PolicyRefusal> =>
  Ref.modify(purse.spent, (spent) => {
    const chosen = choose(challenge, purse.policy, purse.policy.budget - spent, purse.wallet.networks)
    return [chosen, Either.isRight(chosen) ? spent + BigInt(chosen.right.amount) : spent] as const
  }).pipe(Effect.flatten)

const refund = (purse: Purse, paid: PaymentRequirements) =>
  Ref.update(purse.spent, (spent) => spent - BigInt(paid.amount))

/** Statuses that say the payment was not taken. A 503 says nothing: the same payment is sent again. */
const notCharged = (status: number): boolean => status >= 400 && status < 500

const retryAfter = (response: HttpClientResponse.HttpClientResponse): Duration.Duration => {
  const seconds = Number(response.headers["retry-after"] ?? "1")
  return Duration.min(Duration.seconds(Number.isFinite(seconds) && seconds >= 0 ? seconds : 1), LONGEST_PAUSE)
}

/**
 * Repeats one signed request, byte for byte, while its outcome is open (a lost reply, or 503). Never signs again: a
 * second signature would be a second payment.
 */
const sendUntilSettled = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  resends = RESENDS
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> => {
  const again = (pause: Duration.Duration) =>
    Effect.delay(sendUntilSettled(client, request, resends - 1), pause)
  return client.execute(request).pipe(
    Effect.matchEffect({
      onFailure: (error) => (resends > 0 ? again(Duration.seconds(1)) : Effect.fail(error)),
      onSuccess: (response) =>
        response.status === 503 && resends > 0 ? again(retryAfter(response)) : Effect.succeed(response)
    })
  )
}

const payAndSend = Effect.fn("TokenRiskClient.pay")(function* (
  purse: Purse,
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  header: string
) {
  const challenge = yield* readChallenge(header, request.url)
  const chosen = yield* reserve(purse, challenge)
  const signature = yield* (purse.approve?.(chosen) ?? Effect.void).pipe(
    Effect.zipRight(purse.wallet.sign(challenge, chosen)),
    Effect.onError(() => refund(purse, chosen))
  )
  const paid = HttpClientRequest.setHeader(request, "payment-signature", signature)
  const response = yield* sendUntilSettled(client, paid)
  if (notCharged(response.status)) yield* refund(purse, chosen)
  return response
})

/** The payment error behind a request error that `withPayment` made, if it is one. */
export const paymentErrorOf = (error: unknown): PaymentError | undefined => {
  const cause = error instanceof HttpClientError.RequestError ? error.cause : undefined
  return cause instanceof PolicyRefusal ||
    cause instanceof SigningFailed ||
    cause instanceof MalformedChallenge
    ? cause
    : undefined
}

/**
 * A client that answers a 402 by paying under the purse's policy: at most one payment per call, repeated as it is
 * until the outcome is known. HttpClient's error type is fixed, so a `PaymentError` travels as the cause of a
 * `RequestError`; `paymentErrorOf` takes it out again.
 */
export const withPayment =
  (purse: Purse) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
      Effect.flatMap((request) =>
        Effect.flatMap(client.execute(request), (response) => {
          const header = response.headers["payment-required"]
          if (response.status !== 402 || header === undefined) return Effect.succeed(response)
          return payAndSend(purse, client, request, header).pipe(
            Effect.catchTags({
              PolicyRefusal: (cause) => carry(request, cause),
              SigningFailed: (cause) => carry(request, cause),
              MalformedChallenge: (cause) => carry(request, cause)
            })
          )
        })
      ),
      Effect.succeed
    )

const carry = (request: HttpClientRequest.HttpClientRequest, cause: PaymentError) =>
  new HttpClientError.RequestError({ request, reason: "Encode", cause, description: cause.message })
