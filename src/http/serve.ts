import { HttpApiBuilder } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, FiberRef, Layer } from "effect"
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
import { makeSampled, sampleRatioConfig } from "./sampling.ts"
import { oneAtATime } from "./sent-ahead.ts"

/** The server that the channel answers on. */
export class NodeServer extends Context.Tag("token-risk/NodeServer")<NodeServer, Server>() {}

/** Serves every request through the whole application. */
const makeLongWay = Effect.gen(function* () {
  const app = yield* HttpApiBuilder.httpApp
  const { admit } = yield* Admission
  const accessLog = yield* accessLogConfig
  const around = observe({ accessLog, routeOf: makeRouteOf(yield* checkoutServiceConfig) })
  return yield* NodeHttpServer.makeHandler(admit(app), (served) => endOnDisconnect(around(cors(served))))
})

/** The same with the short ways in front: prepared answers, and calls that need no router. They take no spans. */
const makeShortWays = Effect.gen(function* () {
  const longWay = yield* makeLongWay
  const withFastPath = yield* makeFastPath
  const withCallPath = yield* makeCallPath
  return withFastPath(withCallPath(longWay))
}).pipe(Effect.withTracerEnabled(false))

/**
 * How requests are served. There is no short way with `ACCESS_LOG`, where every request gets a line, nor for a request whose
 * spans are taken.
 */
const makeServe = Effect.gen(function* () {
  const accessLog = yield* accessLogConfig
  const traced = yield* FiberRef.get(FiberRef.currentTracerEnabled)
  const usual = yield* accessLog ? Effect.withTracerEnabled(makeLongWay, false) : makeShortWays
  if (!traced) return usual
  const withSpans = yield* makeLongWay
  const isSampled = makeSampled(yield* sampleRatioConfig)
  const serve: Listener = (request, response) => (isSampled(request) ? withSpans : usual)(request, response)
  return serve
})

/**
 * The HTTP channel on a server. Admission stands before the application and not around the server's writing: a slot is
 * for work, and a caller that reads its answer slowly holds none.
 */
export const HttpChannelLive = Layer.scopedDiscard(
  Effect.gen(function* () {
    const serve = yield* makeServe
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
