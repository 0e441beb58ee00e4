import { Cause, Effect, Exit, Metric, MetricLabel, Option } from "effect"
import type { Payment } from "../message/payment.ts"
import type { Order, Sold } from "./sale.ts"

/** Requests with a payment, by network, operation and outcome. */
const sales = Metric.counter("token_risk_sales_total", {
  description: "Requests with a payment, by network, operation and outcome.",
  incremental: true
})

/** Smallest units of USDC earned, each payment once. */
const revenue = Metric.counter("token_risk_revenue_usdc_units_total", {
  description: "USDC earned, in millionths, by network and operation.",
  bigint: true,
  incremental: true
})

/** Payments whose settlement was begun and whose outcome is not known. */
export const unresolvedGauge = Metric.gauge("token_risk_payments_unresolved", {
  description: "Payments whose settlement was begun and whose outcome is not known yet."
})

const OUTCOMES: Readonly<Record<string, string>> = {
  PaymentRejected: "refused",
  PaymentUnresolved: "unresolved",
  PaymentUnavailable: "unavailable"
}

const tagOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : ""

const outcomeOf = (exit: Exit.Exit<Sold, unknown>): string => {
  if (Exit.isSuccess(exit)) return exit.value.replayed ? "replayed" : "sold"
  const failure = Cause.failureOption(exit.cause)
  if (Option.isNone(failure)) return Cause.isInterrupted(exit.cause) ? "interrupted" : "defect"
  return OUTCOMES[tagOf(failure.value)] ?? "no-result"
}

const labelsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([name, value]) => MetricLabel.make(name, value))

/** Counts what became of one request with a payment. */
export const counted = <E, R>(payment: Payment, order: Order, sell: Effect.Effect<Sold, E, R>) =>
  Effect.onExit(sell, (exit) => {
    const network = payment.scheme === "unsupported" ? "unsupported" : payment.network
    const labels = { network, operation: order.operation ?? "other" }
    const outcome = outcomeOf(exit)
    const count = Metric.increment(Metric.taggedWithLabels(sales, labelsOf({ ...labels, outcome })))
    const amount = order.accepts.find((terms) => terms.network === payment.network)?.amount
    return outcome === "sold" && amount !== undefined
      ? Effect.zipRight(
          count,
          Metric.incrementBy(Metric.taggedWithLabels(revenue, labelsOf(labels)), BigInt(amount))
        )
      : count
  })
