import { HttpMiddleware, HttpServerError, HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { IncomingMessage } from "node:http"

/**
 * Ends the work for a caller who has gone. The platform serves requests in an uninterruptible region, and once an answer
 * is being written it waits for it to be flushed, which never happens on a connection that broke; each such request
 * would stay for ever. What must not be cut (a sale from its settlement on) runs in a scope of the application.
 */
export const endOnDisconnect = HttpMiddleware.make((app) =>
  Effect.withFiberRuntime((fiber) => {
    const interruptible = Effect.interruptible(app)
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      if (!(request.source instanceof IncomingMessage)) return interruptible
      const response = NodeHttpServerRequest.toServerResponse(request)
      const onClose = () => {
        if (!response.writableFinished) fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
      }
      if (response.destroyed) return Effect.interrupt
      response.once("close", onClose)
      return Effect.ensuring(
        interruptible,
        Effect.sync(() => response.off("close", onClose))
      )
    })
  })
)
