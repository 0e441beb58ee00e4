import type { HttpApp, HttpServerResponse } from "@effect/platform"
import { HttpServerRequest } from "@effect/platform"
import { Clock, Effect, Option } from "effect"
import { errorBody, unavailable } from "./responses.ts"

/** Largest request body in bytes, over every path. */
export const MAX_BODY_BYTES = 65_536

/** Requests that may be under way at once; one more is told to come back, before it can cost anything. */
const MAX_IN_FLIGHT = 512

/** Longest time one request may take. Settlement goes on in its own scope when this cuts the wait for it. */
const REQUEST_TIMEOUT = "90 seconds"

/** Statuses of requests that are not worth a log line each: challenges and what crawlers ask for. */
const QUIET: ReadonlySet<number> = new Set([402, 404])

const hasBody = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0

const isForeignBody = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const type = request.headers["content-type"]
  return (
    request.method === "POST" &&
    type !== undefined &&
    hasBody(request) &&
    !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)
  )
}

const logged = (
  request: HttpServerRequest.HttpServerRequest,
  started: number,
  response: HttpServerResponse.HttpServerResponse
) =>
  Effect.gen(function* () {
    const paid = response.headers["payment-response"] !== undefined
    if (!paid && (response.status < 400 || QUIET.has(response.status))) return
    const ended = yield* Clock.currentTimeMillis
    // The query may hold anything a caller typed; the path is enough to find the operation.
    yield* Effect.log("request").pipe(
      Effect.annotateLogs({
        method: request.method,
        path: request.url.split("?", 1)[0]?.slice(0, 200),
        status: response.status,
        paid,
        milliseconds: ended - started
      })
    )
  })

const slots = Effect.unsafeMakeSemaphore(MAX_IN_FLIGHT)

const limited = (app: HttpApp.Default) =>
  slots
    .withPermitsIfAvailable(1)(app)
    .pipe(
      Effect.map(Option.getOrElse(() => unavailable("too busy", 1))),
      Effect.timeoutTo({
        duration: REQUEST_TIMEOUT,
        onTimeout: () => unavailable("took too long: send the same request with the same payment again"),
        onSuccess: (response) => response
      })
    )

/** Outermost middleware: limits that hold for every path, and one log line per paid or failed request. */
export const guards = (app: HttpApp.Default): HttpApp.Default =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const started = yield* Clock.currentTimeMillis
    const response = isForeignBody(request)
      ? errorBody(415, "content-type must be application/json")
      : yield* limited(app)
    yield* logged(request, started, response)
    return response
  })
