import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import type { Method, Operation } from "../domain/catalog.ts"
import { operationIdOf, OPERATIONS, TOKEN_RISK_PATH } from "../domain/catalog.ts"
import { rule } from "../domain/rule.ts"
import { TokenQuery, TokenRef } from "../domain/token.ts"
import { described } from "./described.ts"
import { NotSold, UnreadBody } from "./errors.ts"

/** `x-client-id`: 1 to 128 printable ASCII characters without spaces, chosen by the caller. */
export const ClientId = Schema.String.pipe(
  Schema.pattern(/^[\x21-\x7e]{1,128}$/, {
    message: () => rule("must be 1 to 128 printable ASCII characters without spaces")
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

const { check_token_safety_ping: PING, check_token_risk_deep: DEEP } = OPERATIONS

const sold = (operation: Operation, method: Method) =>
  described(operationIdOf(operation, method), operation.summary, operation.guide)

const pingPost = HttpApiEndpoint.post("pingPost", PING.route)
  .setPayload(TokenRef)
  .setHeaders(PingHeaders)
  .addSuccess(PING.result)
  .addError(UnreadBody)
  .annotateContext(sold(PING, "POST"))

const pingGet = HttpApiEndpoint.get("pingGet", PING.route)
  .setPayload(TokenQuery)
  .setHeaders(PingHeaders)
  .addSuccess(PING.result)
  .annotateContext(sold(PING, "GET"))

const deepPost = HttpApiEndpoint.post("deepPost", DEEP.route)
  .setPayload(TokenRef)
  .setHeaders(DeepHeaders)
  .addSuccess(DEEP.result)
  .addError(UnreadBody)
  .annotateContext(sold(DEEP, "POST"))

const deepGet = HttpApiEndpoint.get("deepGet", DEEP.route)
  .setPayload(TokenQuery)
  .setHeaders(DeepHeaders)
  .addSuccess(DEEP.result)
  .annotateContext(sold(DEEP, "GET"))

/** The four paid operation variants. `GET` and `POST` of one operation behave the same. */
export class TokenRiskGroup extends HttpApiGroup.make("tokenRisk")
  .add(pingPost)
  .add(pingGet)
  .add(deepPost)
  .add(deepGet)
  .addError(NotSold)
  .prefix(TOKEN_RISK_PATH)
  .annotate(OpenApi.Title, "Token risk")
  .annotate(
    OpenApi.Description,
    "Pre-trade token screening on Solana and Base, paid per call in USDC with x402 v2."
  ) {}
