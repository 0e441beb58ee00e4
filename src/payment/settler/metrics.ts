import { Metric, MetricBoundaries } from "effect"

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

/** What is left on a key for network fees; tagged with network and address. Ether or SOL. */
export const keyBalance = Metric.gauge("settlement_key_balance", {
  description: "Native balance of a settling key"
})

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
