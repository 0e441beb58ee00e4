import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { makeBodyRoom } from "../../src/http/admission/body-room.ts"
import { makeBuckets } from "../../src/http/admission/buckets.ts"
import { makeSlots } from "../../src/http/admission/slots.ts"

describe("a bucket", () => {
  it("gives its burst at once, then so many a second, each address its own", () => {
    const { peek, take } = makeBuckets({ burst: 3, perSecond: 2 })
    expect([1, 2, 3].map(() => take("a", 0))).toEqual([0, 0, 0])
    expect(take("a", 0)).toBe(500)
    expect(take("b", 0)).toBe(0)
    expect(peek("a", 490)).toBeGreaterThan(0)
    expect(take("a", 500)).toBe(0)
    expect(take("a", 500)).toBe(500)
    // Never more than the burst, however long it rested.
    expect([1, 2, 3, 4].map(() => take("a", 1e9) > 0)).toEqual([false, false, false, true])
  })

  it("forgets the address unused for longest, and never grows without end", () => {
    const { peek, size, take } = makeBuckets({ burst: 1, perSecond: 1 })
    for (let index = 0; index < 20_000; index++) take(`address ${index}`, 0)
    take("address 0", 0)
    for (let index = 20_000; index < 20_100; index++) take(`address ${index}`, 0)
    expect(size()).toBe(20_000)
    // Refused or not, it was used.
    expect(peek("address 0", 0)).toBe(1_000)
    expect(peek("address 100", 0)).toBe(0)
    expect(peek("address 101", 0)).toBe(1_000)
  })

  it("says no shorter wait than it takes, and loses nothing to a clock that is set back", () => {
    const { peek, take } = makeBuckets({ burst: 1, perSecond: 3 })
    take("a", 1_000)
    expect(peek("a", 1_000)).toBe(334)
    expect(peek("a", 1_333)).toBe(1)
    expect(take("a", 1_334)).toBe(0)
    expect(peek("a", 0)).toBe(334)
    expect(take("a", 1_668)).toBe(0)
  })
})

describe("the room for unfinished bodies", () => {
  const MEBIBYTE = 1_048_576

  it("is one megabyte for an address and sixteen for all, and comes back whole", () => {
    const bodies = makeBodyRoom(true)
    const greedy = bodies("greedy")
    expect(greedy.hold(MEBIBYTE)).toBeUndefined()
    expect(bodies("greedy").hold(1)).toBe("address")
    const others = Array.from({ length: 15 }, (_, index) => bodies(`other ${index}`))
    expect(others.map(({ hold }) => hold(MEBIBYTE))).toEqual(others.map(() => undefined))
    expect(bodies("late").hold(1)).toBe("service")
    greedy.release()
    greedy.release()
    expect(bodies("late").hold(MEBIBYTE)).toBeUndefined()
    expect(bodies("later").hold(1)).toBe("service")
  })

  it("has no bound for an address where limits per address are off", () => {
    const bodies = makeBodyRoom(false)
    expect(bodies("proxy").hold(16 * MEBIBYTE)).toBeUndefined()
    expect(bodies("proxy").hold(1)).toBe("service")
  })
})

describe("slots", () => {
  const hold = (slots: ReturnType<typeof makeSlots>, address: string) =>
    Effect.fork(slots.use(address, Effect.never)).pipe(Effect.tap(Effect.repeatN(Effect.yieldNow(), 8)))

  it.effect("are shared: an address that has its share waits, and others go before it", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ slots: 4, slotsPerAddress: 2, waitingPerAddress: 1, waitSeconds: 5 })
      for (let count = 0; count < 3; count++) yield* hold(slots, "greedy")
      expect([slots.inUse(), slots.waiting()]).toEqual([2, 1])
      expect(yield* Effect.flip(slots.use("greedy", Effect.void))).toMatchObject({ isOwnLoad: true })
      expect(yield* Effect.exit(slots.use("other", Effect.succeed(1)))).toMatchObject({ value: 1 })
    })
  )

  it.effect("come back however the work ends: answered, failed, died, cut while it waited", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ slots: 1, slotsPerAddress: 1, waitingPerAddress: 4, waitSeconds: 5 })
      yield* Effect.exit(slots.use("a", Effect.succeed(1)))
      yield* Effect.exit(slots.use("a", Effect.fail("no")))
      yield* Effect.exit(slots.use("a", Effect.die("no")))
      const holder = yield* hold(slots, "a")
      const waiting = yield* hold(slots, "b")
      expect([slots.inUse(), slots.waiting()]).toEqual([1, 1])
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(holder)
      expect([slots.inUse(), slots.waiting()]).toEqual([0, 0])
    })
  )
})

