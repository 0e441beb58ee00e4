import { once } from "node:events"
import { type RequestListener, createServer } from "node:http"
import { connect } from "node:net"
import { Effect } from "effect"

/** A server that answers so, and the raw socket of one connection to it. */
export const connectionTo = (answer: RequestListener) =>
  Effect.gen(function* () {
    const server = createServer(answer)
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () => Effect.sync(() => (server.closeAllConnections(), server.close()))
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return yield* Effect.acquireRelease(
      Effect.sync(() => connect(port, "127.0.0.1").on("error", () => {})),
      (socket) => Effect.sync(() => socket.destroy())
    )
  })
