/** Clients that do not behave, and one that does. Each names the loopback address it comes from. */
import { Effect } from "effect"
import { Agent, request as httpRequest } from "node:http"
import type { Socket } from "node:net"
import { connect } from "node:net"

export const ATTACKER = "127.0.0.2"
export const HONEST = "127.0.0.3"

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
  readonly milliseconds: number
}

export interface Ask {
  readonly path: string
  readonly from?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Keeps connections, of one address only; otherwise each request has its own. */
  readonly agent?: Agent
}

/** Sixteen connections that are kept, until the scope closes: hundreds of requests need not open hundreds. */
export const keptConnections = Effect.acquireRelease(
  Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 16 })),
  (agent) => Effect.sync(() => agent.destroy())
)

/** An honest request. Status 0: the connection broke. */
export const ask = (port: number, { agent, body, from = HONEST, headers, method, path }: Ask) =>
  Effect.async<Reply>((resume) => {
    const started = performance.now()
    const finish = (status: number, text: string, got: Reply["headers"]) =>
      resume(Effect.succeed({ status, text, headers: got, milliseconds: performance.now() - started }))
    const call = httpRequest(
      {
        host: "127.0.0.1",
        port,
        path,
        localAddress: from,
        agent: agent ?? false,
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers }
      },
      (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
        response.once("end", () => finish(response.statusCode ?? 0, text, response.headers))
        response.once("error", () => finish(0, text, {}))
      }
    )
    call.once("error", () => finish(0, "", {}))
    call.end(body)
    return Effect.sync(() => call.destroy())
  })

/** A raw connection; `undefined` when it was refused. Ends with the scope. */
export const open = (port: number, from: string) =>
  Effect.acquireRelease(
    Effect.async<Socket | undefined>((resume) => {
      const socket = connect({ host: "127.0.0.1", port, localAddress: from })
      socket.on("error", () => resume(Effect.succeed(undefined)))
      socket.once("connect", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket?.destroy())
  )

export const openMany = (count: number, port: number, from: string) =>
  Effect.forEach(Array.from({ length: count }), () => open(port, from), { concurrency: 64 })

/** Everything the server says on a connection until it ends it. */
export const readAll = (socket: Socket) =>
  Effect.async<string>((resume) => {
    let text = ""
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")))
    socket.once("close", () => resume(Effect.succeed(text)))
    if (socket.destroyed) resume(Effect.succeed(text))
  })

/** Looks until something holds, or gives what was seen last. */
export const eventually = <A>(look: Effect.Effect<A>, holds: (value: A) => boolean, tries = 200) =>
  Effect.gen(function* () {
    for (let attempt = 0; ; attempt++) {
      const value = yield* look
      if (holds(value) || attempt >= tries) return value
      yield* Effect.sleep("25 millis")
    }
  })
