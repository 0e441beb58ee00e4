import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A loopback service that answers the requests in turn, the last answer for all further ones, and keeps what it saw. */
export const serve = (...answers: readonly [Answer, ...ReadonlyArray<Answer>]) =>
  Effect.gen(function* () {
    const seen: Array<IncomingMessage> = []
    const server = createServer((request, response) => {
      const answer = answers[seen.length] ?? answers.at(-1)
      seen.push(request)
      answer?.(request, response)
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          server.closeAllConnections()
          server.close(() => resume(Effect.void))
        })
    )
    const address: AddressInfo | string | null = server.address()
    if (address === null || typeof address === "string") return yield* Effect.dieMessage("not listening")
    return { url: `http://127.0.0.1:${address.port}`, seen }
  })

export const json =
  (body: unknown, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }

export const raw =
  (body: string, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers).end(body)
  }

/** Accepts the request and never answers. */
export const hang: Answer = () => undefined

/** Sends the status and then nothing. */
export const stall: Answer = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" })
  response.write("[")
}

export const drop: Answer = (request) => {
  request.socket.destroy()
}

/** An endless body. */
export const flood: Answer = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" })
  const block = "1,".repeat(64 * 1024)
  const pump = () => {
    while (!response.destroyed && response.write(block));
  }
  response.on("drain", pump)
  response.write("[")
  pump()
}
