/** JSON-RPC 2.0: single requests and batches, a node's error objects, a count by method. */
import type { SolanaFaults } from "./ledger.ts"
import { isRecord } from "../../../src/domain/json.ts"
import { RpcError } from "./rpc-params.ts"
import type { Method } from "./rpc-params.ts"

export interface RpcNode {
  readonly methods: ReadonlyMap<string, Method>
  readonly requests: Map<string, number>
  readonly faults: SolanaFaults
}

const failure = (id: unknown, code: number, message: string, data?: unknown) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) }
})

const callMethod = (node: RpcNode, name: string, params: unknown): unknown => {
  node.requests.set(name, (node.requests.get(name) ?? 0) + 1)
  const method = node.methods.get(name)
  if (method === undefined) throw new RpcError(-32601, "Method not found")
  if (node.faults.refusedMethods.has(name)) {
    throw new RpcError(429, "Too many requests for a specific RPC call")
  }
  return method(Array.isArray(params) ? params : [])
}

const answerOne = (node: RpcNode, request: unknown): unknown => {
  if (!isRecord(request) || typeof request["method"] !== "string") {
    return failure(null, -32600, "Invalid request")
  }
  const id = request["id"] ?? null
  try {
    return { jsonrpc: "2.0", id, result: callMethod(node, request["method"], request["params"]) }
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error.code, error.message, error.data)
    return failure(id, -32603, `Internal error: ${String(error)}`)
  }
}

/** The answer to one HTTP body. */
export const handleRpc = (node: RpcNode, body: string): unknown => {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return failure(null, -32700, "Parse error")
  }
  return Array.isArray(parsed) ? parsed.map((request) => answerOne(node, request)) : answerOne(node, parsed)
}
