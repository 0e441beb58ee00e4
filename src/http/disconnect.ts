import { HttpMiddleware, HttpServerError, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { LinkedList } from "../domain/linked-list.ts"

/** What ends with a connection. One listener per connection, however many requests are pipelined on it. */
const endings = new WeakMap<Socket, LinkedList<() => void>>()

/** Calls `end` when the connection ends; returns the function that cancels this. */
export const onClose = (socket: Socket, end: () => void): (() => void) => {
  const known = endings.get(socket)
  const ends = known ?? new LinkedList<() => void>()
  const node = ends.add(end)
  if (known === undefined) {
    endings.set(socket, ends)
    socket.once("close", () => {
      for (let next = ends.first(); next !== undefined; next = ends.first()) {
        ends.remove(next)
        next.value()
      }
    })
  }
  return () => void ends.remove(node)
}

/**
 * Ends the work for a caller who has gone. The platform serves requests in an uninterruptible region, and once an
 * answer is being written it waits for it to be flushed, which never happens on a connection that broke; each such
 * request would stay for ever. It looks at the connection and not at the response, because Node does not tell a
 * response that waits behind another one when the connection ends. What must not be cut (a sale from its settlement on)
 * runs in a scope of the application.
 */
export const endOnDisconnect = HttpMiddleware.make((app) =>
  Effect.withFiberRuntime((fiber) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ source }) => {
      const interruptible = Effect.interruptible(app)
      if (!(source instanceof IncomingMessage)) return interruptible
      if (source.socket.destroyed) return Effect.interrupt
      const forget = onClose(source.socket, () =>
        fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
      )
      return Effect.ensuring(interruptible, Effect.sync(forget))
    })
  )
)
