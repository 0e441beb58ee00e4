import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { createServer } from "node:http"
import type { Socket } from "node:net"

/** Node's own limits, all explicit. Times in milliseconds. */
const LIMITS = {
  /** All request headers together; a payment header is at most 8 KB. More is answered 431. */
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000
}

/** Connections above this are refused by the kernel's queue rather than held open. */
const MAX_CONNECTIONS = 4_096

/** How long in-flight requests may go on after a signal to stop. A settlement confirms well within it. */
const DRAIN_MILLIS = 45_000

const json = (status: string, error: string): string => {
  const body = JSON.stringify({ error })
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}

/** Requests that Node's parser refuses never reach the application; they too get a clear 4xx. */
const answerParserError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  if (error.code === "HPE_HEADER_OVERFLOW")
    socket.end(json("431 Request Header Fields Too Large", "headers are too large"))
  else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT")
    socket.end(json("408 Request Timeout", "request took too long to arrive"))
  else socket.end(json("400 Bad Request", "not a valid HTTP request"))
}

/**
 * A server that drains. Effect detaches its request listener first and then closes: without help, a kept-alive
 * connection would hang with its next request, and the process would wait for the client. From `close` on, answers
 * carry `connection: close`, new requests on open connections get 503, and whatever is left after a grace is cut.
 */
export const makeNodeServer = (): Server => {
  const server = createServer(LIMITS)
  server.maxConnections = MAX_CONNECTIONS
  const inFlight = new Set<ServerResponse>()

  server.on("clientError", answerParserError)
  server.on("request", (_request: IncomingMessage, response: ServerResponse) => {
    // Alone on the event: the application has detached, or is not there yet.
    if (server.listenerCount("request") === 1) {
      response.writeHead(503, { "content-type": "application/json", connection: "close", "retry-after": "5" })
      response.end(JSON.stringify({ error: "stopping or starting: send the same request again" }))
      return
    }
    inFlight.add(response)
    response.on("close", () => inFlight.delete(response))
  })

  const close = server.close.bind(server)
  server.close = (callback) => {
    for (const response of inFlight) response.shouldKeepAlive = false
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MILLIS)
    close((error) => {
      clearTimeout(cut)
      callback?.(error)
    })
    server.closeIdleConnections()
    return server
  }
  return server
}
