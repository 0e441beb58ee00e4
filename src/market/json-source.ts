import { HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { Duration, Effect, Metric, Option, Schedule, Stream } from "effect"
import { readBounded } from "../domain/bounded-body.ts"
import { parseBounded } from "../domain/bounded-json.ts"
import { UpstreamError } from "../domain/errors.ts"
import { breakerOpen, observeUpstream } from "../domain/upstream-metrics.ts"
import { makeCircuitBreaker } from "./circuit-breaker.ts"

/** What one JSON-over-HTTP service is asked with. */
export interface JsonSourceOptions {
  readonly upstream: "dexscreener" | "rugcheck"
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Statuses that say "no such token". */
  readonly absentStatuses: ReadonlySet<number>
  readonly maxBodyBytes: number
}

/** One attempt: connection, headers and body. */
const ATTEMPT_TIMEOUT = Duration.seconds(3)
/** Everything: waiting for a turn, attempts and pauses between them. */
const TOTAL_TIMEOUT = Duration.seconds(5)
const MAX_RETRIES = 2
const RETRY_PAUSE = Schedule.exponential("100 millis").pipe(Schedule.jittered)
const CONCURRENCY = 16
const BREAKER = { threshold: 5, cooldownMillis: 10_000 }

export interface JsonSource {
  /** The parsed body of `GET baseUrl + path`; none where the service does not know what was asked for. */
  readonly get: (path: string) => Effect.Effect<Option.Option<unknown>, UpstreamError>
}

/** A retry may help: the connection broke, the service stumbled or asked for a pause. */
const isTransient = ({ kind }: UpstreamError): boolean => kind === "transport" || kind === "rate-limited"

type Failure = (kind: UpstreamError["kind"], detail: string) => UpstreamError

const failuresOf =
  ({ upstream }: JsonSourceOptions): Failure =>
  (kind, detail) =>
    new UpstreamError({ upstream, kind, detail })

/** Reads what the service answers, within the bounds. */
const makeInterpret = (options: JsonSourceOptions, failure: Failure) => {
  const readBody = ({ stream }: HttpClientResponse.HttpClientResponse) =>
    readBounded(
      Stream.mapError(stream, (error) => failure("transport", error.message)),
      options.maxBodyBytes,
      () => failure("malformed", `body of more than ${options.maxBodyBytes} bytes`)
    )

  const parse = (text: string): Effect.Effect<unknown, UpstreamError> =>
    Effect.try({
      try: () => parseBounded(text),
      catch: () => failure("malformed", "body is not JSON, too deep or too long")
    })

  return (response: HttpClientResponse.HttpClientResponse) => {
    const { status } = response
    if (status === 200) return Effect.map(Effect.flatMap(readBody(response), parse), Option.some)
    if (options.absentStatuses.has(status)) return Effect.succeedNone
    if (status === 429) return Effect.fail(failure("rate-limited", "status 429"))
    return Effect.fail(failure(status >= 500 ? "transport" : "rejected", `status ${status}`))
  }
}

const makeBreaker = (upstream: JsonSourceOptions["upstream"], failure: Failure) =>
  makeCircuitBreaker<UpstreamError>({
    ...BREAKER,
    isFailure: ({ kind }) => kind !== "rejected",
    whenOpen: () => failure("circuit-open", "failed repeatedly, not asked again yet"),
    onChange: (isOpen) =>
      Effect.zipRight(
        Metric.set(breakerOpen(upstream), isOpen ? 1 : 0),
        Effect.logWarning(
          isOpen ? "upstream failed repeatedly, not asked for a while" : "upstream answers again"
        ).pipe(Effect.annotateLogs({ upstream }))
      )
  })

/**
 * A client for a service whose answers are read, never trusted: bounded in time, size and concurrency. A redirect is
 * an unexpected status, not a place to go.
 */
export const makeJsonSource = Effect.fnUntraced(function* (options: JsonSourceOptions) {
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.withTracerPropagation(false),
    HttpClient.withScope
  )
  const turns = yield* Effect.makeSemaphore(CONCURRENCY)
  const failure = failuresOf(options)
  const breaker = yield* makeBreaker(options.upstream, failure)
  // An operator sees the breaker before it has ever opened.
  yield* Metric.set(breakerOpen(options.upstream), 0)
  const interpret = makeInterpret(options, failure)

  const attempt = (path: string) =>
    client
      .execute(HttpClientRequest.get(`${options.baseUrl}${path}`).pipe(HttpClientRequest.acceptJson))
      .pipe(
        Effect.mapError((error) => failure("transport", error.message)),
        Effect.flatMap(interpret),
        Effect.scoped,
        Effect.timeoutFail({
          duration: ATTEMPT_TIMEOUT,
          onTimeout: () => failure("timeout", "no answer in time")
        }),
        observeUpstream(options.upstream, ({ kind }) => kind),
        breaker.protect
      )

  const source: JsonSource = {
    get: (path) =>
      attempt(path).pipe(
        Effect.retry({ schedule: RETRY_PAUSE, times: MAX_RETRIES, while: isTransient }),
        turns.withPermits(1),
        Effect.timeoutFail({
          duration: TOTAL_TIMEOUT,
          onTimeout: () => failure("timeout", "no answer in time")
        })
      )
  }
  return source
})
