import { describe, expect, it } from "@effect/vitest"
import { Effect, HashMap, Layer, Logger, TestClock } from "effect"
import { makeChanges } from "../../src/http/admission/changes.ts"
import { makeRooms } from "../../src/http/admission/classes.ts"
import { ask, ATTACKER } from "../support/hostile/clients.ts"
import { Served, served } from "../support/hostile/served.ts"

type Line = Readonly<Record<string, unknown>>

/** What is logged about admission. */
const listening = () => {
  const lines: Array<Line> = []
  const logger = Logger.make(({ annotations, message }) => {
    const text = String(Array.isArray(message) ? message[0] : message)
    if (text.startsWith("admission"))
      lines.push({ text, ...Object.fromEntries(HashMap.toEntries(annotations)) })
  })
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
}

describe("a change of admission", () => {
  it.scoped("is one line when a class begins to refuse, and one when it has room again", () => {
    const { layer, lines } = listening()
    return Effect.gen(function* () {
      const { refused } = yield* makeChanges
      yield* Effect.replicateEffect(refused("free", 429), 50)
      yield* refused("paid", 503)
      expect(lines).toEqual([
        { text: "admission refuses requests", class: "free", status: 429 },
        { text: "admission refuses requests", class: "paid", status: 503 }
      ])
      yield* TestClock.adjust("5 seconds")
      yield* refused("paid", 503)
      yield* TestClock.adjust("5 seconds")
      expect(lines.slice(2)).toEqual([{ text: "admission has room again", class: "free", refused: 50 }])
      yield* TestClock.adjust("10 seconds")
      expect(lines.slice(3)).toEqual([{ text: "admission has room again", class: "paid", refused: 2 }])
    }).pipe(Effect.provide(layer))
  })

  it.scopedLive("is told by the service itself when an address has used up its budget", () => {
    const { layer, lines } = listening()
    return Effect.gen(function* () {
      const { port } = yield* Served
      const replay = ask(port, {
        path: "/api/checkout/v1/checkout/c/events/e/replay",
        body: "{}",
        from: ATTACKER
      })
      const asked = Array.from({ length: makeRooms(32).webhooks.burst + 8 }, () => replay)
      // The budget fills up again with time: on a busy machine a round of requests may take longer than it has to spare.
      yield* Effect.repeat(Effect.all(asked, { concurrency: 16, discard: true }), {
        until: () => lines.length > 0,
        times: 9
      })
      expect(lines).toMatchObject([{ text: "admission refuses requests", class: "webhooks", status: 429 }])
    }).pipe(Effect.provide(served().pipe(Layer.provide(layer))))
  })
})
