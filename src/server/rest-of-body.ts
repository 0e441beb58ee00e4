import type { IncomingMessage } from "node:http"

/** Time for the rest of a body to arrive, in milliseconds: as long as a body that is read may take. */
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
