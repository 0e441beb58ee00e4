import type { Server } from "node:http"
import { createServer, IncomingMessage, ServerResponse, setMaxIdleHTTPParsers } from "node:http"
import type { Socket } from "node:net"
import { makeArrivals } from "../http/arrivals.ts"
import { peerBucket } from "../http/client-address.ts"
import { KEEP_ALIVE_SECONDS } from "../http/fast/message.ts"
import { makeTurns } from "../http/turns.ts"
import type { ConnectionLimits } from "./connections.ts"
import { DEFAULT_LIMITS, makeConnections } from "./connections.ts"
import { makeInputTurns, WAITING_BYTES, WAITING_BYTES_OF_PROXIES } from "./input-turns.ts"
import { awaitRestOfBody, REST_MILLIS } from "./rest-of-body.ts"

/** Node's own limits, all explicit. Times in milliseconds. */
const LIMITS = {
  /** All request headers together; a payment header is at most 8 KB. More is answered 431. */
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 30_000,
  keepAliveTimeout: KEEP_ALIVE_SECONDS * 1_000,
  connectionsCheckingInterval: 1_000,
  /** Node would answer without a body: `ambiguity`. */
  requireHostHeader: false
}

/** A connection that is silent for so long is cut. Longer than any request may take to be answered. */
const SILENCE_MILLIS = 120_000

/**
 * Idle HTTP parsers that Node keeps for later connections. By default it keeps up to a thousand of those a burst has made:
 * two kilobytes each, scattered over the memory the burst took, and no page that holds one can be given back.
 */
const IDLE_PARSERS = 64

/** Requests sent ahead on one connection before the first is answered: browsers and agents send none. */
const MAX_PIPELINED = 16

/** How long in-flight requests may go on after a signal to stop. A settlement confirms well within it. */
const DRAIN_MILLIS = 45_000

/** Pause between two searches for callers who leave answers unread. Meanwhile new connections are turned away. */
const LOOK_MILLIS = 1_000

const STOPPING = "stopping or starting: send the same request again"

const json = (status: string, error: string): string => {
  const body = JSON.stringify({ error })
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}

type Connections = ReturnType<typeof makeConnections>

/**
 * Requests that Node's parser refuses never reach the application; they too get a clear 4xx. Behind a request that is
 * being served they get none: it would be taken for the answer to that one, and a 4xx says that nothing was charged.
 */
const answerParserError =
  (connections: Connections) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy()
      return
    }
    if (connections.endAfterAnswers(socket)) return
    if (error.code === "HPE_HEADER_OVERFLOW")
      socket.end(json("431 Request Header Fields Too Large", "headers are too large"))
    else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT")
      socket.end(json("408 Request Timeout", "request took too long to arrive"))
    else socket.end(json("400 Bad Request", "not a valid HTTP request"))
  }

/**
 * Node checks for timed-out requests once a second and reports all of them at once: a thousand connections that began a
 * request together would be answered and closed in one round of the event loop.
 */
const inTurns = (answer: ReturnType<typeof answerParserError>): typeof answer => {
  const turns = makeTurns(makeArrivals())
  return (error, socket) => {
    if (error.code !== "ERR_HTTP_REQUEST_TIMEOUT") return answer(error, socket)
    const { bytesWritten } = socket
    turns.takeLater(peerBucket(socket.remoteAddress), () => {
      // The late request was answered meanwhile, and what was said now would be taken for the answer to the next.
      if (socket.bytesWritten === bytesWritten) answer(error, socket)
    })
  }
}

/**
 * Refuses CONNECT. Node hands the connection over and reads no more of it: what still arrives is discarded here, for as long
 * as the rest of a body may take.
 */
const refuseTunnel =
  (connections: Connections) =>
  ({ socket }: IncomingMessage): void => {
    if (connections.endAfterAnswers(socket)) return
    socket.end(json("405 Method Not Allowed", "this is no proxy"))
    socket.resume()
    const cut = setTimeout(() => socket.destroy(), REST_MILLIS).unref()
    socket.once("close", () => clearTimeout(cut))
  }

const answerLast = (response: ServerResponse, status: number, error: string, headers = {}): void => {
  const body = JSON.stringify({ error })
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
    ...headers
  })
  response.end(body)
}

