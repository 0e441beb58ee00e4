import { HttpApiBuilder } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import type { Server } from "node:http"
import { checkoutServiceConfig } from "../checkout/config.ts"
import { Admission } from "./admission/admission.ts"
import { makeArrivals } from "./arrivals.ts"
import { cors } from "./cors.ts"
import { endOnDisconnect } from "./disconnect.ts"
import type { Listener } from "./fast/fast-path.ts"
import { makeFastPath } from "./fast/fast-path.ts"
import { makeCallPath } from "./fast/call-path.ts"
import { accessLogConfig, observe } from "./observe.ts"
import { makeRouteOf } from "./routes.ts"
import { oneAtATime } from "./sent-ahead.ts"

/** The server that the channel answers on. */
export class NodeServer extends Context.Tag("token-risk/NodeServer")<NodeServer, Server>() {}

/**
 * The HTTP channel on a server. Admission stands before the application and not around the server's writing: a slot is
 * for work, and a caller that reads its answer slowly holds none. Prepared answers are given, and plain
 * calls served, before all of it; with `ACCESS_LOG` nothing is, because every request has a line there.
 */
export const HttpChannelLive = Layer.scopedDiscard(
  Effect.gen(function* () {
    const app = yield* HttpApiBuilder.httpApp
    const { admit } = yield* Admission
    const accessLog = yield* accessLogConfig
    const routeOf = makeRouteOf(yield* checkoutServiceConfig)
    const around = observe({ accessLog, routeOf })
    const handler = yield* NodeHttpServer.makeHandler(admit(app), (served) =>
      endOnDisconnect(around(cors(served)))
    )
    const withFastPath = yield* makeFastPath
    const withCallPath = yield* makeCallPath
    const serve: Listener = accessLog ? handler : withFastPath(withCallPath(handler))
    const server = yield* NodeServer
    const arrivals = makeArrivals()
    const listener = oneAtATime(serve, arrivals)
    yield* Effect.acquireRelease(
      Effect.sync(() => server.on("connection", arrivals.note)),
      () => Effect.sync(() => server.off("connection", arrivals.note))
    )
    yield* Effect.acquireRelease(
      Effect.sync(() => server.on("request", listener)),
      () => Effect.sync(() => server.off("request", listener))
    )
  })
).pipe(Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer]))
