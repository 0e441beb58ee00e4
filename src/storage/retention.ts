import { Clock, type Duration, Effect, Metric, Schedule } from "effect"

const rows = Metric.counter("token_risk_retention_rows_total", {
  description: "Rows that were dropped because their time had come, by job",
  incremental: true
})
const failures = Metric.counter("token_risk_retention_failures_total", {
  description: "Runs of a retention job that failed, by job",
  incremental: true
})
const lastRun = Metric.gauge("token_risk_retention_last_run_seconds", {
  description: "When a retention job last ran to its end, Unix seconds, by job"
})

/**
 * Runs a purge now and then again and again, until the scope closes. Its work shows in the metrics under `job`; a run
 * that fails is logged, and the next one makes up for it.
 * @param purge drops what is old, and says how many rows that were
 */
export const retained = <E, R>(
  job: string,
  interval: Duration.DurationInput,
  purge: Effect.Effect<number, E, R>
) =>
  purge.pipe(
    Effect.tap((dropped) => Metric.incrementBy(Metric.tagged(rows, "job", job), dropped)),
    Effect.zipRight(Clock.currentTimeMillis),
    Effect.flatMap((now) => Metric.set(Metric.tagged(lastRun, "job", job), now / 1_000)),
    Effect.catchAll((error) =>
      Effect.zipRight(
        Metric.increment(Metric.tagged(failures, "job", job)),
        Effect.logWarning("a retention job failed", error).pipe(Effect.annotateLogs({ job }))
      )
    ),
    Effect.repeat(Schedule.spaced(interval)),
    Effect.forkScoped
  )
