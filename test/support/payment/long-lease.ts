import { ConfigProvider, Layer } from "effect"

/** Databases count leases by their own clocks: on a busy machine a test takes longer than a payment is its process's by default. */
export const longLease = Layer.setConfigProvider(
  ConfigProvider.fromMap(new Map([["PAYMENT_LEASE", "1 hour"]]))
)
