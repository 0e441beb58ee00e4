import { HttpApp, HttpMiddleware, HttpServerRequest, HttpServerResponse as Response } from "@effect/platform"
import { Clock, Config, Effect, FiberRef, LogLevel } from "effect"
import { word } from "../domain/settings.ts"
import type { Facts } from "./admission/facts.ts"
import { countingAtOnce, countRequest, makeFacts, onceEnded, withFacts } from "./admission/facts.ts"
import { pathOf, queryOf, routedPathOf } from "./path.ts"
import { REQUEST_ID, requestIdOf } from "./request-id.ts"

const ON = ["true", "yes", "on", "1"] as const
const OFF = ["false", "no", "off", "0"] as const

/** `ACCESS_LOG`: one log line for every request, not only for those that are paid, free, refused or failed. */
export const accessLogConfig = Config.map(word("ACCESS_LOG", [...ON, ...OFF], "false"), (text) =>
  ON.some((one) => one === text)
)

/** Longest part of a path that is logged. */
const PATH_LENGTH = 200

/** Unpaid challenges and paths that do not exist: every crawler asks for them, so they get no line each. */
const isQuiet = (facts: Facts, status: number): boolean =>
  facts.transaction === undefined &&
  !facts.free &&
  facts.failure === undefined &&
  facts.refusal === undefined &&
  (status < 400 ||
    (status === 402 && facts.requestClass !== "paid") ||
    (status === 404 && facts.requestClass === "documents"))

/**
 * What the server's span says of a request beside the platform's attributes, which hold the whole URL: what somebody is
 * about to buy, and what else they put into a query, is nothing for those who read traces.
 */
const spanOf = (request: HttpServerRequest.HttpServerRequest, requestId: string) => {
  const path = pathOf(request).slice(0, PATH_LENGTH)
  const known = { "request.id": requestId, "url.full": path, "url.path": path }
  return queryOf(request) === "" ? known : { ...known, "url.query": "REDACTED" }
}

export interface ObserveOptions {
  readonly accessLog: boolean
  /** The route a path belongs to, `other` for none: labels must not grow with what callers type. */
  readonly routeOf: (path: string) => string
}

/** An answered request as its log line tells it. */
export interface Answered {
  readonly method: string
  readonly path: string
  /** A path of ours, or `other`. */
  readonly route: string
  readonly status: number
  /** Unix milliseconds at which it came. */
  readonly started: number
}

/** Whether a line of a request would be written: to put one together that nobody sees takes as long as its answer's bytes. */
const isWritten = Effect.map(FiberRef.get(FiberRef.currentMinimumLogLevel), (minimum) =>
  LogLevel.lessThanEqual(minimum, LogLevel.Info)
)

/** The log line of a request. */
const writeLine = Effect.fnUntraced(function* ({ method, path, started, status }: Answered, facts: Facts) {
  const ended = yield* Clock.currentTimeMillis
  yield* Effect.log("request").pipe(
    Effect.annotateLogs({
      requestId: facts.requestId,
      method,
      path: path.slice(0, PATH_LENGTH),
      status,
      class: facts.requestClass,
      free: facts.free,
      paid: facts.costUsd !== undefined,
      costUsd: facts.costUsd ?? "0",
      ...(facts.transaction === undefined ? {} : { transaction: facts.transaction }),
      ...(facts.refusal === undefined ? {} : { reason: facts.refusal }),
      ...(facts.failure === undefined ? {} : { failure: facts.failure }),
      milliseconds: ended - started
    })
  )
})

/** Counts a request that was answered, and writes its line where it has one. */
export const noteAnswer = Effect.fnUntraced(function* (answered: Answered, facts: Facts, accessLog: boolean) {
  const { route, status } = answered
  yield* countRequest(route, facts, status)
  if ((!accessLog && isQuiet(facts, status)) || !(yield* isWritten)) return
  yield* writeLine(answered, facts)
})

/** The same for requests that were answered together; where no lines are written, in one step. */
export const noteAnswers = (all: ReadonlyArray<{ readonly answered: Answered; readonly facts: Facts }>) =>
  Effect.flatMap(isWritten, (written) => {
    for (const { answered, facts } of all)
      countingAtOnce(answered.route, facts.requestClass, answered.status)()
    const told = written ? all.filter(({ answered, facts }) => !isQuiet(facts, answered.status)) : []
    return Effect.forEach(told, ({ answered, facts }) => writeLine(answered, facts), { discard: true })
  })

/**
 * Gives every request an id (the caller's own when it is a plain one), which goes back in `X-Request-Id` and into logs
 * and traces, and keeps the one log line and the counters.
 */
export const observe = (options: ObserveOptions) =>
  HttpMiddleware.make((app) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const facts = makeFacts(requestIdOf(request.headers[REQUEST_ID]))
      const started = yield* Clock.currentTimeMillis
      const { method } = request
      const path = pathOf(request)
      const route = options.routeOf(routedPathOf(request))
      yield* HttpApp.appendPreResponseHandler((_request, response) =>
        Effect.as(
          onceEnded(
            facts,
            noteAnswer({ method, path, route, status: response.status, started }, facts, options.accessLog)
          ),
          Response.setHeader(response, REQUEST_ID, facts.requestId)
        )
      )
      yield* Effect.annotateCurrentSpan(spanOf(request, facts.requestId))
      return yield* app.pipe(withFacts(facts), Effect.annotateLogs("requestId", facts.requestId))
    })
  )
