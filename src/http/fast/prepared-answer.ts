import type { HttpServerResponse } from "@effect/platform"
import type { ServerResponse } from "node:http"
import { CORS_HEADERS } from "../cors.ts"
import { REQUEST_ID } from "../request-id.ts"
import type { Message } from "./message.ts"
import { makeMessage, writeMessage } from "./message.ts"

/**
 * From here on, in bytes, a body is written as the bytes that are kept, which all its answers share: a text is copied for
 * each of them, and a thousand callers who ask for two megabytes and read nothing would fill the memory with copies.
 */
const SHARED_BYTES = 32_768

/** An answer that is whole but for the request's id. */
export interface PreparedAnswer {
  readonly status: number
  /** As Node takes them: name, value, name, … */
  readonly headers: ReadonlyArray<string>
  /** A small one as a text of one byte to a character: Node writes it and the headers in one piece. */
  readonly body: string | Buffer
  /** The same written out; `undefined` for a large one, and where only Node knows what belongs to the connection. */
  readonly message: Message | undefined
}

/** The bytes of an answer of the application as the long way would write them; `undefined` for one that is streamed. */
export const prepareAnswer = (
  response: HttpServerResponse.HttpServerResponse
): PreparedAnswer | undefined => {
  const { body, status } = response
  if (body._tag !== "Uint8Array") return undefined
  const headers = { ...response.headers, ...CORS_HEADERS }
  const bytes = Buffer.from(body.body)
  const prepared = { status, headers: Object.entries(headers).flat() }
  if (bytes.length >= SHARED_BYTES) return { ...prepared, body: bytes, message: undefined }
  const text = bytes.toString("latin1")
  return { ...prepared, body: text, message: makeMessage(status, headers, text) }
}

/** Sends it. Node adds what belongs to the connection, unless the written answer has it already. */
export const sendPrepared = (
  { body, headers, message, status }: PreparedAnswer,
  response: ServerResponse,
  requestId: string
): void => {
  if (message !== undefined && writeMessage(message, response, requestId)) return
  response.writeHead(status, [...headers, REQUEST_ID, requestId])
  if (typeof body === "string") response.end(body, "latin1")
  else response.end(body)
}
