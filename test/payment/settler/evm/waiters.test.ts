import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, TestClock } from "effect"
import { makeWaiters } from "../../../../src/payment/settler/evm/waiters.ts"

const EXPIRED = { state: "expired", reason: "too late" } as const

it.effect("everybody who waits for a payment hears what became of it", () =>
  Effect.gen(function* () {
    const waiters = makeWaiters()
    const [one, other] = [yield* waiters.hearing("payment"), yield* waiters.hearing("payment")]
    const both = yield* Effect.fork(Effect.all([one("1 second"), other("2 seconds")], { concurrency: 2 }))
    yield* TestClock.adjust("999 millis")
    yield* waiters.publish("payment", EXPIRED)
    expect(yield* Fiber.join(both)).toEqual([Option.some(EXPIRED), Option.some(EXPIRED)])
    expect(waiters.keys()).toEqual([])
  })
)

it.effect("who has waited long enough hears nothing, and what is told meanwhile when they wait again", () =>
  Effect.gen(function* () {
    const waiters = makeWaiters()
    const hear = yield* waiters.hearing("payment")
    const first = yield* Effect.fork(hear("1 second"))
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(first)).toEqual(Option.none())
    yield* waiters.publish("payment", EXPIRED)
    expect(yield* hear("1 second")).toEqual(Option.some(EXPIRED))
  })
)

it.effect("who stops waiting leaves the others alone", () =>
  Effect.gen(function* () {
    const waiters = makeWaiters()
    const hear = yield* waiters.hearing("payment")
    const [gone, stays] = [yield* Effect.fork(hear("1 second")), yield* Effect.fork(hear("1 second"))]
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(gone)
    yield* waiters.publish("payment", EXPIRED)
    expect(yield* Fiber.join(stays)).toEqual(Option.some(EXPIRED))
  })
)

it.effect("who registered before the payment was told of hears it when they come to wait", () =>
  Effect.gen(function* () {
    const waiters = makeWaiters()
    const hear = yield* waiters.hearing("payment")
    yield* waiters.publish("payment", EXPIRED)
    expect(yield* hear("1 second")).toEqual(Option.some(EXPIRED))
  })
)

it.effect("who gives up a payment leaves it to the others who wait, and the last of them drops it", () =>
  Effect.gen(function* () {
    const waiters = makeWaiters()
    const [, other] = [yield* waiters.hearing("payment"), yield* waiters.hearing("payment")]
    yield* waiters.forget("payment")
    const stays = yield* Effect.fork(other("1 second"))
    yield* Effect.yieldNow()
    yield* waiters.publish("payment", EXPIRED)
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(stays)).toEqual(Option.some(EXPIRED))
    yield* Effect.zipRight(waiters.hearing("another"), waiters.forget("another"))
    expect(waiters.keys()).toEqual([])
  })
)
