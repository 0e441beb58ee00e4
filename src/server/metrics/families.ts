import type { MetricPair } from "effect"
import { MetricKeyType, MetricState, Option } from "effect"

/** One line of the exposition: `name + suffix { labels } value`. */
interface Sample {
  readonly suffix: string
  readonly labels: ReadonlyArray<readonly [name: string, value: string]>
  readonly value: number
}

/** All samples of one metric. Plain data: workers send it to the primary. */
export interface Family {
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram" | "summary"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const PREFIX = "token_risk_"

/** Metrics of ours and of libraries under one prefix, counters with the ending that Prometheus expects. */
const nameOf = (name: string, type: Family["type"]): string => {
  const plain = name.replace(/[^a-zA-Z0-9_]/g, "_")
  const own = plain.startsWith(PREFIX) ? plain : `${PREFIX}${plain}`
  return type === "counter" && !own.endsWith("_total") ? `${own}_total` : own
}

type Read = Pick<Family, "type" | "samples">
type Labels = Sample["labels"]

const single = (type: Family["type"], labels: Labels, value: number | bigint): Read => ({
  type,
  samples: [{ suffix: "", labels, value: Number(value) }]
})

const bound = (value: number): string => (value === Number.POSITIVE_INFINITY ? "+Inf" : String(value))

const histogram = (labels: Labels, state: MetricState.MetricState.Histogram): Read => ({
  type: "histogram",
  samples: [
    ...state.buckets.map(([le, value]) => ({
      suffix: "_bucket",
      labels: [...labels, ["le", bound(le)] as const],
      value
    })),
    { suffix: "_sum", labels, value: state.sum },
    { suffix: "_count", labels, value: state.count }
  ]
})

const summary = (labels: Labels, state: MetricState.MetricState.Summary): Read => ({
  type: "summary",
  samples: [
    ...state.quantiles.flatMap(([quantile, value]) =>
      Option.match(value, {
        onNone: () => [],
        onSome: (known) => [
          { suffix: "", labels: [...labels, ["quantile", String(quantile)] as const], value: known }
        ]
      })
    ),
    { suffix: "_sum", labels, value: state.sum },
    { suffix: "_count", labels, value: state.count }
  ]
})

const frequency = (labels: Labels, state: MetricState.MetricState.Frequency): Read => ({
  type: "counter",
  samples: Array.from(state.occurrences, ([word, value]) => ({
    suffix: "",
    labels: [...labels, ["value", word] as const],
    value
  }))
})

const read = ({ metricKey, metricState }: MetricPair.MetricPair.Untyped): Read => {
  const labels = metricKey.tags.map(({ key, value }) => [key, value] as const)
  if (MetricState.isHistogramState(metricState)) return histogram(labels, metricState)
  if (MetricState.isSummaryState(metricState)) return summary(labels, metricState)
  if (MetricState.isFrequencyState(metricState)) return frequency(labels, metricState)
  if (MetricState.isGaugeState(metricState)) return single("gauge", labels, metricState.value)
  if (MetricState.isCounterState(metricState)) {
    // A counter that may fall is a gauge to Prometheus, which would take its fall for a restart.
    const rises = MetricKeyType.isCounterKey(metricKey.keyType) && metricKey.keyType.incremental
    return single(rises ? "counter" : "gauge", labels, metricState.count)
  }
  return { type: "gauge", samples: [] }
}

/** Effect's own metrics come without a description. */
const RUNTIME_HELP: Readonly<Record<string, string>> = {
  effect_fiber_started: "Fibers that were started",
  effect_fiber_active: "Fibers that have not ended",
  effect_fiber_successes: "Fibers that ended with a value",
  effect_fiber_failures: "Fibers that failed or were interrupted",
  effect_fiber_lifetimes: "Time from a fiber's start to its end, milliseconds"
}

/** A snapshot of the metrics as families; samples of one name stand together, as the format demands. */
export const familiesOf = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): ReadonlyArray<Family> =>
  mergeFamilies([
    pairs.map((pair): Family => {
      const { type, samples } = read(pair)
      const { description, name } = pair.metricKey
      const help = Option.getOrElse(description, () => RUNTIME_HELP[name] ?? "")
      return { name: nameOf(name, type), type, help, samples }
    })
  ])

/** Families of several sources in one list, each name once. */
export const mergeFamilies = (sources: ReadonlyArray<ReadonlyArray<Family>>): ReadonlyArray<Family> => {
  const byName = new Map<string, Family>()
  for (const family of sources.flat()) {
    const before = byName.get(family.name)
    byName.set(
      family.name,
      before === undefined ? family : { ...before, samples: [...before.samples, ...family.samples] }
    )
  }
  return [...byName.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Every sample with one more label: the same metric of two workers must not have one name and one set of labels. */
export const withLabel =
  (name: string, value: string) =>
  (family: Family): Family => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: [...sample.labels, [name, value]] }))
  })
