import { expect, it } from "@effect/vitest"
import { Effect, HashMap, Layer, Logger } from "effect"
import { withoutPauses } from "../support/clocks.ts"
import { market, WETH } from "../support/market/fixtures.ts"
import { json, raw, serve } from "../support/market/upstream.ts"

type Line = readonly [text: string, upstream: unknown]

it.scopedLive(
  "a market source that fails again and again is named in the log once, when it is left alone",
  () => {
    const lines: Array<Line> = []
    const logger = Logger.make(({ annotations, message }) => {
      const text = String(Array.isArray(message) ? message[0] : message)
      if (text.startsWith("upstream"))
        lines.push([text, Object.fromEntries(HashMap.toEntries(annotations))["upstream"]])
    })
    return Effect.gen(function* () {
      const { url } = yield* serve(raw("", 500))
      const source = yield* market(url)
      yield* Effect.repeatN(Effect.exit(source.pairs(WETH)), 12)
      expect(lines).toEqual([["upstream failed repeatedly, not asked for a while", "dexscreener"]])
      const { url: healthy } = yield* serve(json([]))
      yield* (yield* market(healthy)).pairs(WETH)
      expect(lines).toHaveLength(1)
    }).pipe(Effect.provide(Layer.merge(Logger.replace(Logger.defaultLogger, logger), withoutPauses)))
  }
)
