import { Effect, Metric, MetricBoundaries, MetricKey } from "effect"
import type { UpstreamError, UpstreamName } from "./errors.ts"

/** Questions to the outside world, by `upstream` and `outcome` (`ok` or the kind of the error). */
const asked = MetricKey.counter("token_risk_upstream_requests_total", {
  description: "Questions to upstreams, by upstream and outcome",
  incremental: true
})

/** Seconds until an upstream had answered, failed or run out of time. */
const seconds = MetricKey.histogram(
  "token_risk_upstream_seconds",
  MetricBoundaries.fromIterable([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
  "Time of one exchange with an upstream"
)

/** 1 while an upstream that failed repeatedly is not asked; by `upstream`. */
export const breakerOpen = (upstream: UpstreamName) =>
  Metric.tagged(
    Metric.gauge("token_risk_upstream_breaker_open", {
      description: "1 while the upstream is known to be down and is not asked"
    }),
    "upstream",
    upstream
  )

type Outcome = "ok" | UpstreamError["kind"]

/** The metrics of one upstream and outcome, tagged once. */
interface Counts {
  readonly count: Metric.Metric.Counter<number>
  readonly time: Metric.Metric.Histogram<number>
}
const known = new Map<string, Counts>()

const metricsOf = (upstream: UpstreamName, outcome: Outcome): Counts => {
  const key = `${upstream} ${outcome}`
  const before = known.get(key)
  if (before !== undefined) return before
  const made = {
    count: Metric.fromMetricKey(
      asked.pipe(MetricKey.tagged("upstream", upstream), MetricKey.tagged("outcome", outcome))
    ),
    time: Metric.fromMetricKey(MetricKey.tagged(seconds, "upstream", upstream))
  }
  known.set(key, made)
  return made
}

/** The same list every time: by it a metric knows its place again, and is not looked up by the hash of its name. */
const NO_MORE_TAGS: [] = []

/** Counts one exchange with an upstream and how long it took. */
export const countUpstream = (upstream: UpstreamName, outcome: Outcome, millis: number): void => {
  const { count, time } = metricsOf(upstream, outcome)
  count.unsafeUpdate(1, NO_MORE_TAGS)
  time.unsafeUpdate(millis / 1_000, NO_MORE_TAGS)
}

/** The same for an effect. An interrupted one is not counted. */
export const observeUpstream =
  <E>(upstream: UpstreamName, kindOf: (error: E) => UpstreamError["kind"]) =>
  <A, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const started = performance.now()
      const count = (outcome: Outcome) =>
        Effect.sync(() => countUpstream(upstream, outcome, performance.now() - started))
      return Effect.tapBoth(effect, {
        onSuccess: () => count("ok"),
        onFailure: (error) => count(kindOf(error))
      })
    })
