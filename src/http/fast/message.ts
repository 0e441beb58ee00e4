import type { ServerResponse } from "node:http"
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http"
import { REQUEST_ID } from "../request-id.ts"

/** How long a connection is kept that asks nothing. The server is set to it, and answers say it. */
export const KEEP_ALIVE_SECONDS = 65

/** An answer on a connection that is kept, as text of one byte to a character: what stands around the request's id. */
export interface Message {
  readonly status: number
  readonly before: string
  readonly after: string
}

/** Headers by which an answer says how it is framed, or what becomes of its connection. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "date",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const isPlain = (names: ReadonlyArray<string>): boolean =>
  names.includes("content-length") && !names.some((name) => OF_CONNECTION.has(name))

/** Node looks through every header of every answer for characters it may not hold; here once, when it is prepared. */
const lineOf = ([name, value]: readonly [string, string]): string => {
  validateHeaderName(name)
  validateHeaderValue(name, value)
  return `${name}: ${value}\r\n`
}

/**
 * Writes out an answer; header names are lower-case. `undefined` for one that speaks about its connection itself or does
 * not say its length. Throws what Node throws for a header that may not be sent.
 */
export const makeMessage = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string
): Message | undefined => {
  if (!isPlain(Object.keys(headers))) return undefined
  const lines = Object.entries(headers).map(lineOf).join("")
  return {
    status,
    before: `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n${lines}${REQUEST_ID}: `,
    after: `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}\r\n\r\n${body}`
  }
}

let second = 0
let date = ""

/** The line with the time, which is another one once a second. */
const dateLine = (): string => {
  const now = Math.floor(Date.now() / 1_000)
  if (now !== second) {
    second = now
    date = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`
  }
  return date
}

/**
 * Writes a message to its connection in one piece and ends the response. Node's own way there (`writeHead`, `end`) takes
 * a third of what an answer from memory costs. `false`, and nothing is done, unless this response is the next one of its
 * connection, all before it has been taken, and the connection is kept.
 *
 * The response is told that its headers are out, by the names Node has had for it since its first versions; ending it
 * then does what is left: it lets the answer to the next request follow. Whether it was understood is asked by the public
 * `headersSent` before a byte is written.
 */
export const writeMessage = (message: Message, response: ServerResponse, id: string): boolean => {
  const { headersSent, shouldKeepAlive, socket, writableLength } = response
  if (socket === null || !socket.writable || !shouldKeepAlive || headersSent || writableLength > 0)
    return false
  const head = `${message.before}${id}\r\n${dateLine()}`
  Object.assign(response, { statusCode: message.status, _header: head, _headerSent: true })
  if (!response.headersSent) return false
  socket.write(head + message.after, "latin1")
  response.end()
  return true
}
