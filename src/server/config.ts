import { Config } from "effect"
import { attestationConfig } from "../attestation/attestor-live.ts"
import { freeTierConfig } from "../free-tier/config.ts"
import { clientAddressConfig } from "../http/client-address.ts"
import { listenConfig, pricesConfig, publicUrlConfig } from "../operations/config.ts"
import { paymentConfig } from "../payment/config.ts"
import { screenerConfig } from "../screening/screener-live.ts"
import { databaseConfig } from "../storage/database.ts"
import { workersConfig } from "./cluster.ts"
import { telemetryConfig } from "./telemetry.ts"

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
  clientAddress: clientAddressConfig,
  telemetry: telemetryConfig,
  workers: workersConfig
})
