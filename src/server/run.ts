import { HttpApiBuilder } from "@effect/platform"
import { NodeHttpClient, NodeHttpServer } from "@effect/platform-node"
import { Cause, ConfigError, Console, Data, Effect, Layer, Option, Ref } from "effect"
import { makeApi } from "../api/api.ts"
import { checkoutServiceConfig } from "../checkout/config.ts"
import { AdmissionLive } from "../http/admission/admission.ts"
import { CheckoutLive } from "../http/checkout.ts"
import { MerchantLive } from "../http/merchant.ts"
import { ClientAddressLive } from "../http/client-address.ts"
import { DocumentsLive } from "../http/documents.ts"
import { ErrorBoundary } from "../http/error-boundary.ts"
import { PreparedDocumentsLive } from "../http/fast/documents.ts"
import { UnpaidToolsLive } from "../http/fast/unpaid-tools.ts"
import { HttpChannelLive } from "../http/serve.ts"
import { PurchasesHttpLive } from "../http/purchases.ts"
import { TokenRiskLive } from "../http/token-risk.ts"
import { McpLive } from "../mcp/mcp-live.ts"
import { ListeningLive, NodeServerLive } from "./listening.ts"
import { CapabilitiesLive } from "./capabilities.ts"
import { FullCollectionLive } from "./full-collection.ts"
import { StartError } from "../domain/errors.ts"
import { isWorker, runPrimary, tellPrimary, WorkersFailed } from "./cluster.ts"
import { DatabaseGaugesLive } from "./metrics/database-gauges.ts"
import { PaymentGaugesLive } from "./metrics/payment-gauges.ts"
import { ProcessGaugesLive } from "./metrics/process-gauges.ts"
import { MetricsRouteLive } from "./metrics/route.ts"
import { describeConfigError } from "./config-errors.ts"
import { checkedConfig, type ServiceConfig } from "./config.ts"
import { ReadinessRouteLive } from "./readiness.ts"
import { describeStart } from "./start-table.ts"
import { TelemetryLive } from "./telemetry.ts"

const ApiLive = Layer.unwrapEffect(
  Effect.map(checkoutServiceConfig, (service) => HttpApiBuilder.api(makeApi(service)))
).pipe(Layer.provide([TokenRiskLive, PurchasesHttpLive, CheckoutLive, MerchantLive]))

const ReadyLive = ReadinessRouteLive.pipe(Layer.provide(NodeHttpClient.layerUndici))

/** Every channel, without the server that serves it. */
const ChannelsLive = HttpChannelLive.pipe(
  Layer.provide([ErrorBoundary, DocumentsLive, McpLive, MetricsRouteLive, ReadyLive, AdmissionLive]),
  Layer.provide(PreparedDocumentsLive),
  Layer.provide(UnpaidToolsLive),
  Layer.provide(ApiLive),
  Layer.provide(ClientAddressLive)
)

/**
 * The whole service. The port opens last. Capabilities are provided below the server: they close after the last request
 * is answered.
 */
const ServiceLive = ListeningLive.pipe(
  Layer.provide([ChannelsLive, ProcessGaugesLive, DatabaseGaugesLive, PaymentGaugesLive, FullCollectionLive]),
  Layer.provide([NodeServerLive, NodeHttpServer.layerContext]),
  Layer.provide(CapabilitiesLive)
)

/** Runs until it is interrupted. `announce` runs once, as soon as the port answers. */
const service = (
  { workers }: ServiceConfig,
  announce: Effect.Effect<void>
): Effect.Effect<never, WorkersFailed | Layer.Layer.Error<typeof ServiceLive>> =>
  workers > 1 && !isWorker
    ? runPrimary(workers, announce)
    : Layer.build(ServiceLive).pipe(
        Effect.zipRight(isWorker ? tellPrimary : announce),
        Effect.zipRight(Effect.never),
        Effect.scoped
      )

const refuse = (lines: ReadonlyArray<string>) =>
  Console.error(["token-risk cannot start:", ...lines.map((line) => `  ${line}`)].join("\n"))

/** An error nobody foresaw keeps its trace for debugging; the operator gets one line. */
const describeUnknown = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  const text = error instanceof Error ? error.message : String(error)
  return Effect.zipRight(
    Effect.logDebug("token-risk stopped", cause),
    refuse([`${text.split("\n")[0]?.slice(0, 300)} (LOG_LEVEL=debug shows where)`])
  )
}

/**
 * What ended the process, told once and in words: every error is one line that names a variable where one is at fault.
 */
const explain = (cause: Cause.Cause<unknown>, started: boolean) => {
  if (Cause.isInterruptedOnly(cause)) return Effect.void
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (ConfigError.isConfigError(error)) return refuse(describeConfigError(error))
  if (error instanceof StartError) return refuse([error.message])
  if (error instanceof WorkersFailed) return refuse(["no worker could be started; the reason stands above"])
  return started ? Effect.logFatal("token-risk stopped", cause) : describeUnknown(cause)
}

const run = Effect.fnUntraced(function* (config: ServiceConfig) {
  const started = yield* Ref.make(false)
  const announce = Effect.zipRight(Ref.set(started, true), Console.log(describeStart(config)))
  return yield* service(config, announce).pipe(
    Effect.tapErrorCause((cause) => Effect.flatMap(Ref.get(started), (was) => explain(cause, was))),
    Effect.provide(TelemetryLive)
  )
})

const told = Effect.tapErrorCause(checkedConfig, (cause) => explain(cause, false))

/**
 * The process: checks the whole configuration before anything listens, runs until a signal, drains. The check comes
 * before telemetry, which is configured too: a wrong log level must not hide what else is wrong.
 */
const program = Effect.flatMap(told, run)

/** Only the check: prints what the service would use, or everything that is wrong, and opens nothing. */
const checkConfig = Effect.flatMap(told, (config) =>
  Console.log(`${describeStart(config)}\nthe configuration is valid`)
)

class UnknownArgument extends Data.TaggedError("UnknownArgument") {}

/** What the arguments ask for. One that is mistyped starts nothing: it may have meant only to check. */
export const processFor = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const unknown = args.find((arg) => arg !== "--check-config")
  if (unknown !== undefined) {
    yield* refuse([
      `${unknown}: is no argument of the service, which takes --check-config and reads all else from the environment`
    ])
    return yield* new UnknownArgument()
  }
  return yield* args.length === 0 ? program : checkConfig
})
