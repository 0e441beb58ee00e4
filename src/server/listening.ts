import { HttpServerError } from "@effect/platform"
import { Effect, Layer } from "effect"
import type { Server } from "node:http"
import { NodeServer } from "../http/serve.ts"
import { connectionLimitsConfig } from "./connections.ts"
import { listenConfig } from "./listen.ts"
import { makeNodeServer } from "./node-server.ts"
import { listenError } from "./start-errors.ts"

/** Ends when the last answer is out; at once for a server that never listened. */
const closed = (server: Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (server.listening) server.close(() => resume(Effect.void))
    else resume(Effect.void)
  })

/** The server that the channels answer on. It does not listen yet; when it goes, it drains. */
export const NodeServerLive = Layer.scoped(
  NodeServer,
  Effect.flatMap(connectionLimitsConfig, (limits) =>
    Effect.acquireRelease(
      Effect.sync(() => makeNodeServer(limits)),
      closed
    )
  )
)

/**
 * Connections that the system keeps until they are taken. Where there are more, it drops the first packet of the next,
 * which comes again after a second; Node asks for 511 by default. Linux gives `net.core.somaxconn` at most.
 * Not more than twice what one peer may have open: those who broke off wait in front of the others too.
 */
const BACKLOG = 2_048

const listening = (server: Server, at: { readonly host: string; readonly port: number }) =>
  Effect.async<void, HttpServerError.ServeError>((resume) => {
    const onError = (cause: Error) => resume(Effect.fail(new HttpServerError.ServeError({ cause })))
    server.once("error", onError)
    server.listen({ ...at, backlog: BACKLOG }, () => {
      server.off("error", onError)
      resume(Effect.void)
    })
  })

/** Opens the port. To be built after the channels: whoever gets a connection is served, not told to come again. */
export const ListeningLive = Layer.effectDiscard(
  Effect.gen(function* () {
    const server = yield* NodeServer
    const at = yield* listenConfig
    yield* Effect.mapError(listening(server, at), (error) => listenError(at, error))
  })
)
