import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { OPERATIONS, TOKEN_RISK_PATH } from "../domain/catalog.ts"
import { TokenQuery } from "../domain/token.ts"
import { described } from "./described.ts"
import { NotSold } from "./errors.ts"

const Headers = Schema.Struct({
  "payment-signature": Schema.optional(
    Schema.String.annotations({ description: "Base64 of an x402 v2 PaymentPayload, to buy anew." })
  ),
  "sign-in-with-x": Schema.optional(
    Schema.String.annotations({
      description: "Base64 of the signed message of the 402 (x402 extension sign-in-with-x)."
    })
  )
})

const TEXT =
  "The answer this wallet bought for this token last, byte for byte, with its receipt. Costs nothing: the 402 carries a " +
  "message to sign (extensions.sign-in-with-x) beside the terms of buying anew. Only for what was paid for with the same wallet, and while answers are kept."

const { check_token_safety_ping: PING, check_token_risk_deep: DEEP } = OPERATIONS

const ping = HttpApiEndpoint.get("boughtPing", PING.purchasesRoute)
  .setPayload(TokenQuery)
  .setHeaders(Headers)
  .addSuccess(PING.result)
  .annotateContext(described(PING.purchasesId, "Fetch a safety ping again that was paid for", TEXT))

const deep = HttpApiEndpoint.get("boughtDeep", DEEP.purchasesRoute)
  .setPayload(TokenQuery)
  .setHeaders(Headers)
  .addSuccess(DEEP.result)
  .annotateContext(described(DEEP.purchasesId, "Fetch a risk report again that was paid for", TEXT))

/** What a wallet bought, for whoever signs in with it. Screening itself knows no accounts. */
export class PurchasesGroup extends HttpApiGroup.make("purchases")
  .add(ping)
  .add(deep)
  .addError(NotSold)
  .prefix(TOKEN_RISK_PATH)
  .annotate(OpenApi.Title, "Purchases")
  .annotate(OpenApi.Description, "Fetch again what a wallet paid for, by its signature.") {}
