import { Effect, Metric, MetricKey, MetricLabel } from "effect"

/** A counter whose series are told apart by labels. */
export interface LabelledCounter<Name extends string> {
  readonly add: (labels: Readonly<Record<Name, string>>, by?: number) => Effect.Effect<void>
  /** The same outside of any fiber. */
  readonly count: (labels: Readonly<Record<Name, string>>, by?: number) => void
  /** What counts one more in the series of these labels, outside of any fiber. */
  readonly counting: (labels: Readonly<Record<Name, string>>) => () => void
}

/**
 * A counter with these labels. Every series is looked up once: `Metric.tagged` builds and hashes its key again with each
 * update, which costs more than all else that is done for an answer from memory. The values must be few and our own:
 * each combination is kept for good.
 */
export const labelledCounter = <Name extends string>(
  name: string,
  description: string,
  labels: ReadonlyArray<Name>
): LabelledCounter<Name> => {
  const key = MetricKey.counter(name, { description, incremental: true })
  const known = new Map<string, Metric.Metric.Counter<number>>()

  const seriesOf = (values: Readonly<Record<Name, string>>): Metric.Metric.Counter<number> => {
    let id = ""
    for (const label of labels) id += `${values[label]}\n`
    const found = known.get(id)
    if (found !== undefined) return found
    const tags = labels.map((label) => MetricLabel.make(label, values[label]))
    const made = Metric.fromMetricKey(MetricKey.taggedWithLabels(key, tags))
    known.set(id, made)
    return made
  }

  const count = (values: Readonly<Record<Name, string>>, by = 1): void =>
    seriesOf(values).unsafeUpdate(by, [])

  return {
    add: (values, by) => Effect.sync(() => count(values, by)),
    count,
    counting: (values) => {
      const series = seriesOf(values)
      return () => series.unsafeUpdate(1, [])
    }
  }
}
