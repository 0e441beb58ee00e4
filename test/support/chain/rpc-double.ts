import type { Scope } from "effect"
import { Effect, Redacted } from "effect"
import type { BaseRpcOptions } from "../../../src/chain/base-rpc.ts"
import { serve } from "../market/upstream.ts"

interface Node {
  readonly url: string
  /** HTTP requests so far. */
  readonly requests: () => number
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** What the node says to one HTTP request: a status and a body, or nothing at all. */
export type Answer = { readonly status?: number; readonly body: unknown } | "hang up" | "keep silent"

/** A node that answers as told and counts the HTTP requests it got. */
export const makeNode = (
  answer: (calls: ReadonlyArray<Call>, isBatch: boolean) => Answer
): Effect.Effect<Node, never, Scope.Scope> =>
  Effect.map(
    serve((request, response) => {
      let text = ""
      request.on("data", (chunk: Buffer) => (text += chunk.toString()))
      request.on("end", () => {
        const body: Call | ReadonlyArray<Call> = JSON.parse(text)
        const isBatch = "length" in body
        const said = answer(isBatch ? body : [body], isBatch)
        if (said === "keep silent") return
        if (said === "hang up") return request.socket.destroy()
        response.writeHead(said.status ?? 200, { "content-type": "application/json" })
        response.end(typeof said.body === "string" ? said.body : JSON.stringify(said.body))
      })
    }),
    ({ seen, url }) => ({ url, requests: () => seen.length })
  )

/** A node that gives every call the same member beside its id. */
export const uniform = (
  member: { readonly result: unknown } | { readonly error: unknown }
): Effect.Effect<Node, never, Scope.Scope> =>
  makeNode((calls, isBatch) => {
    const replies = calls.map(({ id }) => ({ jsonrpc: "2.0", id, ...member }))
    return { body: isBatch ? replies : replies[0] }
  })

export const options = (...urls: ReadonlyArray<string>): BaseRpcOptions => ({
  urls: urls.map((url) => Redacted.make(url)),
  timeout: "4 seconds",
  concurrency: 8
})
