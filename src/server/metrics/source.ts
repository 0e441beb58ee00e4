import { Context, Effect, Layer, Metric } from "effect"
import { isWorker } from "../cluster.ts"
import { askPrimary, AnsweringWorkerLive } from "./cluster-source.ts"
import { familiesOf, type Family } from "./families.ts"

/** Every metric of the service, wherever it was counted. */
export class MetricSource extends Context.Tag("token-risk/MetricSource")<
  MetricSource,
  { readonly families: Effect.Effect<ReadonlyArray<Family>> }
>() {}

/** The metrics of this process alone. */
const ownFamilies = Effect.map(Metric.snapshot, familiesOf)

/** One process reads its own metrics; a worker asks the primary for everybody's, as a scrape reaches any of them. */
export const MetricSourceLive = isWorker
  ? Layer.merge(
      AnsweringWorkerLive(ownFamilies),
      Layer.succeed(MetricSource, { families: askPrimary(ownFamilies) })
    )
  : Layer.succeed(MetricSource, { families: ownFamilies })
