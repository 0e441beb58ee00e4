import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, TestClock } from "effect"
import { FailureBudget, FailureBudgetLive } from "../../src/free-tier/failure-budget.ts"

const budget = (limits: "on" | "off" = "on") =>
  Layer.fresh(FailureBudgetLive).pipe(
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["ADDRESS_LIMITS", limits]]))))
  )

const START = 1_800_000_000_000
const HOUR = 3_600_000

const spend = (times: number, address = "192.0.2.1") =>
  Effect.gen(function* () {
    const { spend } = yield* FailureBudget
    for (let count = 0; count < times; count++) yield* spend(address)
  })
const wait = (address = "192.0.2.1") => Effect.flatMap(FailureBudget, (failures) => failures.wait(address))

describe("an address's budget of failed free calls", () => {
  it.effect("is its own, and comes back by the second", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      yield* spend(29)
      expect(yield* wait()).toBe(0)
      yield* spend(1)
      expect(yield* wait()).toBe(2)
      expect(yield* wait("192.0.2.2")).toBe(0)
      yield* TestClock.setTime(START + 500)
      expect(yield* wait()).toBe(2)
      yield* TestClock.setTime(START + 1_000)
      expect(yield* wait()).toBe(1)
      yield* TestClock.setTime(START + 2_000)
      expect(yield* wait()).toBe(0)
    }).pipe(Effect.provide(budget()))
  )

  it.effect("owes two failures at most, and saves up none", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      yield* spend(100)
      expect(yield* wait()).toBe(4)
      yield* TestClock.setTime(START + HOUR)
      yield* spend(29)
      expect(yield* wait()).toBe(0)
      yield* spend(1)
      expect(yield* wait()).toBe(2)
    }).pipe(Effect.provide(budget()))
  )

  it.effect("is remembered of the 20,000 addresses that failed last", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      yield* spend(30, "again")
      yield* spend(30, "long ago")
      yield* spend(1, "again")
      for (let other = 0; other < 19_998; other++) yield* spend(1, `other ${other}`)
      expect(yield* wait("long ago")).toBe(2)
      yield* spend(1, "one more")
      expect(yield* wait("long ago")).toBe(0)
      expect(yield* wait("again")).toBe(4)
    }).pipe(Effect.provide(budget()))
  )

  it.effect("comes back as ever where the clock had run ahead when it was used up", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START + HOUR)
      yield* spend(30)
      yield* TestClock.setTime(START)
      expect(yield* wait()).toBe(2)
      yield* TestClock.setTime(START + 2_000)
      expect(yield* wait()).toBe(0)
    }).pipe(Effect.provide(budget()))
  )

  it.effect("does not grow a debt when the clock is set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      yield* spend(29)
      yield* TestClock.setTime(START - HOUR)
      expect(yield* wait()).toBe(0)
      yield* spend(1)
      expect(yield* wait()).toBe(2)
    }).pipe(Effect.provide(budget()))
  )

  it.effect("comes back by the second after the clock was set back, and not when it is where it was", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      yield* spend(30)
      yield* TestClock.setTime(START - HOUR)
      expect(yield* wait()).toBe(2)
      yield* TestClock.adjust("2 seconds")
      expect(yield* wait()).toBe(0)
    }).pipe(Effect.provide(budget()))
  )

  it.effect("is no more than ten addresses' for one IPv6 network, however many addresses its owner has", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const inNetwork = (site: number, subnet: number) => `2001:db8:${site}:${subnet}::/64`
      for (let subnet = 0; subnet < 299; subnet++) yield* spend(1, inNetwork(1, subnet))
      expect(yield* wait(inNetwork(1, 999))).toBe(0)
      yield* spend(1, inNetwork(1, 299))
      expect(yield* wait(inNetwork(1, 999))).toBe(1)
      expect(yield* wait(inNetwork(2, 0))).toBe(0)
      expect(yield* wait()).toBe(0)
      yield* TestClock.setTime(START + 1_000)
      expect(yield* wait(inNetwork(1, 999))).toBe(0)
    }).pipe(Effect.provide(budget()))
  )

  it.effect("is nobody's where a proxy in front limits", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      yield* spend(1_000)
      expect(yield* wait()).toBe(0)
      expect((yield* FailureBudget).waitAt("192.0.2.1", START)).toBe(0)
    }).pipe(Effect.provide(budget("off")))
  )
})
