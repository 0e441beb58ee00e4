/** What the metrics say was earned. */
import { Effect, Metric, MetricState } from "effect"

/** USDC, in whole millionths: the counter is a float. */
export const earned = Effect.map(Metric.snapshot, (pairs) =>
  pairs.reduce(
    (sum, { metricKey, metricState }) =>
      metricKey.name === "token_risk_revenue_usdc_total" && MetricState.isCounterState(metricState)
        ? sum + Math.round(Number(metricState.count) * 1e6)
        : sum,
    0
  )
)
