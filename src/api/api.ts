import { HttpApi, OpenApi } from "@effect/platform"
import { TokenRiskGroup } from "./token-risk.ts"

/** Version of the machine-readable description (contract 9). */
export const API_VERSION = "0.2.0"

/** The whole contract: routing, validation, OpenAPI and the typed client derive from this one value. */
export class Api extends HttpApi.make("token-risk-api")
  .add(TokenRiskGroup)
  .annotate(OpenApi.Title, "Token risk pay-per-call")
  .annotate(OpenApi.Version, API_VERSION)
  .annotate(
    OpenApi.Description,
    "Pre-trade token safety screening for autonomous agents. Pay per call in USDC over HTTP 402 (x402 v2) on Base or " +
      "Solana; no account, no API key. Ping every candidate first; run deep on tokens that pass, or that back an order " +
      "above 100 USD. Treat safe=null and verdict=caution as position size zero."
  ) {}
