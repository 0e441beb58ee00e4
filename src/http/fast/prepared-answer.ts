import type { HttpServerResponse } from "@effect/platform"
import type { ServerResponse } from "node:http"
import { CORS_HEADERS } from "../cors.ts"
import { REQUEST_ID } from "../request-id.ts"
import type { Message } from "./message.ts"
import { makeMessage, writeMessage } from "./message.ts"

/** An answer that is whole but for the request's id. */
export interface PreparedAnswer {
  readonly status: number
  /** As Node takes them: name, value, name, … */
  readonly headers: ReadonlyArray<string>
  /** The body's bytes, one to a character: Node writes such a text and the headers in one piece. */
  readonly body: string
  /** The same written out; `undefined` where only Node knows what belongs to the connection. */
  readonly message: Message | undefined
}

/** The bytes of an answer of the application as the long way would write them; `undefined` for one that is streamed. */
export const prepareAnswer = (
  response: HttpServerResponse.HttpServerResponse
): PreparedAnswer | undefined => {
  const { body, status } = response
  if (body._tag !== "Uint8Array") return undefined
  const headers = { ...response.headers, ...CORS_HEADERS }
  const text = Buffer.from(body.body).toString("latin1")
  return {
    status,
    headers: Object.entries(headers).flat(),
    body: text,
    message: makeMessage(status, headers, text)
  }
}

/** Sends it. Node adds what belongs to the connection, unless the written answer has it already. */
export const sendPrepared = (
  { body, headers, message, status }: PreparedAnswer,
  response: ServerResponse,
  requestId: string
): void => {
  if (message !== undefined && writeMessage(message, response, requestId)) return
  response.writeHead(status, [...headers, REQUEST_ID, requestId])
  response.end(body, "latin1")
}
