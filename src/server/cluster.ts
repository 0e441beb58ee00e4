import type { Worker } from "node:cluster"
import cluster from "node:cluster"
import { Config, Data, Effect, Either, Queue } from "effect"
import { invalid, wholeNumber } from "../domain/settings.ts"
import { databaseConfig } from "../storage/database.ts"
import { SQLITE_MEMORY } from "../storage/database-url.ts"
import { gatherForWorkers, workersNow } from "./metrics/cluster-source.ts"

const workers = wholeNumber("WORKERS", { least: 1, most: 64, fallback: 1 })

/** `WORKERS`: processes that share the listening port. They share the ledger too, so it cannot be kept in memory. */
export const workersConfig = Config.all([workers, databaseConfig]).pipe(
  Config.mapOrFail(([count, { url }]) =>
    count > 1 && url.dialect === "sqlite" && url.path === SQLITE_MEMORY
      ? invalid(
          "WORKERS",
          "must be 1 with DATABASE_URL=sqlite::memory:, which processes cannot share; name a file or PostgreSQL"
        )
      : Either.right(count)
  )
)

/** Least time between two restarts of a worker, so that a broken deployment does not spin. */
const RESTART_PAUSE = "1 second"
/** Workers that may end before they serve, one after another, before the primary gives up. */
const MAX_FAILED_STARTS = 5

export const isWorker = cluster.isWorker

/** No worker could be started. The worker has said why. */
export class WorkersFailed extends Data.TaggedError("WorkersFailed") {}

const STOP = "token-risk/stop"
const SERVING = "token-risk/serving"

/**
 * In a worker: stops as on SIGTERM when the primary says so, and when the primary is gone. A message and not a signal:
 * systemd and terminals signal the whole group, so a worker may have begun to stop already.
 */
export const obeyPrimary = (): void => {
  const stop = () => process.kill(process.pid, "SIGTERM")
  process.on("message", (message) => {
    if (message === STOP) stop()
  })
  const { worker } = cluster
  // A message to a primary that is gone is an error event, which unheard would end the worker in the middle of its sales.
  worker?.on("error", () => {})
  // Node itself ends a disconnected worker at once, unless it takes it to be leaving anyway.
  worker?.once("disconnect", () => Object.assign(worker, { exitedAfterDisconnect: true }))
  process.once("disconnect", stop)
}

/** In a worker: requests are answered from now on. The port listens a little earlier, and refuses them. */
export const tellPrimary: Effect.Effect<void> = Effect.sync(() => process.send?.(SERVING))

/** Workers that serve. One that is still loading hears no message, and has no work that a signal could interrupt. */
const serving = new WeakSet<Worker>()

const stopWorker = (worker: Worker): void => {
  if (!serving.has(worker)) worker.process.kill("SIGTERM")
  else if (worker.isConnected()) worker.send(STOP)
}

const stopWorkers = Effect.async<void>((resume) => {
  const running = workersNow()
  let left = running.length
  if (left === 0) return resume(Effect.void)
  for (const worker of running) {
    worker.once("exit", () => {
      left -= 1
      if (left === 0) resume(Effect.void)
    })
    stopWorker(worker)
  }
})

/** Starts one worker and waits until it serves; false when it ended before. */
const startWorker = Effect.async<boolean>((resume) => {
  const worker = cluster.fork()
  worker.on("message", (message) => {
    if (message !== SERVING) return
    serving.add(worker)
    resume(Effect.succeed(true))
  })
  worker.once("exit", () => resume(Effect.succeed(false)))
  // It could not be started, or died before it was told something; an error that nobody hears would end all of them.
  worker.on("error", () => resume(Effect.succeed(false)))
})

/** Starts one worker, again after a pause where it failed, until it has failed too often. */
const startPersistently = startWorker.pipe(
  Effect.filterOrFail(
    (serves) => serves,
    () => new WorkersFailed()
  ),
  Effect.tapError(() => Effect.sleep(RESTART_PAUSE)),
  Effect.retry({ times: MAX_FAILED_STARTS - 1 })
)

/**
 * The primary process: keeps `count` workers running until it is stopped, then lets each of them drain. It listens
 * to nothing itself; the operating system's socket is shared by the workers. The first worker goes alone: what keeps it
 * from starting would keep all of them, and is said once.
 * @param whenListening runs once, as soon as the port answers
 */
export const runPrimary = (
  count: number,
  whenListening: Effect.Effect<void>
): Effect.Effect<never, WorkersFailed> =>
  Effect.gen(function* () {
    yield* gatherForWorkers
    yield* Effect.addFinalizer(() => stopWorkers)
    const exits = yield* Queue.unbounded<number>()
    // One that ended before it served is started again by whoever started it.
    const onExit = (worker: Worker) => serving.has(worker) && exits.unsafeOffer(worker.id)
    yield* Effect.acquireRelease(
      Effect.sync(() => cluster.on("exit", onExit)),
      () => Effect.sync(() => cluster.off("exit", onExit))
    )
    if (!(yield* startWorker)) return yield* new WorkersFailed()
    yield* whenListening
    yield* Effect.forEach(Array.from({ length: count - 1 }), () => startPersistently, { discard: true })
    return yield* Queue.take(exits).pipe(
      Effect.tap((worker) => Effect.logError("a worker exited; starting another", { worker })),
      Effect.zipRight(Effect.sleep(RESTART_PAUSE)),
      Effect.zipRight(startPersistently),
      Effect.forever
    )
  }).pipe(Effect.scoped)
