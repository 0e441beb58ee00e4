import type { Worker } from "node:cluster"
import cluster from "node:cluster"
import { Config, Effect, Queue, Schema } from "effect"
import { gatherForWorkers } from "./metrics/cluster-source.ts"

/** `WORKERS`: processes that share the listening port. */
export const workersConfig = Schema.Config(
  "WORKERS",
  Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 64))
).pipe(Config.withDefault(1))

/** Least time between two restarts of a worker, so that a broken deployment does not spin. */
const RESTART_PAUSE = "1 second"

export const isWorker = cluster.isWorker

const stopWorkers = Effect.async<void>((resume) => {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  let left = workers.length
  if (left === 0) return resume(Effect.void)
  for (const worker of workers) {
    worker.once("exit", () => {
      left -= 1
      if (left === 0) resume(Effect.void)
    })
    worker.process.kill("SIGTERM")
  }
})

/**
 * The primary process: keeps `count` workers running until it is stopped, then lets each of them drain. It listens
 * to nothing itself; the operating system's socket is shared by the workers.
 */
export const runPrimary = (count: number): Effect.Effect<never> =>
  Effect.gen(function* () {
    yield* gatherForWorkers
    const exits = yield* Queue.unbounded<number>()
    const onExit = (worker: Worker) => exits.unsafeOffer(worker.id)
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        cluster.on("exit", onExit)
        for (let i = 0; i < count; i++) cluster.fork()
      }),
      () =>
        Effect.zipRight(
          Effect.sync(() => cluster.off("exit", onExit)),
          stopWorkers
        )
    )
    return yield* Queue.take(exits).pipe(
      Effect.tap((worker) => Effect.logError("a worker exited; starting another", { worker })),
      Effect.zipRight(Effect.sleep(RESTART_PAUSE)),
      Effect.zipRight(Effect.sync(() => cluster.fork())),
      Effect.forever
    )
  }).pipe(Effect.scoped)
