/** A JSON-RPC node's double that passes everything on, counts it, and fails in the ways nodes fail. */
import type { Scope } from "effect"
import { Effect } from "effect"
import { request } from "undici"
import type { HttpFaults } from "./json-server.ts"
import { serveJson } from "./json-server.ts"

export interface RpcProxyFaults {
  /** Methods answered with a rate-limit error and not passed on. */
  readonly refusedMethods: Set<string>
  /** Methods passed on whose reply never arrives: the connection is cut. A transaction lands unseen. */
  readonly lostReplies: Set<string>
  /** Methods answered with an empty list, as a node does that has not indexed, or forgot. */
  readonly emptyLists: Set<string>
  /** Methods that are neither passed on nor answered: they hang. */
  readonly hangingMethods: Set<string>
}

export interface RpcProxy {
  readonly url: string
  readonly faults: RpcProxyFaults
  /** Faults for all methods alike. */
  readonly httpFaults: HttpFaults
  /** Takes all faults away; a delay stays. */
  readonly mend: () => void
  /** Requests since the start, by method. */
  readonly requests: ReadonlyMap<string, number>
}

const methodOf = (request: unknown): ReadonlyArray<string> =>
  typeof request === "object" && request !== null && "method" in request && typeof request.method === "string"
    ? [request.method]
    : []

/** Methods of a request body, single or batch; none for what is no JSON. */
export const methodsIn = (body: string): ReadonlyArray<string> => {
  try {
    const parsed: unknown = JSON.parse(body)
    return Array.isArray(parsed) ? parsed.flatMap(methodOf) : methodOf(parsed)
  } catch {
    return []
  }
}

const REFUSAL = { jsonrpc: "2.0", id: null, error: { code: -32005, message: "rate limit exceeded" } }

/** The answer to requests of these methods, where those that are named are answered with an empty list. */
const withEmptyLists = (
  answer: unknown,
  methods: ReadonlyArray<string>,
  named: ReadonlySet<string>
): unknown => {
  const emptied = (one: unknown, at: number): unknown =>
    named.has(methods[at] ?? "") && typeof one === "object" && one !== null && "result" in one
      ? { ...one, result: [] }
      : one
  return Array.isArray(answer) ? answer.map(emptied) : emptied(answer, 0)
}

/** Starts a proxy in front of `upstream`; give its URL to the service under test. */
export const startRpcProxy = (upstream: string): Effect.Effect<RpcProxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    const faults: RpcProxyFaults = {
      refusedMethods: new Set(),
      lostReplies: new Set(),
      emptyLists: new Set(),
      hangingMethods: new Set()
    }
    const requests = new Map<string, number>()
    const server = yield* serveJson(async ({ body }) => {
      const methods = methodsIn(body)
      for (const name of methods) requests.set(name, (requests.get(name) ?? 0) + 1)
      const has = (set: ReadonlySet<string>) => methods.some((name) => set.has(name))
      if (has(faults.hangingMethods)) return { status: 200, body: null, fault: "hang" }
      if (has(faults.refusedMethods)) return { status: 429, body: REFUSAL }
      // A third of what `fetch` costs: who measures times behind a proxy has its processor time in them.
      const { body: answer, statusCode: status } = await request(upstream, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body
      })
      const text = await answer.text()
      const fault = has(faults.lostReplies) ? "reset" : "none"
      // Whoever measures behind a proxy measures it too: what nothing is done to is passed on as it came.
      return has(faults.emptyLists)
        ? {
            status,
            body: withEmptyLists(JSON.parse(text), methods, faults.emptyLists),
            fault
          }
        : { status, body: null, text, fault }
    })
    const mend = (): void => {
      for (const methods of Object.values(faults)) methods.clear()
      server.faults.fault = "none"
    }
    return { url: server.url, faults, httpFaults: server.faults, mend, requests }
  })
