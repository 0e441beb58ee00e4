import type { IncomingMessage } from "node:http"

/** As long as a body may take that is read, in milliseconds. */
export const REST_MILLIS = 5_000

/**
 * Ends the connection of a request that was answered before its body was whole, unless the rest comes soon. Node throws
 * that away as it arrives, so that the next request can follow, and would do so for half a minute.
 */
export const awaitRestOfBody = (request: IncomingMessage, millis = REST_MILLIS): void => {
  if (request.complete || request.socket.destroyed) return
  const cut = setTimeout(() => request.socket.destroy(), millis).unref()
  request.once("close", () => clearTimeout(cut))
}
