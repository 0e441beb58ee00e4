import { Predicate } from "effect"
import type { IncomingMessage } from "node:http"
import { isOperationId, MCP_PATH, type OperationId } from "../../domain/catalog.ts"
import { hasShortJson } from "./plain-body.ts"
import { isWrittenToken } from "./token-input.ts"

/** Longest body that is looked at: twice of what a call without a payment needs. */
const MAX_CALL = 512

/** What clients of the older generations accept; they are answered on a stream. */
const ACCEPTED = "application/json, text/event-stream"

/** The generations that say nothing in `_meta` of what they speak. One that is not told speaks one of them. */
const VERSIONS: ReadonlySet<string> = new Set(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])

/** Headers that change nothing of an answer, of clients and of the proxies between; with any other one it is the library's. */
const NEUTRAL: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "cdn-loop",
  "connection",
  "content-length",
  "content-type",
  "forwarded",
  "host",
  "mcp-protocol-version",
  "pragma",
  "sec-fetch-mode",
  "user-agent",
  "via",
  "x-real-ip",
  "x-request-id"
])
const OF_PROXIES = /^(?:cf|x-forwarded)-/

/** Whether the headers leave nothing to be had of a tool but its price. */
export const mayCallTool = (request: IncomingMessage): boolean => {
  const { headers, url } = request
  const version = headers["mcp-protocol-version"]
  return (
    url === MCP_PATH &&
    headers.accept === ACCEPTED &&
    (version === undefined || (typeof version === "string" && VERSIONS.has(version))) &&
    hasShortJson(request, MAX_CALL) &&
    Object.keys(headers).every((name) => NEUTRAL.has(name) || OF_PROXIES.test(name))
  )
}

/** A call of a tool that names a token and neither a payment nor a caller. */
export interface UnpaidCall {
  readonly operation: OperationId
  /** The id that its answer bears, in JSON. */
  readonly id: string
}

/** An object of JSON with these members, some of which may be missing, and no others. */
const hasOnly = <Name extends string>(
  value: unknown,
  names: ReadonlyArray<Name>
): value is { readonly [_ in Name]?: unknown } =>
  Predicate.isRecord(value) && Object.keys(value).every((name) => names.some((known) => known === name))

/** The call that a body is, in its plain spelling; `undefined` for everything else. */
export const unpaidCallIn = (text: string): UnpaidCall | undefined => {
  try {
    const message: unknown = JSON.parse(text)
    if (!hasOnly(message, ["jsonrpc", "id", "method", "params"])) return undefined
    const { id, jsonrpc, method, params } = message
    const isAnswered = typeof id === "string" || Number.isSafeInteger(id)
    if (jsonrpc !== "2.0" || method !== "tools/call" || !isAnswered) return undefined
    if (!hasOnly(params, ["name", "arguments", "_meta"]) || !isOperationId(params.name)) return undefined
    const saysNothing = params._meta === undefined || hasOnly(params._meta, [])
    const isPlain = saysNothing && isWrittenToken(params.arguments)
    return isPlain ? { operation: params.name, id: JSON.stringify(id) } : undefined
  } catch {
    return undefined
  }
}
