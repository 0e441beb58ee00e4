/** A loopback HTTP server with the faults an upstream can have and a count of what was asked. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { Scope } from "effect"
import { Effect } from "effect"

/**
 * What a server does instead of answering properly: `error` is status 500, `throttle` 429, `hang` never answers,
 * `garbage` answers 200 with bytes that are no JSON, `empty` 200 without a body, `reset` cuts the connection.
 */
export type HttpFault = "none" | "error" | "throttle" | "hang" | "garbage" | "empty" | "reset"

/** Switched at any time by assignment; it applies from the next request on. */
export interface HttpFaults {
  fault: HttpFault
  /** Milliseconds before every answer. */
  delayMs: number
}

export interface JsonRequest {
  readonly method: string
  readonly url: URL
  readonly body: string
}

export interface JsonAnswer {
  readonly status: number
  /** Serialised; bigints become JSON numbers. */
  readonly body: unknown
  /** Sent as it is, in place of the body. */
  readonly text?: string
  /** The request was carried out, and this comes back instead of the body. */
  readonly fault?: HttpFault
}

export interface JsonServer {
  readonly url: string
  readonly faults: HttpFaults
  /** HTTP requests since the start, the faulty ones too. */
  readonly requests: () => number
}

/** JSON text in which a bigint is a plain number of any length, as Solana nodes write u64. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "bigint" ? `\u0001${item.toString()}` : item
  ).replaceAll(/"\\u0001(-?\d+)"/g, "$1")

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8")
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

const send = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(body)
}

const misbehave = (fault: HttpFault, response: ServerResponse): void => {
  if (fault === "error") send(response, 500, '{"error":"internal"}')
  else if (fault === "throttle") send(response, 429, '{"error":"too many requests"}')
  else if (fault === "garbage") send(response, 200, "<html>\u0000{not json")
  else if (fault === "empty") send(response, 200, "")
  else if (fault === "reset") response.destroy()
}

/** Serves until the scope closes; open connections are cut then. Dies when the port is taken. */
export const serveJson = (
  answer: (request: JsonRequest) => Promise<JsonAnswer> | JsonAnswer,
  options: { readonly port?: number } = {}
): Effect.Effect<JsonServer, never, Scope.Scope> => {
  const faults: HttpFaults = { fault: "none", delayMs: 0 }
  let asked = 0
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked += 1
    const body = await readBody(request)
    const url = new URL(request.url ?? "/", "http://127.0.0.1")
    // Read before the handler runs, so that a refused request still counts as asked.
    const { delayMs, fault } = faults
    const result = fault === "none" ? await answer({ method: request.method ?? "GET", url, body }) : undefined
    if (delayMs > 0) await pause(delayMs)
    if (result === undefined) misbehave(fault, response)
    else if (result.fault !== undefined && result.fault !== "none") misbehave(result.fault, response)
    else send(response, result.status, result.text ?? toJson(result.body))
  }
  return Effect.acquireRelease(
    Effect.async<JsonServer & { readonly close: Effect.Effect<void> }>((resume) => {
      const server = createServer((request, response) => {
        handle(request, response).catch((cause: unknown) => {
          if (!response.headersSent) send(response, 500, JSON.stringify({ error: String(cause) }))
        })
      })
      // As nodes do; by itself Node closes what was silent for five seconds.
      server.keepAliveTimeout = 60_000
      server.once("error", (cause) => resume(Effect.die(cause)))
      server.listen(options.port ?? 0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = Effect.async<void>((done) => {
          server.close(() => done(Effect.void))
          server.closeAllConnections()
        })
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, faults, requests: () => asked, close }))
      })
    }),
    ({ close }) => close
  )
}
