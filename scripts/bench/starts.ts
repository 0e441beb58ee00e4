/** How long our service takes from its first instruction to its first answer, and what that costs. */
import { Duration, Effect } from "effect"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { startOurs } from "./contenders.ts"
import { quantile } from "./load.ts"

/** Starts that count; the first reads the files from the disk and does not. */
const STARTS = 7

export interface StartFigures {
  readonly p50Millis: number
  readonly cpuMillis: number
}

/** One start, with an empty ledger on disk. */
const once = (sandbox: Sandbox) =>
  Effect.scoped(
    Effect.gen(function* () {
      const [took, service] = yield* Effect.timed(startOurs(sandbox))
      const { cpuMicros } = yield* Effect.promise(service.usage)
      return { millis: Duration.toMillis(took), cpuMillis: cpuMicros / 1_000 }
    })
  )

/** Medians over starts, one after another. */
export const starts = (sandbox: Sandbox) =>
  Effect.map(Effect.replicateEffect(once(sandbox), 1 + STARTS), ([, ...counted]) => {
    const median = (values: ReadonlyArray<number>) => quantile(values, 0.5)
    const figures: StartFigures = {
      p50Millis: median(counted.map(({ millis }) => millis)),
      cpuMillis: median(counted.map(({ cpuMillis }) => cpuMillis))
    }
    const line = `start to first answer: ${figures.p50Millis.toFixed(0)} ms, CPU ${figures.cpuMillis.toFixed(0)} ms`
    return { figures, lines: [line] }
  })
