import { HttpApiBuilder } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Cause, Config, ConfigError, Console, Effect, Layer, Option } from "effect"
import { makeApi } from "../api/api.ts"
import { checkoutServiceConfig } from "../checkout/config.ts"
import { AdmissionLive } from "../http/admission/admission.ts"
import { CheckoutLive } from "../http/checkout.ts"
import { addressLimitsConfig } from "../free-tier/failure-budget.ts"
import { MerchantLive } from "../http/merchant.ts"
import { clientAddressConfig, ClientAddressLive } from "../http/client-address.ts"
import { DocumentsLive } from "../http/documents.ts"
import { ErrorBoundary } from "../http/error-boundary.ts"
import { HttpChannelLive } from "../http/serve.ts"
import { TokenRiskLive } from "../http/token-risk.ts"
import { McpLive } from "../mcp/mcp-live.ts"
import { listenConfig } from "../operations/config.ts"
import { CapabilitiesLive } from "./capabilities.ts"
import { isWorker, runPrimary } from "./cluster.ts"
import type { ConnectionLimits } from "./connections.ts"
import { DEFAULT_LIMITS } from "./connections.ts"
import { PaymentGaugesLive } from "./metrics/payment-gauges.ts"
import { ProcessGaugesLive } from "./metrics/process-gauges.ts"
import { MetricsRouteLive } from "./metrics/route.ts"
import { describeConfigError } from "./config-errors.ts"
import { serviceConfig } from "./config.ts"
import { makeNodeServer } from "./node-server.ts"
import { describeStart } from "./start-table.ts"
import { TelemetryLive } from "./telemetry.ts"

const ApiLive = Layer.unwrapEffect(
  Effect.map(checkoutServiceConfig, (service) => HttpApiBuilder.api(makeApi(service)))
).pipe(Layer.provide([TokenRiskLive, CheckoutLive, MerchantLive]))

/** Every channel, without a server to serve it. */
export const ChannelsLive = HttpChannelLive.pipe(
  Layer.provide([ErrorBoundary, DocumentsLive, McpLive, MetricsRouteLive, AdmissionLive]),
  Layer.provide(ApiLive),
  Layer.provide(ClientAddressLive)
)

/** Behind proxies all connections come from a few peers, and something in front may do the counting. */
const connectionLimits = Config.map(
  Config.all([addressLimitsConfig, clientAddressConfig]),
  ([limits, trust]): ConnectionLimits =>
    limits === "on" && trust._tag === "nobody" ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, perPeer: undefined }
)

const ServerLive = Layer.unwrapEffect(
  Effect.map(Effect.all([listenConfig, connectionLimits]), ([{ host, port }, limits]) =>
    NodeHttpServer.layer(() => makeNodeServer(limits), { host, port })
  )
)

/** The whole service. Capabilities are provided below the server: they close after the last request is answered. */
export const ServiceLive = Layer.mergeAll(ChannelsLive, ProcessGaugesLive, PaymentGaugesLive).pipe(
  Layer.provide(ServerLive),
  Layer.provide(CapabilitiesLive)
)

const service = Effect.fnUntraced(function* (config: Config.Config.Success<typeof serviceConfig>) {
  if (config.workers > 1 && !isWorker) {
    yield* Console.log(describeStart(config))
    return yield* runPrimary(config.workers)
  }
  if (!isWorker) yield* Console.log(describeStart(config))
  return yield* Layer.launch(ServiceLive)
})

const isConfigFailure = (cause: Cause.Cause<unknown>): boolean =>
  Option.exists(Cause.failureOption(cause), ConfigError.isConfigError)

/**
 * The process: checks the whole configuration before anything listens, runs until a signal, drains. The check comes
 * before telemetry, which is configured too: a wrong log level must not hide what else is wrong.
 */
export const program = Effect.flatMap(serviceConfig, (config) =>
  service(config).pipe(
    Effect.tapErrorCause((cause) =>
      isConfigFailure(cause) ? Effect.void : Effect.logFatal("token-risk stopped", cause)
    ),
    Effect.provide(TelemetryLive)
  )
).pipe(
  Effect.catchIf(ConfigError.isConfigError, (error) =>
    Console.error(
      ["token-risk cannot start:", ...describeConfigError(error).map((line) => `  ${line}`)].join("\n")
    ).pipe(Effect.zipRight(Effect.fail("invalid configuration" as const)))
  )
)
