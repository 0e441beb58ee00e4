/** Metrics over all workers: a worker that is scraped asks the primary, which asks every worker. */
import type { Worker } from "node:cluster"
import cluster from "node:cluster"
import { Effect, Layer, Runtime, Schema } from "effect"
import { type Family, mergeFamilies, withLabel } from "./families.ts"

/** A worker that does not answer in time is left out: a scrape must not hang on the one that is stuck. */
const PATIENCE_MILLIS = 1_000

const FamilySchema = Schema.Struct({
  name: Schema.String,
  type: Schema.Literal("counter", "gauge", "histogram", "summary"),
  help: Schema.String,
  samples: Schema.Array(
    Schema.Struct({
      suffix: Schema.String,
      labels: Schema.Array(Schema.Tuple(Schema.String, Schema.String)),
      value: Schema.Number
    })
  )
})
const Families = Schema.Array(FamilySchema)

const Message = Schema.Union(
  Schema.Struct({ metrics: Schema.Literal("gather"), id: Schema.Number }),
  Schema.Struct({ metrics: Schema.Literal("report"), id: Schema.Number }),
  Schema.Struct({ metrics: Schema.Literal("reported"), id: Schema.Number, families: Families }),
  Schema.Struct({ metrics: Schema.Literal("gathered"), id: Schema.Number, families: Families })
)
type Message = typeof Message.Type
const isMessage = Schema.is(Message)

let lastId = 0
const nextId = () => (lastId += 1)

/** In a worker: the metrics of all processes; its own alone where the primary does not answer. */
export const askPrimary = (own: Effect.Effect<ReadonlyArray<Family>>): Effect.Effect<ReadonlyArray<Family>> =>
  Effect.async<ReadonlyArray<Family>>((resume) => {
    const id = nextId()
    const hear = (message: unknown) => {
      if (isMessage(message) && message.metrics === "gathered" && message.id === id)
        resume(Effect.succeed(message.families))
    }
    process.on("message", hear)
    process.send?.({ metrics: "gather", id } satisfies Message)
    return Effect.sync(() => process.off("message", hear))
  }).pipe(
    Effect.timeoutTo({ duration: 2 * PATIENCE_MILLIS, onTimeout: () => undefined, onSuccess: (all) => all }),
    Effect.flatMap((all) => (all === undefined ? own : Effect.succeed(all)))
  )

/** In a worker: answers the primary with this process's own metrics. */
export const AnsweringWorkerLive = (own: Effect.Effect<ReadonlyArray<Family>>) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const run = Runtime.runSync(yield* Effect.runtime())
      const hear = (message: unknown) => {
        if (!isMessage(message) || message.metrics !== "report" || !process.connected) return
        process.send?.({ metrics: "reported", id: message.id, families: run(own) } satisfies Message)
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("message", hear)),
        () => Effect.sync(() => process.off("message", hear))
      )
    })
  )

const reportOf = (worker: Worker): Promise<ReadonlyArray<Family>> =>
  new Promise((resolve) => {
    const id = nextId()
    const end = (families: ReadonlyArray<Family>) => {
      clearTimeout(patience)
      worker.off("message", hear)
      resolve(families.map(withLabel("worker", String(worker.id))))
    }
    const hear = (message: unknown) => {
      if (isMessage(message) && message.metrics === "reported" && message.id === id) end(message.families)
    }
    const patience = setTimeout(() => end([]), PATIENCE_MILLIS)
    worker.on("message", hear)
    worker.send({ metrics: "report", id } satisfies Message)
  })

/** Those that have not ended. Node lists one that has for as long as its channel is open, and it says "exit" only once. */
export const workersNow = (): ReadonlyArray<Worker> =>
  Object.values(cluster.workers ?? {}).flatMap((worker) =>
    worker === undefined || worker.isDead() ? [] : [worker]
  )

const answer = async (asking: Worker, id: number): Promise<void> => {
  const hearing = workersNow().filter((worker) => worker.isConnected())
  const families = mergeFamilies(await Promise.all(hearing.map(reportOf)))
  if (asking.isConnected()) asking.send({ metrics: "gathered", id, families } satisfies Message)
}

/** In the primary: gathers the workers' metrics for whoever asks. */
export const gatherForWorkers = Effect.acquireRelease(
  Effect.sync(() => {
    const hear = (asking: Worker, message: unknown) => {
      if (isMessage(message) && message.metrics === "gather") void answer(asking, message.id)
    }
    cluster.on("message", hear)
    return hear
  }),
  (hear) => Effect.sync(() => cluster.off("message", hear))
)
