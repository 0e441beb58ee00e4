import { describe, expect, it } from "@effect/vitest"
import { Data, Effect, HashMap, Logger, Ref, TestClock } from "effect"
import { UpstreamError } from "../../src/domain/errors.ts"
import { makeTrouble, tellingTrouble } from "../../src/domain/trouble.ts"

class Refused extends Data.TaggedError("Refused")<{ readonly why: string }> {}

const away = new UpstreamError({ upstream: "database", kind: "transport", detail: "ECONNREFUSED" })
const slow = new UpstreamError({ upstream: "database", kind: "timeout", detail: "57014 took too long" })

interface Line {
  readonly level: string
  readonly text: string
  readonly [annotation: string]: unknown
}

/** What a work tells the log. */
const heard = <A, E>(work: Effect.Effect<A, E>) => {
  const lines: Array<Line> = []
  const logger = Logger.make<unknown, void>(({ annotations, logLevel, message }) => {
    const text = String(Array.isArray(message) ? message[0] : message)
    lines.push({ level: logLevel.label, text, ...Object.fromEntries(HashMap.toEntries(annotations)) })
  })
  return Effect.as(Effect.provide(work, Logger.replace(Logger.defaultLogger, logger)), lines)
}

/** Once a second for so many of them. */
const everySecond = (seconds: number, work: Effect.Effect<unknown, unknown>) =>
  Effect.repeatN(Effect.zipRight(TestClock.adjust("1 seconds"), Effect.exit(work)), seconds - 1)

describe("work that is tried again and again", () => {
  it.effect("is told when it begins to fail, once a minute while it does, and when it works again", () =>
    Effect.gen(function* () {
      const fails = yield* Ref.make(true)
      const told = tellingTrouble("looking")(
        Effect.flatMap(Ref.get(fails), (does) => (does ? Effect.fail(away) : Effect.void))
      )
      const lines = yield* heard(
        Effect.gen(function* () {
          yield* everySecond(130, told)
          yield* Ref.set(fails, false)
          yield* everySecond(20, told)
        })
      )
      const line = { level: "WARN", text: "looking failed", upstream: "database", kind: "transport" }
      expect(lines).toEqual([
        { ...line, detail: "ECONNREFUSED", failures: 1 },
        { ...line, detail: "ECONNREFUSED", failures: 61 },
        { ...line, detail: "ECONNREFUSED", failures: 121 },
        { level: "INFO", text: "looking works again", failures: 130 }
      ])
    })
  )

  it.effect(
    "has a line for each kind of failure, however they take turns with one another and with success",
    () =>
      Effect.gen(function* () {
        let turn = 0
        const turns = [
          Effect.fail(away),
          Effect.fail(slow),
          Effect.void,
          Effect.fail(new Refused({ why: "nonce" })),
          Effect.die(new Error("a slip"))
        ]
        const told = tellingTrouble("looking")(
          Effect.suspend((): Effect.Effect<void, UpstreamError | Refused> => turns[turn++ % 5] ?? Effect.void)
        )
        const lines = yield* heard(everySecond(50, told))
        expect(lines.map(({ level, text }) => `${level} ${text}`)).toEqual([
          "WARN looking failed",
          "WARN looking failed",
          "WARN looking failed",
          "ERROR looking died"
        ])
      })
  )

  it.effect("is silent while it works, and where it was stopped", () =>
    Effect.gen(function* () {
      const told = tellingTrouble("looking")
      expect(yield* heard(everySecond(5, told(Effect.void)))).toEqual([])
      expect(yield* heard(Effect.exit(told(Effect.interrupt)))).toEqual([])
    })
  )

  it.effect("is told of again when the clock was set back meanwhile", () =>
    Effect.gen(function* () {
      const { failed } = makeTrouble("sending")
      const lines = yield* heard(
        Effect.gen(function* () {
          yield* TestClock.setTime(1_800_000_000_000)
          yield* failed("refused", Effect.logWarning("not taken"))
          yield* TestClock.setTime(1_799_990_000_000)
          yield* failed("refused", Effect.logWarning("not taken"))
        })
      )
      expect(lines).toHaveLength(2)
    })
  )
})

it("an upstream's failure says in its message what the upstream said: a logged cause shows nothing else", () => {
  expect(String(away)).toContain("database transport: ECONNREFUSED")
})
