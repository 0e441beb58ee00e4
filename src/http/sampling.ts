import { Headers, HttpTraceContext } from "@effect/platform"
import { Config, Option } from "effect"
import type { IncomingMessage } from "node:http"

/**
 * `TRACE_SAMPLE_RATIO`: the share of requests whose spans are taken, where traces go somewhere at all. Spans cost a paid
 * call a tenth of its time and keep it from the short ways.
 */
export const sampleRatioConfig = Config.number("TRACE_SAMPLE_RATIO").pipe(
  Config.validate({
    message: "must be above 0 and at most 1: the share of requests that are traced",
    validation: (ratio) => ratio > 0 && ratio <= 1
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
