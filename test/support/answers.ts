/** What the service says, for tests that play the service. */
import type { PaymentRequirements } from "../../src/domain/x402.ts"

/** The body of a ping. */
export const pingResult = (safe: boolean | null) => ({
  safe,
  mintAuthorityOff: true,
  lpLocked: true,
  pairs: 1,
  priceUsd: 1,
  fetchedAt: 1,
  cacheHit: false
})

/** The body of a 402. `accepts` may hold what no client knows. */
export const challengeFor = (
  url: string,
  accepts: ReadonlyArray<PaymentRequirements | Readonly<Record<string, unknown>>>
) => ({
  x402Version: 2,
  error: "Payment Required",
  resource: { url, description: "", mimeType: "application/json" },
  accepts
})

/** A value as a payment header carries it. */
export const header = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64")
