import { Headers, HttpTraceContext } from "@effect/platform"
import { Config, Either, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { invalid } from "../domain/settings.ts"

/**
 * `TRACE_SAMPLE_RATIO`: the share of requests whose spans are taken, where an exporter is configured. Spans cost a paid call
 * a tenth of its time and keep it from the short ways (`serve.ts`).
 */
export const sampleRatioConfig = Config.nonEmptyString("TRACE_SAMPLE_RATIO").pipe(
  Config.mapOrFail((text) => {
    const ratio = Number(text)
    return ratio > 0 && ratio <= 1
      ? Either.right(ratio)
      : invalid("TRACE_SAMPLE_RATIO", "must be above 0 and at most 1: the share of requests that are traced")
  }),
  Config.withDefault(0.05)
)

/**
 * Which requests are traced: the first, and then the given share of them, evenly. One that is part of a caller's trace is
 * traced as its caller says.
 */
export const makeSampled = (ratio: number): ((request: Pick<IncomingMessage, "headers">) => boolean) => {
  let due = 1
  return ({ headers }) => {
    const caller = HttpTraceContext.fromHeaders(Headers.fromInput(headers))
    if (Option.isSome(caller)) return caller.value.sampled
    const isDue = due >= 1
    due += isDue ? ratio - 1 : ratio
    return isDue
  }
}
