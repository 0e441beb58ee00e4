import { type Effect, Metric } from "effect"
import { labelledCounter } from "../../domain/labelled-counter.ts"

const deliveries = labelledCounter(
  "token_risk_webhook_deliveries_total",
  "Attempts to deliver an event, by outcome: delivered, failed (it is tried again later), abandoned.",
  ["outcome"]
)

const underWay = Metric.gauge("token_risk_webhook_deliveries_in_progress", {
  description: "Deliveries of events under way."
})

export const countDelivery = (outcome: "delivered" | "failed" | "abandoned"): Effect.Effect<void> =>
  deliveries.add({ outcome })

/** Says how many deliveries one process has under way. */
export const gaugeDeliveries = (count: number): void => underWay.unsafeUpdate(count, [])
