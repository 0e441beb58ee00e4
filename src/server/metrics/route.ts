import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Config, Duration, Effect, Layer, Option, Redacted } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import { cached } from "../../domain/cached.ts"
import { headerSecret } from "../../domain/settings.ts"
import { HEALTH } from "../../http/health.ts"
import { toPrometheus, PROMETHEUS_TEXT } from "./prometheus.ts"
import { MetricSource, MetricSourceLive } from "./source.ts"

/**
 * `METRICS_TOKEN`: whoever sends it as `Authorization: Bearer …` may read `/metrics` from anywhere. Without it only
 * loopback callers may.
 */
export const metricsConfig = Config.all({
  token: Config.option(headerSecret("METRICS_TOKEN"))
})

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * What proxies add, and what browsers send for a page that wants to read the answer, which every origin may here. A proxy
 * on this machine, and a browser, speak from loopback for the whole world.
 */
const FOREIGN = [
  "origin",
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "via"
]

/**
 * Whether a Host is an address, or a name that nobody outside can give to an address of this machine. A page of any other
 * name that was made to lead here is of our origin to its browser, which then sends none, and shows it the answer.
 */
const isOwnName = (host: string): boolean => {
  const name = host.replace(/:\d*$/, "").replace(/^\[|\]$|\.$/g, "")
  return isIP(name) !== 0 || !name.includes(".") || name.toLowerCase().endsWith(".localhost")
}

const isLocal = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): boolean =>
  Option.exists(remoteAddress, (address) => LOOPBACK.test(address)) &&
  isOwnName(headers["host"] ?? "") &&
  FOREIGN.every((name) => headers[name] === undefined)

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Compared by digest: neither the time nor the length of the comparison tells anything about the token. */
const bears = ({ headers }: HttpServerRequest.HttpServerRequest, token: Redacted.Redacted): boolean =>
  timingSafeEqual(digest(headers["authorization"] ?? ""), digest(`Bearer ${Redacted.value(token)}`))

const refusal = (status: number, error: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.unsafeJson({ error }, { status, headers })

/** How long what was gathered holds: every worker is asked for it, and whoever scrapes more often gets the same. */
const MEMORY = Duration.seconds(1)

/** Answers a scrape, or says why not. */
export const makeMetricsApp = Effect.gen(function* () {
  const { token } = yield* metricsConfig
  const { families } = yield* MetricSource
  const scraped = Effect.map(families, (all) =>
    HttpServerResponse.text(toPrometheus(all), {
      contentType: PROMETHEUS_TEXT,
      headers: { "cache-control": "no-store" }
    })
  )
  const answer = yield* cached(scraped, MEMORY)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const isKnown = Option.exists(token, (secret) => bears(request, secret))
    if (isKnown || isLocal(request)) return yield* answer
    return Option.isSome(token)
      ? refusal(401, "metrics need the token", { "www-authenticate": "Bearer" })
      : refusal(403, "metrics are for loopback callers")
  })
})

/** `GET /metrics`: every metric of every worker in Prometheus' text format. */
export const MetricsRouteLive = HttpApiBuilder.Router.use((router) =>
  Effect.flatMap(makeMetricsApp, (app) => router.get(HEALTH.metrics, app))
).pipe(Layer.provide(MetricSourceLive))
