import { HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { makeFacts } from "../../src/http/admission/facts.ts"
import { inSlot, makePlaces } from "../../src/http/admission/places.ts"

describe("an answer that goes on as a stream", () => {
  const streaming = Effect.gen(function* () {
    const { free } = makePlaces(32, true)
    const ended = yield* Deferred.make<void>()
    const isCut = yield* Deferred.make<void>()
    const facts = makeFacts("one")
    const begin = Effect.sync(() => {
      facts.rest = {
        ended: Deferred.await(ended),
        cut: Effect.zipRight(Deferred.succeed(isCut, undefined), Deferred.succeed(ended, undefined))
      }
      return HttpServerResponse.empty()
    })
    yield* inSlot(free, "a", facts, Effect.delay(begin, "10 seconds")).pipe(
      Effect.fork,
      Effect.flatMap((fiber) => Effect.zipRight(TestClock.adjust("10 seconds"), Fiber.join(fiber)))
    )
    return { slots: free.slots, ended, isCut, seconds: free.room.seconds }
  })

  it.effect("has its slot until it has ended", () =>
    Effect.gen(function* () {
      const { ended, isCut, slots } = yield* streaming
      expect(slots.inUse()).toBe(1)
      yield* Deferred.succeed(ended, undefined)
      yield* Effect.repeatN(Effect.yieldNow(), 8)
      expect([slots.inUse(), yield* Deferred.isDone(isCut)]).toEqual([0, false])
    })
  )

  it.effect("has the time of its room, from its request on", () =>
    Effect.gen(function* () {
      const { isCut, seconds, slots } = yield* streaming
      yield* TestClock.adjust(`${seconds - 11} seconds`)
      expect([slots.inUse(), yield* Deferred.isDone(isCut)]).toEqual([1, false])
      yield* TestClock.adjust("1 seconds")
      yield* Deferred.await(isCut)
      yield* Effect.repeatN(Effect.yieldNow(), 8)
      expect(slots.inUse()).toBe(0)
    })
  )
})
