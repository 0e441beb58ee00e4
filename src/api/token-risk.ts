import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { DeepReport, PingResult } from "../domain/report.ts"
import { TokenRef } from "../domain/token.ts"
import {
  BadRequest,
  InternalError,
  MethodNotAllowed,
  NotFound,
  PayloadTooLarge,
  PaymentRequiredError,
  TooManyRequests,
  Unavailable,
  UnsupportedMediaType
} from "./errors.ts"
import { rule } from "../domain/rule.ts"

export const TOKEN_RISK_PATH = "/api/token-risk"

/** `x-client-id`: 1 to 128 printable ASCII characters without spaces, chosen by the caller. */
export const ClientId = Schema.String.pipe(
  Schema.pattern(/^[\x21-\x7e]{1,128}$/, {
    message: () => rule("must be 1 to 128 printable ASCII characters")
  })
).annotations({ description: "Stable id chosen by the caller; counts the free deep calls." })

const PaymentHeader = Schema.optional(
  Schema.String.annotations({ description: "Base64 of an x402 v2 PaymentPayload." })
)

const PingHeaders = Schema.Struct({ "payment-signature": PaymentHeader })
const DeepHeaders = Schema.Struct({
  "payment-signature": PaymentHeader,
  "x-client-id": Schema.optional(ClientId)
})

const PING = "Safety ping: is this token safe to buy?"
const PING_TEXT =
  "A cheap gate to run on every candidate token. Returns a tri-state safe flag, mint-authority and liquidity-lock " +
  "flags and the number of pools. null means unknown: treat it as position size zero. Nothing is charged on an error."
const DEEP = "Deep risk report: verdict, score and reasons, attested"
const DEEP_TEXT =
  "A verdict (allow, caution, avoid), a score from 0 to 100 (higher is riskier), up to two reasons, price, liquidity, " +
  "every signal, and an attestation that can be verified offline. Treat caution as position size zero. Callers who " +
  "send x-client-id have free calls each day. Nothing is charged on an error."

const pingPost = HttpApiEndpoint.post("pingPost", "/v1/ping")
  .setPayload(TokenRef)
  .setHeaders(PingHeaders)
  .addSuccess(PingResult)
  .annotate(OpenApi.Identifier, "check_token_safety_ping")
  .annotate(OpenApi.Summary, PING)
  .annotate(OpenApi.Description, PING_TEXT)

const pingGet = HttpApiEndpoint.get("pingGet", "/v1/ping")
  .setPayload(TokenRef)
  .setHeaders(PingHeaders)
  .addSuccess(PingResult)
  .annotate(OpenApi.Identifier, "check_token_safety_ping_get")
  .annotate(OpenApi.Summary, PING)
  .annotate(OpenApi.Description, PING_TEXT)

const deepPost = HttpApiEndpoint.post("deepPost", "/v1/deep")
  .setPayload(TokenRef)
  .setHeaders(DeepHeaders)
  .addSuccess(DeepReport)
  .annotate(OpenApi.Identifier, "check_token_risk_deep")
  .annotate(OpenApi.Summary, DEEP)
  .annotate(OpenApi.Description, DEEP_TEXT)

const deepGet = HttpApiEndpoint.get("deepGet", "/v1/deep")
  .setPayload(TokenRef)
  .setHeaders(DeepHeaders)
  .addSuccess(DeepReport)
  .annotate(OpenApi.Identifier, "check_token_risk_deep_get")
  .annotate(OpenApi.Summary, DEEP)
  .annotate(OpenApi.Description, DEEP_TEXT)

/** The four paid operation variants. `GET` and `POST` of one operation behave the same. */
export class TokenRiskGroup extends HttpApiGroup.make("tokenRisk")
  .add(pingPost)
  .add(pingGet)
  .add(deepPost)
  .add(deepGet)
  .addError(BadRequest)
  .addError(PaymentRequiredError)
  .addError(NotFound)
  .addError(MethodNotAllowed)
  .addError(PayloadTooLarge)
  .addError(UnsupportedMediaType)
  .addError(TooManyRequests)
  .addError(InternalError)
  .addError(Unavailable)
  .prefix(TOKEN_RISK_PATH)
  .annotate(OpenApi.Title, "Token risk")
  .annotate(
    OpenApi.Description,
    "Pre-trade token screening on Solana and Base, paid per call in USDC with x402 v2."
  ) {}
