import { HttpApi, OpenApi } from "@effect/platform"
import { DEFAULT_CHECKOUT_SERVICE, makeCheckoutGroup } from "./checkout.ts"
import { makeMerchantGroup } from "./merchant.ts"
import { PurchasesGroup } from "./purchases.ts"
import { TokenRiskGroup } from "./token-risk.ts"
import { API_VERSION } from "./version.ts"

/** Name of the API inside the process; handlers are bound to it. */
export const API_ID = "token-risk-api"

export const API_TITLE = "Token risk pay-per-call"

const DESCRIPTION =
  "Pre-trade token safety screening for autonomous agents. Pay per call in USDC over HTTP 402 (x402 v2) on Base or " +
  "Solana; no account, no API key. Ping every candidate first; run deep on tokens that pass, or that back an order " +
  "above 100 USD. Treat safe=null and verdict=caution as position size zero."

/**
 * The whole contract: routing, validation, OpenAPI and the typed client derive from this one value.
 * `checkoutService` is the path segment of the checkout flow (`/api/<checkout_service>/v1`).
 */
export const makeApi = (checkoutService: string) =>
  HttpApi.make(API_ID)
    .add(TokenRiskGroup)
    .add(PurchasesGroup)
    .add(makeCheckoutGroup(checkoutService))
    .add(makeMerchantGroup(checkoutService))
    .annotate(OpenApi.Title, API_TITLE)
    .annotate(OpenApi.Version, API_VERSION)
    .annotate(OpenApi.Description, DESCRIPTION)

/** The contract of a deployment with the default path segment. */
export const Api = makeApi(DEFAULT_CHECKOUT_SERVICE)
