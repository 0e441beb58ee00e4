import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { setAlarm, type Surroundings } from "../../src/domain/alarm.ts"

const fiberHere = Effect.withFiberRuntime<Surroundings>((fiber) => Effect.succeed(fiber))

/** What rang, in its order, and how to set an alarm that is heard there. */
const listening = Effect.map(fiberHere, (fiber) => {
  const rung: Array<string> = []
  const set = (name: string, millis: number, then = () => {}) =>
    setAlarm(fiber, millis, () => {
      rung.push(name)
      then()
    })
  return { rung, set }
})

describe("an alarm", () => {
  it.effect("rings at its time, and not before", () =>
    Effect.gen(function* () {
      const { rung, set } = yield* listening
      set("one", 1_000)
      yield* TestClock.adjust("999 millis")
      expect(rung).toEqual([])
      yield* TestClock.adjust("1 millis")
      expect(rung).toEqual(["one"])
    })
  )

  it.effect("is silent once it is called off, and the others of its line ring at their own times", () =>
    Effect.gen(function* () {
      const { rung, set } = yield* listening
      const callOff = set("first", 1_000)
      yield* TestClock.adjust("400 millis")
      set("second", 1_000)
      callOff()
      yield* TestClock.adjust("999 millis")
      expect(rung).toEqual([])
      yield* TestClock.adjust("1 millis")
      expect(rung).toEqual(["second"])
    })
  )

  it.effect("set after all others were called off rings as well", () =>
    Effect.gen(function* () {
      const { rung, set } = yield* listening
      set("first", 1_000)()
      set("second", 1_000)
      yield* TestClock.adjust("1 second")
      expect(rung).toEqual(["second"])
    })
  )

  it.effect("may be set by one that rings, and what is due together rings together", () =>
    Effect.gen(function* () {
      const { rung, set } = yield* listening
      set("setting", 1_000, () => void set("set", 1_000))
      set("beside", 1_000)
      yield* TestClock.adjust("1 second")
      expect(rung).toEqual(["setting", "beside"])
      yield* TestClock.adjust("1 second")
      expect(rung).toEqual(["setting", "beside", "set"])
    })
  )

  it.effect("of no time at all rings at once, every time", () =>
    Effect.gen(function* () {
      const { rung, set } = yield* listening
      set("one", 0)
      set("two", 0)
      expect(rung).toEqual(["one", "two"])
    })
  )

  it.effect("that is called off twice, or after it has rung, changes nothing", () =>
    Effect.gen(function* () {
      const { rung, set } = yield* listening
      const rings = set("rings", 500)
      yield* TestClock.adjust("500 millis")
      rings()
      const callOff = set("silent", 500)
      callOff()
      callOff()
      set("last", 500)
      callOff()
      yield* TestClock.adjust("500 millis")
      expect(rung).toEqual(["rings", "last"])
    })
  )
})
