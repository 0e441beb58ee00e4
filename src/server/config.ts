import { Config, ConfigError, Effect, Either, Option } from "effect"
import { attestationConfig } from "../attestation/attestor-live.ts"
import { baseRpcConfig } from "../chain/base-rpc.ts"
import { solanaRpcConfig } from "../chain/solana-rpc.ts"
import { checkoutConfig } from "../checkout/config.ts"
import { freeTierConfig } from "../free-tier/config.ts"
import { addressLimitsConfig } from "../free-tier/failure-budget.ts"
import { clientAddressConfig } from "../http/client-address.ts"
import { contactConfig } from "../http/documents.ts"
import { examplesConfig } from "../http/examples.ts"
import { accessLogConfig } from "../http/observe.ts"
import { sampleRatioConfig } from "../http/sampling.ts"
import { marketConfig } from "../market/market-data-live.ts"
import { mcpConfig } from "../mcp/mcp-live.ts"
import { pricesConfig } from "../operations/config.ts"
import { paymentConfig, watermarkConfig } from "../payment/config.ts"
import { holderIndexConfig } from "../screening/base/holders/blockscout.ts"
import { basePlanConfig } from "../screening/base/plan.ts"
import { screenerConfig } from "../screening/screener-config.ts"
import { solanaPlanConfig } from "../screening/solana/plan.ts"
import { databaseConfig } from "../storage/database.ts"
import { workersConfig } from "./cluster.ts"
import { withNow } from "../domain/now.ts"
import { invalid } from "../domain/settings.ts"
import { metricsConfig } from "./metrics/route.ts"
import { telemetryConfig } from "./telemetry.ts"
import { listenConfig, publicUrlConfig } from "./listen.ts"

/**
 * Everything the service reads from the environment. Each layer reads its own part; this value exists so that every
 * missing or wrong variable is reported at once, before anything listens.
 */
export const serviceConfig = Config.all({
  listen: listenConfig,
  publicUrl: publicUrlConfig,
  prices: pricesConfig,
  payment: paymentConfig,
  freeTier: freeTierConfig,
  database: databaseConfig,
  attestation: attestationConfig,
  screener: screenerConfig,
  market: marketConfig,
  baseRpc: baseRpcConfig,
  solanaRpc: solanaRpcConfig,
  basePlan: basePlanConfig,
  holderIndex: holderIndexConfig,
  solanaPlan: solanaPlanConfig,
  checkout: checkoutConfig,
  mcp: mcpConfig,
  contact: contactConfig,
  examples: examplesConfig,
  clientAddress: clientAddressConfig,
  addressLimits: addressLimitsConfig,
  accessLog: accessLogConfig,
  sampleRatio: sampleRatioConfig,
  telemetry: telemetryConfig,
  metrics: metricsConfig,
  workers: workersConfig
})

export type ServiceConfig = Config.Config.Success<typeof serviceConfig>

/** Until then every transfer that must be recognised would buy nothing, though it was paid. */
const watermarkIsPast = Effect.flatMap(watermarkConfig, (watermark) =>
  withNow((now) =>
    Option.exists(watermark, (instant) => instant.getTime() > now)
      ? invalid("LEDGER_WATERMARK", "must not lie in the future: it is the moment a backup was restored")
      : Effect.void
  )
)

/** What the variables say, and whether it can be true now. */
export const checkedConfig = Effect.gen(function* () {
  const [config, past] = yield* Effect.all([serviceConfig, watermarkIsPast], { mode: "either" })
  if (Either.isRight(config)) return yield* Effect.zipRight(past, config)
  return yield* Effect.fail(Either.isRight(past) ? config.left : ConfigError.And(config.left, past.left))
})
