import { Clock, type Duration, Effect, Metric, Schedule } from "effect"
import { labelledCounter } from "../domain/labelled-counter.ts"

const rows = labelledCounter(
  "token_risk_retention_rows_total",
  "Rows that were dropped because their time had come, by task",
  ["task"]
)
const failures = labelledCounter(
  "token_risk_retention_failures_total",
  "Runs of a retention job that failed, by task",
  ["task"]
)
const lastRun = Metric.gauge("token_risk_retention_last_run_seconds", {
  description:
    "When a retention job last ran to its end, or was begun for the first time, Unix seconds, by task"
})

/**
 * Runs a purge now and then again and again, until the scope closes. Its work shows in the metrics under `task` (`job` is
 * a label of Prometheus' own); a run that fails or dies is logged, and the next one makes up for it.
 * @param purge drops what is old, and says how many rows that were
 */
export const retained = <E, R>(
  task: string,
  interval: Duration.DurationInput,
  purge: Effect.Effect<number, E, R>
) => {
  const noteTime = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Metric.set(Metric.tagged(lastRun, "task", task), now / 1_000)
  )
  const run = purge.pipe(
    Effect.tap((dropped) => rows.add({ task }, dropped)),
    Effect.zipRight(noteTime),
    Effect.catchAllCause((cause) =>
      Effect.zipRight(
        failures.add({ task }),
        Effect.logWarning("a retention job failed", cause).pipe(Effect.annotateLogs({ task }))
      )
    ),
    Effect.repeat(Schedule.spaced(interval))
  )
  // Of a job that never ran to its end an alert would else see nothing.
  return Effect.zipRight(noteTime, Effect.forkScoped(run))
}
