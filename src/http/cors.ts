import { HttpMiddleware } from "@effect/platform"

const EXPOSED = [
  "PAYMENT-REQUIRED",
  "PAYMENT-RESPONSE",
  "X-PAYMENT-RESPONSE",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id"
]

/** What `cors` adds to every answer but a preflight's, for answers that do not pass through it. */
export const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED.join(",")
}

/**
 * CORS for agents that run in browsers, from every origin (no list means `*`, and leaves `Vary` to the handlers). The
 * official x402 fetch client sends `Access-Control-Expose-Headers` as a request header, so preflights ask for it too.
 */
export const cors = HttpMiddleware.cors({
  // A merchant's dashboard changes settings and revokes tokens.
  allowedMethods: ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"],
  allowedHeaders: [
    "Content-Type",
    "Accept",
    "Authorization",
    "PAYMENT-SIGNATURE",
    "X-PAYMENT",
    "SIGN-IN-WITH-X",
    "X-Client-Id",
    "Idempotency-Key",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "X-Request-Id",
    "Access-Control-Expose-Headers"
  ],
  exposedHeaders: EXPOSED,
  maxAge: 86_400
})