describe("the share of an address", () => {
  const hold = (slots: ReturnType<typeof makeSlots>, address: string) =>
    Effect.fork(slots.use(address, Effect.never)).pipe(Effect.tap(Effect.repeatN(Effect.yieldNow(), 8)))

  it.effect("is no larger for having been used, waited for and left", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ slots: 4, slotsPerAddress: 1, waitingPerAddress: 1, waitSeconds: 5 })
      for (let count = 0; count < 3; count++) yield* slots.use("a", Effect.void)
      const holder = yield* hold(slots, "a")
      for (let count = 0; count < 3; count++) yield* Fiber.interrupt(yield* hold(slots, "a"))
      expect([slots.inUse(), slots.waiting()]).toEqual([1, 0])
      yield* hold(slots, "a")
      expect([slots.inUse(), slots.waiting()]).toEqual([1, 1])
      expect(yield* Effect.flip(slots.use("a", Effect.void))).toMatchObject({ isOwnLoad: true })
      yield* Fiber.interrupt(holder)
      expect([slots.inUse(), slots.waiting()]).toEqual([1, 0])
    })
  )

  it.effect("is its bound in the line, too: a slot goes to the next whose address has none", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ slots: 2, slotsPerAddress: 1, waitingPerAddress: 1, waitSeconds: 5 })
      yield* hold(slots, "greedy")
      const another = yield* hold(slots, "another")
      yield* hold(slots, "greedy")
      const next = yield* Effect.fork(slots.use("third", Effect.succeed("served")))
      yield* Effect.repeatN(Effect.yieldNow(), 8)
      yield* Fiber.interrupt(another)
      expect(yield* Fiber.join(next)).toBe("served")
      expect([slots.inUse(), slots.waiting()]).toEqual([1, 1])
    })
  )
})

describe("a line before the slots", () => {
  const log =
    (slots: ReturnType<typeof makeSlots>, served: Array<string>) =>
    (address: string, name = address) =>
      Effect.fork(
        slots.use(
          address,
          Effect.sync(() => void served.push(name))
        )
      ).pipe(Effect.tap(Effect.repeatN(Effect.yieldNow(), 8)))
  const hold = (slots: ReturnType<typeof makeSlots>, address: string) =>
    Effect.fork(slots.use(address, Effect.never)).pipe(Effect.tap(Effect.repeatN(Effect.yieldNow(), 8)))

  it.effect("is served in order, and nobody steps in before it", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ slots: 1, slotsPerAddress: 1, waitingPerAddress: 2, waitSeconds: 5 })
      const served: Array<string> = []
      const ask = log(slots, served)
      expect(slots.isFree("new")).toBe(true)
      const holder = yield* hold(slots, "a")
      expect(slots.isFree("new")).toBe(false)
      const waiting = yield* Effect.forEach(["b 1", "c 1", "b 2"], (name) => ask(name.slice(0, 1), name))
      yield* Fiber.interrupt(holder)
      yield* Fiber.joinAll(waiting)
      expect(served).toEqual(["b 1", "c 1", "b 2"])
      expect(slots.isFree("new")).toBe(true)
    })
  )

  it.effect("is left after the time there is to wait, and says whose load it was", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ slots: 2, slotsPerAddress: 1, waitingPerAddress: 1, waitSeconds: 5 })
      yield* hold(slots, "own")
      yield* hold(slots, "another")
      const own = yield* hold(slots, "own")
      const others = yield* hold(slots, "third")
      expect([slots.inUse(), slots.waiting()]).toEqual([2, 2])
      yield* TestClock.adjust("4999 millis")
      expect(slots.waiting()).toBe(2)
      yield* TestClock.adjust("1 millis")
      expect(yield* Effect.flip(Fiber.join(own))).toMatchObject({ isOwnLoad: true })
      expect(yield* Effect.flip(Fiber.join(others))).toMatchObject({ isOwnLoad: false })
      expect([slots.inUse(), slots.waiting()]).toEqual([2, 0])
      // Whoever has left may come again, as often as before.
      const again = yield* hold(slots, "third")
      expect(slots.waiting()).toBe(1)
      yield* Fiber.interrupt(again)
    })
  )

  it.effect("tells of each change when it has happened", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ slots: 1, slotsPerAddress: 1, waitingPerAddress: 1, waitSeconds: 5 })
      const seen: Array<number> = []
      const use = { changed: () => void seen.push(slots.inUse()) }
      yield* slots.use("a", Effect.void, use)
      expect(seen).toEqual([1, 0])
      const holder = yield* hold(slots, "a")
      const waiting = yield* Effect.fork(slots.use("b", Effect.void, use))
      yield* Effect.repeatN(Effect.yieldNow(), 8)
      yield* Fiber.interrupt(holder)
      yield* Fiber.join(waiting)
      expect(seen).toEqual([1, 0, 1, 0])
    })
  )
})
