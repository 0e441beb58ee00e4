import { Effect, Layer, Metric, Schedule } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { API_VERSION } from "../../api/version.ts"

/** How often the gauges are read; each figure of the event loop covers the time since the one before. */
const INTERVAL = "5 seconds"
const QUANTILES = [0.5, 0.99] as const
const NANOS = 1e9

const gauge = (name: string, description: string) => Metric.gauge(`token_risk_${name}`, { description })

const loopDelay = gauge("event_loop_delay_seconds", "Delay of the event loop in the last five seconds")
const loopDelayMax = gauge(
  "event_loop_delay_max_seconds",
  "Longest stall of the event loop in the last five seconds"
)
const memory = gauge("process_resident_memory_bytes", "Resident memory of the process")
const cpu = gauge("process_cpu_seconds", "CPU time of the process since its start, user and system")
const started = gauge("process_start_time_seconds", "Start of the process, Unix seconds")
const build = gauge("build_info", "1, with the service's version and Node's")

const reader = Effect.gen(function* () {
  const histogram = monitorEventLoopDelay({ resolution: 10 })
  histogram.enable()
  yield* Effect.addFinalizer(() => Effect.sync(() => histogram.disable()))
  const read = Effect.suspend(() => {
    const user = process.cpuUsage()
    const delays = QUANTILES.map((quantile) =>
      Metric.set(
        Metric.tagged(loopDelay, "quantile", String(quantile)),
        histogram.percentile(quantile * 100) / NANOS
      )
    )
    const max = histogram.max / NANOS
    histogram.reset()
    return Effect.all(
      [
        ...delays,
        Metric.set(loopDelayMax, max),
        Metric.set(memory, process.memoryUsage.rss()),
        Metric.set(cpu, (user.user + user.system) / 1e6)
      ],
      { discard: true }
    )
  })
  yield* Metric.set(started, performance.timeOrigin / 1000)
  yield* Metric.set(
    Metric.tagged(Metric.tagged(build, "version", API_VERSION), "node", process.versions.node),
    1
  )
  yield* read.pipe(Effect.repeat(Schedule.spaced(INTERVAL)), Effect.forkScoped)
})

/** What every process reports of itself: event loop, memory, CPU. */
export const ProcessGaugesLive = Layer.scopedDiscard(reader)
