import { describe, expect, it } from "@effect/vitest"
import { Effect, Metric, MetricBoundaries } from "effect"
import { familiesOf, mergeFamilies, withLabel } from "../../../src/server/metrics/families.ts"
import { toPrometheus } from "../../../src/server/metrics/prometheus.ts"
import { parseExposition } from "../../support/server/exposition.ts"

/** The lines about one metric. */
const linesOf = (name: string) =>
  Effect.map(Metric.snapshot, (pairs) =>
    toPrometheus(familiesOf(pairs))
      .split("\n")
      .filter((line) => line.includes(name))
  )

describe("the Prometheus text", () => {
  it.effect("names counters as Prometheus does, under our prefix, and groups their samples", () =>
    Effect.gen(function* () {
      const calls = Metric.counter("test_calls", { description: "Calls\nmade", incremental: true })
      yield* Metric.increment(Metric.tagged(calls, "to", "a"))
      yield* Metric.increment(Metric.tagged(calls, "to", 'b"\\\n'))
      expect(yield* linesOf("test_calls")).toEqual([
        "# HELP token_risk_test_calls_total Calls\\nmade",
        "# TYPE token_risk_test_calls_total counter",
        'token_risk_test_calls_total{to="a"} 1',
        'token_risk_test_calls_total{to="b\\"\\\\\\n"} 1'
      ])
    })
  )

  it.effect("says what the runtime's own metrics are, which come without a word", () =>
    Effect.gen(function* () {
      const own = familiesOf(yield* Metric.snapshot).filter(({ name }) => /_effect_/.test(name))
      expect(own.length).toBeGreaterThan(3)
      expect(own.filter(({ help }) => help === "").map(({ name }) => name)).toEqual([])
    })
  )

  it.effect("gives histograms cumulative buckets up to infinity, sum and count", () =>
    Effect.gen(function* () {
      const sizes = Metric.histogram("test_sizes", MetricBoundaries.fromIterable([1, 5]))
      for (const size of [0.5, 3, 30]) yield* Metric.update(sizes, size)
      expect(yield* linesOf("test_sizes")).toEqual([
        "# TYPE token_risk_test_sizes histogram",
        'token_risk_test_sizes_bucket{le="1"} 1',
        'token_risk_test_sizes_bucket{le="5"} 2',
        'token_risk_test_sizes_bucket{le="+Inf"} 3',
        "token_risk_test_sizes_sum 33.5",
        "token_risk_test_sizes_count 3"
      ])
    })
  )

  it.effect("keeps the same metric of two workers apart, under one heading", () =>
    Effect.gen(function* () {
      yield* Metric.set(Metric.gauge("test_depth"), 4)
      const own = familiesOf(yield* Metric.snapshot).filter(({ name }) => name === "token_risk_test_depth")
      const text = toPrometheus(
        mergeFamilies([own.map(withLabel("worker", "1")), own.map(withLabel("worker", "2"))])
      )
      expect(text).toBe(
        [
          "# TYPE token_risk_test_depth gauge",
          'token_risk_test_depth{worker="1"} 4',
          'token_risk_test_depth{worker="2"} 4',
          ""
        ].join("\n")
      )
    })
  )

  it.effect("is what a strict parser takes, whatever names, labels and values there are", () =>
    Effect.gen(function* () {
      const odd = ["", 'a,b="c"', "\\", "\n", "}", "é", "{} 1"]
      const gauge = Metric.gauge("test.odd-name", { description: 'with "quotes", \\ and\nlines' })
      for (const label of odd) yield* Metric.set(Metric.tagged(gauge, "of-what", label), 1)
      for (const [index, value] of [NaN, Infinity, -Infinity, 1e-9, 1e300, -0].entries())
        yield* Metric.set(Metric.tagged(gauge, "at", String(index)), value)
      const times = Metric.histogram(
        "test_times",
        MetricBoundaries.exponential({ start: 0.001, factor: 2, count: 5 })
      )
      for (const route of ["a", "b"]) yield* Metric.update(Metric.tagged(times, "route", route), 0.004)
      yield* Metric.update(Metric.frequency("test_words"), 'a "word"')
      const families = familiesOf(yield* Metric.snapshot)
      const series = parseExposition(toPrometheus(families))
      expect(series.filter(({ name }) => name === "token_risk_test_odd_name")).toHaveLength(odd.length + 6)
      const two = mergeFamilies([
        families.map(withLabel("worker", "1")),
        families.map(withLabel("worker", "2"))
      ])
      expect(parseExposition(toPrometheus(two))).toHaveLength(2 * series.length)
    })
  )
})
