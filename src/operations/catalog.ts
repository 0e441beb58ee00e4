import type { Depth } from "../domain/screening.ts"

/** Operation identifiers, also the names of the MCP tools. */
export type OperationId = "check_token_safety_ping" | "check_token_risk_deep"

/** What a buyer may know about an operation before paying for it. */
export interface Operation {
  readonly id: OperationId
  readonly depth: Depth
  readonly path: string
  /** One plain sentence; below 500 characters, the limit of the public indexes. */
  readonly description: string
  /** Fields of the answer a caller acts on. */
  readonly fields: ReadonlyArray<string>
  /** A small answer of the real shape, for indexes that show one. */
  readonly example: Readonly<Record<string, unknown>>
}

/** WETH on Base: a token every reader knows, with pools at any time. */
export const EXAMPLE_TOKEN = { chain: "base", address: "0x4200000000000000000000000000000000000006" } as const

export const OPERATIONS: Readonly<Record<OperationId, Operation>> = {
  check_token_safety_ping: {
    id: "check_token_safety_ping",
    depth: "ping",
    path: "/api/token-risk/v1/ping",
    description:
      "Token safety ping for Solana and Base: tri-state safe flag, mint authority, liquidity lock, pools, price. " +
      "Nothing is charged on an error.",
    fields: ["safe", "mintAuthorityOff", "lpLocked", "pairs", "priceUsd", "fetchedAt", "cacheHit"],
    example: { safe: true, mintAuthorityOff: true, lpLocked: true, pairs: 3, priceUsd: 0.42 }
  },
  check_token_risk_deep: {
    id: "check_token_risk_deep",
    depth: "deep",
    path: "/api/token-risk/v1/deep",
    description:
      "Deep token risk report for Solana and Base: verdict (allow, caution, avoid), score 0 to 100 (higher is riskier), " +
      "reasons, price, liquidity, all signals, attestation. Nothing is charged on an error.",
    fields: [
      "verdict",
      "score",
      "band",
      "reasons",
      "priceUsd",
      "liquidityUsd",
      "fetchedAt",
      "cacheHit",
      "free",
      "signals",
      "attestation"
    ],
    example: { verdict: "allow", score: 12, band: "low", reasons: [], priceUsd: 0.42, liquidityUsd: 125000 }
  }
}

/** The operation behind a path, in the router's own terms: letter case, doubled and trailing slashes do not matter. */
export const operationAt = (path: string): Operation | undefined => {
  const normal = path
    .toLowerCase()
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "")
  return Object.values(OPERATIONS).find((operation) => operation.path === normal)
}
