import type { IncomingMessage } from "node:http"
import { MAX_TOKEN_BODY } from "./token-input.ts"

const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i

/** Whether a request announces no body. */
export const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0"

/** A body of known length and at most so many bytes, declared as JSON and not as compressed. */
export const hasShortJson = ({ headers }: IncomingMessage, mostBytes: number): boolean => {
  const length = Number(headers["content-length"])
  return (
    headers["transfer-encoding"] === undefined &&
    headers["content-encoding"] === undefined &&
    length > 0 &&
    length <= mostBytes &&
    JSON_TYPE.test(headers["content-type"] ?? "")
  )
}

/** A body that may be a token reference. */
export const mayNameToken = (request: IncomingMessage): boolean => hasShortJson(request, MAX_TOKEN_BODY)

/** The whole body when it has arrived with the headers. Put it back with `unshift` for whoever reads it next. */
export const takeBody = (request: IncomingMessage): Buffer | undefined => {
  if (request.destroyed || request.readableLength !== Number(request.headers["content-length"]))
    return undefined
  const bytes: unknown = request.read()
  return Buffer.isBuffer(bytes) ? bytes : undefined
}