/** A host and its port, as they may be written. Source: RFC 3986, 3.2.2. */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]*$/

/** How often a header was sent. Node keeps the first of those it takes for single ones. */
const timesSent = (name: string, { rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.length === name.length && text.toLowerCase() === name
  ).length

/**
 * Headers that a request may have. Node reads no more of them than this, without a word, whatever they take of the bytes
 * that they may be long: a payment among the others would be no payment, and a body that they announce none. Honest
 * requests have a few dozen.
 */
const MAX_HEADERS = 1_000

/**
 * Why a request could be another one to a proxy in front than it is here. HTTP/1.1 requires one host of every request,
 * HTTP/1.0 one at most and knows no chunks, and only `OPTIONS` may be about the server itself. Source: RFC 9112, 3.2 and 6.1.
 */
const ambiguity = (request: IncomingMessage): string | undefined => {
  const { headers, httpVersion, method, url } = request
  const isOlder = httpVersion === "1.0"
  if ((url === "*" && method !== "OPTIONS") || (isOlder && headers["transfer-encoding"] !== undefined))
    return "not a valid HTTP request"
  if (headers.host === undefined) return isOlder ? undefined : "a Host header is required"
  if (!HOST.test(headers.host)) return "the Host header is not a host"
  return timesSent("host", request) > 1 ? "more than one Host header" : undefined
}

/**
 * A server that bounds its connections and drains. Effect detaches its request listener first and then closes: from
 * `close` on, every request, also one on a new connection, is told that the service is stopping (so that whoever asks
 * whether it is ready hears no, not silence); when the last answer is out, the port is closed. Whatever is left after a
 * grace is cut.
 */
export const makeNodeServer = (limits: ConnectionLimits = DEFAULT_LIMITS, unreadMillis?: number): Server => {
  setMaxIdleHTTPParsers(IDLE_PARSERS)
  const server = createServer(LIMITS)
  server.maxHeadersCount = MAX_HEADERS
  server.timeout = SILENCE_MILLIS
  const connections = makeConnections(limits, unreadMillis)
  let isStopping = false

  server.on("connection", connections.add)
  server.on(
    "connection",
    makeInputTurns(limits.perPeer === undefined ? WAITING_BYTES_OF_PROXIES : WAITING_BYTES)
  )
  server.on("clientError", inTurns(answerParserError(connections)))
  server.on("checkExpectation", (_request, response: ServerResponse) =>
    answerLast(response, 417, "nothing but 100-continue may be expected")
  )
  server.on("connect", refuseTunnel(connections))
  // Before any listener sees it: the application would answer it too.
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...passed: ReadonlyArray<unknown>) => {
    const [request, response] = passed
    if (event !== "request" || !(request instanceof IncomingMessage) || !(response instanceof ServerResponse))
      return emit(event, ...passed)
    if (request.rawHeaders.length >= 2 * MAX_HEADERS) {
      answerLast(response, 431, `there are ${MAX_HEADERS} headers or more`)
      return true
    }
    const problem = ambiguity(request)
    if (problem === undefined) return emit(event, request, response)
    answerLast(response, 400, problem)
    return true
  }
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const pipelined = connections.begin(socket, response)
    if (pipelined === 0 || pipelined > MAX_PIPELINED) {
      socket.destroy()
      return
    }
    response.once("close", () => {
      connections.end(socket, response)
      awaitRestOfBody(request)
    })
    if (isStopping) response.shouldKeepAlive = false
    // Alone on the event: the application has detached, or is not there yet.
    if (server.listenerCount("request") === 1) answerLast(response, 503, STOPPING, { "retry-after": "5" })
  })

  const close = server.close.bind(server)
  server.close = (callback) => {
    isStopping = true
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MILLIS)
    const look = setInterval(connections.cutUnread, LOOK_MILLIS)
    connections.announceEnd()
    connections.closeIdle()
    connections.cutUnread()
    connections.whenQuiet(() => {
      close((error) => {
        clearTimeout(cut)
        clearInterval(look)
        callback?.(error)
      })
      connections.closeIdle()
    })
    return server
  }
  return server
}
