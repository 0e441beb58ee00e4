import type { Schema } from "effect"
import { DeepReport, PingResult } from "./report.ts"

/** Where the paid operations live. */
export const TOKEN_RISK_PATH = "/api/token-risk"

/** Path of the tool-protocol endpoint; the resource of a payment made through it. */
export const MCP_PATH = "/api/token-risk/mcp"

/** Operation identifiers, also the names of the MCP tools. */
export type OperationId = "check_token_safety_ping" | "check_token_risk_deep"

/** HTTP methods of a paid operation; both behave the same. */
export type Method = "GET" | "POST"

/** Everything that is told about a paid operation, wherever it is told: endpoints, offers, tools, documents, pages. */
export interface Operation {
  readonly id: OperationId
  /** Path below `TOKEN_RISK_PATH`. */
  readonly route: `/v1/${string}`
  /** The whole path. */
  readonly path: `${typeof TOKEN_RISK_PATH}/v1/${string}`
  /** Where what was bought is fetched again, below `TOKEN_RISK_PATH`. */
  readonly purchasesRoute: `/v1/purchases/${string}`
  /** The `operationId` of fetching it again. */
  readonly purchasesId: `fetch_bought_${string}`
  /** A few words for people who choose a tool. */
  readonly title: string
  /** One line of the OpenAPI document. */
  readonly summary: string
  /** What the OpenAPI document says at length. */
  readonly guide: string
  /** One plain sentence; below 500 characters, the limit of the public indexes. */
  readonly description: string
  /** Which of the configured prices it costs, and that price where none is configured, in decimal USD. */
  readonly priceKey: "ping" | "deep"
  readonly defaultPriceUsd: string
  /** Whether callers who name themselves by `x-client-id` have free calls of it. */
  readonly hasFreeCalls: boolean
  /** The 200 body. */
  readonly result: Schema.Schema.AnyNoContext & { readonly fields: Schema.Struct.Fields }
  /** A small answer of the real shape, for indexes that show one. */
  readonly example: Readonly<Record<string, unknown>>
}

/** WETH on Base: a token every reader knows, with pools at any time. */
export const EXAMPLE_TOKEN = { chain: "base", address: "0x4200000000000000000000000000000000000006" } as const

/** The catalog: the one place that knows what is for sale. */
export const OPERATIONS = {
  check_token_safety_ping: {
    id: "check_token_safety_ping",
    route: "/v1/ping",
    path: `${TOKEN_RISK_PATH}/v1/ping`,
    purchasesRoute: "/v1/purchases/ping",
    purchasesId: "fetch_bought_safety_ping",
    title: "Check token safety (ping)",
    summary: "Safety ping: is this token safe to buy?",
    guide:
      "A cheap gate to run on every candidate token. Returns a tri-state safe flag, mint-authority and liquidity-lock " +
      "flags and the number of pools. null means unknown: treat it as position size zero. Refused calls cost nothing.",
    description:
      "Token safety ping for Solana and Base: tri-state safe flag, mint authority, liquidity lock, pools, price. " +
      "Buy on true alone; null is unknown, not safe. Refused calls cost nothing.",
    priceKey: "ping",
    defaultPriceUsd: "0.005",
    hasFreeCalls: false,
    result: PingResult,
    example: { safe: true, mintAuthorityOff: true, lpLocked: true, pairs: 3, priceUsd: 0.42 }
  },
  check_token_risk_deep: {
    id: "check_token_risk_deep",
    route: "/v1/deep",
    path: `${TOKEN_RISK_PATH}/v1/deep`,
    purchasesRoute: "/v1/purchases/deep",
    purchasesId: "fetch_bought_risk_report",
    title: "Check token risk (deep report)",
    summary: "Deep risk report: verdict, score and reasons, attested",
    guide:
      "A verdict (allow, caution, avoid), a score from 0 to 100 (higher is riskier), up to two reasons, price, liquidity, " +
      "every signal, and an attestation that can be verified offline. Treat caution as position size zero. Callers who " +
      "send x-client-id have the free calls that a challenge's preview names. Refused calls cost nothing.",
    description:
      "Deep token risk report for Solana and Base: verdict (allow, caution, avoid), score 0 to 100 (higher is riskier), " +
      "reasons, price, liquidity, all signals, attestation. Buy on allow alone. Refused calls cost nothing.",
    priceKey: "deep",
    defaultPriceUsd: "0.04",
    hasFreeCalls: true,
    result: DeepReport,
    example: { verdict: "allow", score: 12, band: "low", reasons: [], priceUsd: 0.42, liquidityUsd: 125000 }
  }
} as const satisfies { readonly [Id in OperationId]: Operation & { readonly id: Id } }

/** Whether a value, such as the name of a tool, is the id of an operation. */
export const isOperationId = (value: unknown): value is OperationId =>
  typeof value === "string" && Object.hasOwn(OPERATIONS, value)

export const ALL_OPERATIONS: ReadonlyArray<Operation> = Object.values(OPERATIONS)

/** Something of each operation, by its id. */
export const forEachOperation = <A>(make: (operation: Operation) => A): Readonly<Record<OperationId, A>> => ({
  check_token_safety_ping: make(OPERATIONS.check_token_safety_ping),
  check_token_risk_deep: make(OPERATIONS.check_token_risk_deep)
})

/** Names of the members of an operation's answer. */
export const fieldsOf = ({ result }: Operation): ReadonlyArray<string> => Object.keys(result.fields)

/** The `operationId` of one method; ids must be unique, and the contract's own belong to `POST`. */
export const operationIdOf = ({ id }: Operation, method: Method): string =>
  method === "POST" ? id : `${id}_get`

/** The operation an `operationId` belongs to. */
export const operationOf = (operationId: string): Operation | undefined =>
  ALL_OPERATIONS.find(
    (operation) =>
      operationIdOf(operation, "POST") === operationId || operationIdOf(operation, "GET") === operationId
  )

/** The operation whose answers are fetched again under an `operationId`, on the operation's own terms for buying anew. */
export const soldUnder = (operationId: string): Operation | undefined =>
  ALL_OPERATIONS.find(({ purchasesId }) => purchasesId === operationId)

/** The operation behind a path, in the router's own terms: letter case, doubled and trailing slashes do not matter. */
export const operationAt = (path: string): Operation | undefined => {
  const normal = path
    .toLowerCase()
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "")
  return ALL_OPERATIONS.find((operation) => operation.path === normal)
}
