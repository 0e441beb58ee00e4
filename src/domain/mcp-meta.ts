/** `_meta` keys of x402 over MCP. Source: x402 MCP transport; the second group is Cloudflare Agents' dialect. */
export const META = {
  payment: "x402/payment",
  receipt: "x402/payment-response",
  error: "x402/error",
  cloudflarePaid: "agents-x402/paymentRequired",
  cloudflarePrice: "agents-x402/priceUSD",
  clientId: "token-risk/client-id"
} as const
