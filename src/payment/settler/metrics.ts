import { Effect, Metric, MetricBoundaries } from "effect"
import type { Network } from "../../domain/chain.ts"

/** Payments one transaction on Base carried. */
export const batchSize = Metric.histogram(
  "settlement_batch_payments",
  MetricBoundaries.fromIterable([1, 2, 3, 5, 8, 13, 20]),
  "Payments in one settling transaction"
)

/** Network fees of included transactions; tagged with the network. */
export const feesPaid = Metric.counter("settlement_fees_usd_micros", {
  description: "Network fees paid, millionths of a USD",
  incremental: true
})

const keyBalance = Metric.gauge("settlement_key_balance", {
  description: "Native balance of a settling key, in ether or SOL"
})
const keyLow = Metric.gauge("settlement_key_low", {
  description: "1 while a settling key holds less than SETTLEMENT_LOW_ETH or SETTLEMENT_LOW_SOL, else 0"
})

/** What is left on a key for network fees, in ether or SOL, and whether the operator should fill it up. */
export const showBalance = (network: Network, address: string, amount: number, isLow: boolean) => {
  const ofKey = (gauge: typeof keyBalance) =>
    Metric.tagged(Metric.tagged(gauge, "network", network), "address", address)
  return Effect.zipRight(Metric.set(ofKey(keyBalance), amount), Metric.set(ofKey(keyLow), isLow ? 1 : 0))
}

/** From the hand-over of a payment to the block that executes it; tagged with the network. */
export const settlementSeconds = Metric.histogram(
  "settlement_seconds",
  MetricBoundaries.fromIterable([0.25, 0.5, 1, 2, 3, 5, 8, 13, 21, 34, 60]),
  "Seconds from hand-over to inclusion"
)

/** Transactions sent again for a higher fee, cancelled, or taken out of the chain; tagged with `event`. */
export const settlementEvents = Metric.counter("settlement_events", {
  description: "replaced, cancelled, reorganised, lost, foreign",
  incremental: true
})

export type SettlementEvent = "replaced" | "cancelled" | "reorganised" | "lost" | "foreign"

export const countEvent = (event: SettlementEvent) =>
  Metric.increment(Metric.tagged(settlementEvents, "event", event))
