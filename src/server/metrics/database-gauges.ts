import { Duration, Effect, Layer, Metric, Schedule } from "effect"
import { UpstreamError } from "../../domain/errors.ts"
import { tellingTrouble } from "../../domain/trouble.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { makeWriteProbe } from "../../storage/write-probe.ts"

/** How often the database is written to. */
const INTERVAL = Duration.seconds(15)
/** Longest a write may take: above what one waits for another process that is writing. */
const PATIENCE = Duration.seconds(10)

/** Nothing is sold without the database; this shows a failure also while there are no requests. */
const writable = Metric.gauge("token_risk_database_writable", {
  description: "1 when the database took a write when last tried, 0 when it did not; tried every 15 seconds"
})

const silent = () =>
  new UpstreamError({
    upstream: "database",
    kind: "timeout",
    detail: `a write has no answer after ${Duration.toSeconds(PATIENCE)} seconds`
  })

const reader = Effect.gen(function* () {
  const write = yield* makeWriteProbe
  const attempt = narrowSql(write).pipe(
    // A statement that cannot be stopped ends by itself; this one is not waited for.
    Effect.disconnect,
    Effect.timeoutFail({ duration: PATIENCE, onTimeout: silent }),
    tellingTrouble("writing to the database")
  )
  const look = Effect.matchCauseEffect(attempt, {
    onFailure: () => Metric.set(writable, 0),
    onSuccess: () => Metric.set(writable, 1)
  })
  yield* look.pipe(Effect.repeat(Schedule.spaced(INTERVAL)), Effect.forkScoped)
})

/** Says in the metrics and in the log whether the database takes writes. Requires `SqlClient`. */
export const DatabaseGaugesLive = Layer.scopedDiscard(reader)
