import { HttpMiddleware } from "@effect/platform"

/**
 * CORS for agents that run in browsers. The official fetch client sends `Access-Control-Expose-Headers` as a request
 * header, so preflights ask for it too. Source: facts/ecosystem.md E7.
 */
export const cors = HttpMiddleware.cors({
  allowedOrigins: ["*"],
  allowedMethods: ["GET", "HEAD", "POST", "OPTIONS"],
  allowedHeaders: [
    "Content-Type",
    "Accept",
    "PAYMENT-SIGNATURE",
    "X-PAYMENT",
    "X-Client-Id",
    "Idempotency-Key",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "Access-Control-Expose-Headers"
  ],
  exposedHeaders: [
    "PAYMENT-REQUIRED",
    "PAYMENT-RESPONSE",
    "X-PAYMENT-RESPONSE",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Request-Id"
  ],
  maxAge: 86_400
})
