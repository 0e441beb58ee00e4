import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient, Headers } from "@effect/platform"
import { Cause, Config, Effect, HashMap, Layer, Logger, LogLevel, Option } from "effect"
import { splitCredentials } from "../chain/http-exchange.ts"
import { word } from "../domain/settings.ts"
import { type LogOutput, openLogOutput, standardOutput } from "./log-output.ts"

const levels = ["all", "trace", "debug", "info", "warning", "warn", "error", "fatal", "none"] as const

/** Operations variables: how much is logged, and where traces, metrics and logs go. */
export const telemetryConfig = Config.all({
  level: word("LOG_LEVEL", levels, "info"),
  otlpUrl: Config.option(
    Config.nonEmptyString("OTLP_URL").pipe(
      Config.validate({
        message:
          "must be the http:// or https:// base URL of an OTLP collector, such as http://127.0.0.1:4318",
        validation: (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
      })
    )
  )
})

const LEVEL: Record<(typeof levels)[number], LogLevel.LogLevel> = {
  all: LogLevel.All,
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  // As the lines themselves say it.
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  fatal: LogLevel.Fatal,
  none: LogLevel.None
}

/**
 * Spans record every header of a request and its answer: whoever reads traces must not be able to spend a payment, nor to
 * fetch what somebody bought. What is told is named here, because what clients and proxies send beside it is not known.
 */
const TOLD_HEADERS = [
  "accept",
  "accept-encoding",
  "accept-language",
  "allow",
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "host",
  "mcp-method",
  "mcp-protocol-version",
  "origin",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "traceparent",
  "transfer-encoding",
  "user-agent",
  "x-request-id"
]

const UNTOLD = new RegExp(`^(?!(?:${TOLD_HEADERS.join("|")})$)`)

const redaction = Layer.locallyScoped(Headers.currentRedactedNames, [UNTOLD])

/** One line of JSON each; where lines were lost, the next one says how many. */
const linesTo = (output: LogOutput) =>
  Logger.make<unknown, void>((entry) => {
    const lines = output.takeLost()
    if (lines > 0)
      output.write(
        Logger.jsonLogger.log({
          ...entry,
          logLevel: LogLevel.Warning,
          message: "standard output did not take all log lines: these were lost",
          annotations: HashMap.make(["lines", lines]),
          cause: Cause.empty
        })
      )
    output.write(Logger.jsonLogger.log(entry))
  })

const logger =
  process.stdout.isTTY === true
    ? Logger.pretty
    : Logger.replaceScoped(
        Logger.defaultLogger,
        standardOutput.pipe(Effect.flatMap(openLogOutput), Effect.map(linesTo))
      )

/** With nowhere to send them, spans are not even made: they cost a tenth of a request. */
const exporter = (url: Option.Option<string>) =>
  Option.match(url, {
    onNone: () => Layer.setTracerEnabled(false),
    onSome: (text) => {
      const { headers, url } = splitCredentials(text)
      const resource = { serviceName: "token-risk" }
      return Otlp.layerJson({ baseUrl: url.href, headers, resource }).pipe(
        Layer.provide(FetchHttpClient.layer)
      )
    }
  })

/** Logging, tracing and metrics of the process. Must be provided outermost. */
export const TelemetryLive = Layer.unwrapEffect(
  Effect.map(telemetryConfig, ({ level, otlpUrl }) =>
    Layer.mergeAll(Logger.minimumLogLevel(LEVEL[level]), exporter(otlpUrl), redaction).pipe(
      Layer.provideMerge(logger)
    )
  )
)
