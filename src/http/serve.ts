import { HttpApiBuilder, HttpServer } from "@effect/platform"
import { Effect, Layer } from "effect"
import { checkoutServiceConfig } from "../checkout/config.ts"
import { Admission } from "./admission/admission.ts"
import { cors } from "./cors.ts"
import { endOnDisconnect } from "./disconnect.ts"
import { accessLogConfig, observe } from "./observe.ts"
import { makeRouteOf } from "./routes.ts"

/**
 * The HTTP channel on a server. Admission stands before the application and not around the server's writing: a slot is
 * for work, and a caller that reads its answer slowly holds none.
 */
export const HttpChannelLive = Layer.unwrapEffect(
  Effect.gen(function* () {
    const app = yield* HttpApiBuilder.httpApp
    const { admit } = yield* Admission
    const accessLog = yield* accessLogConfig
    const routeOf = makeRouteOf(yield* checkoutServiceConfig)
    const around = observe({ accessLog, routeOf })
    return HttpServer.serve(admit(app), (served) => endOnDisconnect(around(cors(served))))
  })
).pipe(Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer]))
