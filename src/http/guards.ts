import type { HttpApp, HttpServerResponse } from "@effect/platform"
import { FileSystem, HttpIncomingMessage, HttpServerRequest } from "@effect/platform"
import { Clock, Effect, Option } from "effect"
import { pathOf } from "./path.ts"
import { errorBody, unavailable } from "./responses.ts"

/** Largest request body in bytes, over every path. */
export const MAX_BODY_BYTES = 65_536

/**
 * Bodies of unknown length are read up to here before they are called too large: cutting one at the limit would cut the
 * connection with it, and the caller would never see why.
 */
const MAX_CHUNKED_BYTES = 1_048_576

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

const tooLarge = errorBody(413, "body is too large")

/** Whether the body is over the limit. A declared length is believed: such a body is not read at all. */
const isTooLarge = (request: HttpServerRequest.HttpServerRequest) => {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return Effect.succeed(true)
  if (request.headers["transfer-encoding"] === undefined) return Effect.succeed(false)
  return request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, Option.some(FileSystem.Size(MAX_CHUNKED_BYTES))),
    Effect.map((text) => Buffer.byteLength(text) > MAX_BODY_BYTES),
    // A body that cannot be read is the handler's to answer.
    Effect.orElseSucceed(() => false)
  )
}

const checked = (request: HttpServerRequest.HttpServerRequest, app: HttpApp.Default) =>
  Effect.flatMap(isTooLarge(request), (large) => (large ? Effect.succeed(tooLarge) : app))

const logged = (
  request: HttpServerRequest.HttpServerRequest,
  started: number,
  response: HttpServerResponse.HttpServerResponse
) =>
  Effect.gen(function* () {
    const paid = response.headers["payment-response"] !== undefined
    if (!paid && (response.status < 400 || QUIET.has(response.status))) return
    const ended = yield* Clock.currentTimeMillis
    yield* Effect.log("request").pipe(
      Effect.annotateLogs({
        method: request.method,
        path: pathOf(request).slice(0, 200),
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
      : yield* limited(checked(request, app))
    yield* logged(request, started, response)
    return response
  })
