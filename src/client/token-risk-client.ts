import type { HttpClientError } from "@effect/platform"
import { HttpApiClient, HttpClient, HttpClientResponse } from "@effect/platform"
import type { ParseResult } from "effect"
import { Effect, Ref } from "effect"
import { Api } from "../api/api.ts"
import { Jwks, verifyReport } from "../domain/attestation.ts"
import type { DeepReport, PingResult } from "../domain/report.ts"
import { parseStrictJson } from "../domain/strict-json.ts"
import type { TokenRef } from "../domain/token.ts"
import type { SettlementResponse } from "../domain/x402.ts"
import type { Approve, PaymentError } from "./pay.ts"
import { paymentErrorOf, receiptOf, withPayment } from "./pay.ts"
import type { SpendingPolicy } from "./policy.ts"
import { defaultPolicy } from "./policy.ts"
import type { Wallet } from "./wallet.ts"

export interface ClientOptions {
  /** Origin of the service, without a path. */
  readonly baseUrl: string
  readonly wallet: Wallet
  readonly policy?: SpendingPolicy
  /** Sent as `x-client-id` with deep calls, which makes the first ones of a day free. */
  readonly clientId?: string
  /** Asked before each signature, after the policy agreed; failing stops the payment. */
  readonly approve?: Approve
  /** Keys to verify reports with. Pin them; left out, they are fetched from the service once. */
  readonly jwks?: Jwks
}

/** An answer and the receipt of its payment; `receipt` is null on a free call. */
export interface Delivered<A> {
  readonly result: A
  /** The answer's text as received. Keep it: a report verifies only with every member it came with. */
  readonly body: string
  readonly receipt: SettlementResponse | null
}

/** What to do about one candidate token. `tradable: false` means position size zero. */
export interface Decision {
  readonly tradable: boolean
  readonly why: "ping-failed" | "ping-unknown" | "verdict-avoid" | "verdict-caution" | "passed"
  readonly ping: Delivered<PingResult>
  readonly deep: Delivered<DeepReport> | null
}

/** Orders above this are worth a deep report even when the ping does not pass (contract 1). USD. */
export const DEEP_ORDER_USD = 100

const rawClient = (options: ClientOptions, spent: Ref.Ref<bigint>) =>
  HttpApiClient.make(Api, {
    baseUrl: options.baseUrl,
    transformClient: withPayment({
      wallet: options.wallet,
      policy: options.policy ?? defaultPolicy,
      spent,
      approve: options.approve
    })
  })

/** `HttpClientError` carries payment errors as causes; they come out typed. */
const unwrap = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | PaymentError, R> =>
  Effect.mapError(effect, (error) => paymentErrorOf(error) ?? error)

/** The derived client's request type is one shape per chain; a union of tokens has to be told apart for it. */
const requestFor = <H>(token: TokenRef, headers: H) =>
  token.chain === "base"
    ? ({ payload: token, headers, withResponse: true } as const)
    : ({ payload: token, headers, withResponse: true } as const)

/** The bytes the derived client has decoded: it keeps them as a buffer, and a body can be read only once. */
const textOf = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.map(response.arrayBuffer, (bytes) => new TextDecoder().decode(bytes))

const decide = (ping: Delivered<PingResult>, deep: Delivered<DeepReport> | null): Decision => {
  const why = (): Decision["why"] => {
    if (ping.result.safe === false) return "ping-failed"
    if (deep?.result.verdict === "avoid") return "verdict-avoid"
    if (ping.result.safe === null) return "ping-unknown"
    if (deep?.result.verdict === "caution") return "verdict-caution"
    return "passed"
  }
  const reason = why()
  return { tradable: reason === "passed" && deep !== null, why: reason, ping, deep }
}

/**
 * A client of the service that pays its own way under a spending policy and verifies every report it buys.
 * Errors: the API's (`BadRequest`, `NotFound`, `PaymentRequiredError` when a payment was refused, `Unavailable`, …),
 * `PolicyRefusal`, `SigningFailed`, `MalformedChallenge`, `VerificationFailure`, and transport errors.
 */
export const makeTokenRiskClient = Effect.fn("TokenRiskClient.make")(function* (options: ClientOptions) {
  const spent = yield* Ref.make(0n)
  const api = yield* rawClient(options, spent)
  const http = yield* HttpClient.HttpClient

  const jwks: Effect.Effect<Jwks, HttpClientError.HttpClientError | ParseResult.ParseError> =
    options.jwks === undefined
      ? yield* Effect.cached(
          HttpClient.filterStatusOk(http)
            .get(new URL("/.well-known/jwks.json", options.baseUrl))
            .pipe(Effect.flatMap(HttpClientResponse.schemaBodyJson(Jwks)))
        )
      : Effect.succeed(options.jwks)

  const ping = Effect.fn("TokenRiskClient.ping")(function* (token: TokenRef) {
    const [result, response] = yield* unwrap(api.tokenRisk.pingPost(requestFor(token, {})))
    return { result, body: yield* textOf(response), receipt: receiptOf(response) }
  })

  const deep = Effect.fn("TokenRiskClient.deep")(function* (token: TokenRef) {
    const headers = options.clientId === undefined ? {} : { "x-client-id": options.clientId }
    const [, response] = yield* unwrap(api.tokenRisk.deepPost(requestFor(token, headers)))
    const body = yield* textOf(response)
    // The bytes as received, not as decoded: the digest covers members this version does not know.
    const result = yield* verifyReport(parseStrictJson(body), yield* jwks)
    return { result, body, receipt: receiptOf(response) }
  })

  /**
   * The contract's intended spending rules: ping first; deep only when the ping passes or the order exceeds 100 USD;
   * an unknown ping and a `caution` verdict mean size zero.
   */
  const screen = Effect.fn("TokenRiskClient.screen")(function* (token: TokenRef, orderValueUsd: number) {
    const first = yield* ping(token)
    const worthIt = first.result.safe === true || orderValueUsd > DEEP_ORDER_USD
    return decide(first, worthIt ? yield* deep(token) : null)
  })

  return { api, ping, deep, screen, spent: Ref.get(spent) }
})

export type TokenRiskClient = Effect.Effect.Success<ReturnType<typeof makeTokenRiskClient>>
export type TokenRiskClientError = Effect.Effect.Error<ReturnType<TokenRiskClient["deep"]>>
