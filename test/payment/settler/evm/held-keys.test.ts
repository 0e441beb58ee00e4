import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, TestClock } from "effect"
import { makeHeldKeys } from "../../../../src/payment/settler/evm/held-keys.ts"

const START = 1_800_000_000_000
const KEY = `0x${"a1".repeat(20)}` as const

/** A key on a chain that answers every look so, after `reading`. */
const keyOn = (
  chain: { waiting: number; unseen: number; unfinished?: number },
  reading: Effect.Effect<void> = Effect.void
) =>
  Effect.gen(function* () {
    const never = () => Effect.dieMessage("not asked for")
    const held = yield* makeHeldKeys({
      keys: [
        {
          address: KEY,
          recover: Effect.dieMessage("the nonce is known"),
          prepare: never,
          submit: never,
          look: () => Effect.as(reading, { unfinished: 1, isGapped: false, ...chain, results: [] }),
          finish: never
        }
      ],
      journal: { hold: () => Effect.succeed(true), lease: 3_600_000, release: () => Effect.void },
      terms: Effect.succeed({
        market: { baseFee: 1n, tip: 1n, height: 1, dataFee: 0n },
        price: 3_000_000_000n
      }),
      canPay: () => true,
      look: 2_000,
      announce: () => Effect.void
    })
    const [state] = held.states
    if (state === undefined) return yield* Effect.dieMessage("there is one key")
    yield* held.hold(state)
    const send = Effect.suspend(() => {
      state.inFlight = 1
      return state.sent.offer(undefined)
    })
    /** Whether the next look is due within so many milliseconds; it is taken in any case. */
    const lookAfter = (within: number) =>
      Effect.gen(function* () {
        const due = yield* Effect.fork(held.untilLook(state))
        yield* TestClock.adjust(within)
        const isDue = Option.isSome(yield* Fiber.poll(due))
        yield* Fiber.interrupt(due)
        yield* held.look(state)
        return isDue
      })
    return {
      state,
      look: held.look(state),
      lookAfter,
      sendAndLook: (within: number) => Effect.zipRight(send, lookAfter(within))
    }
  })

it.effect(
  "what was just sent is looked for within 15 ms, however slow the chain has been, and sooner on a fast one",
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const chain = { waiting: 1, unseen: 0 }
      const { sendAndLook } = yield* keyOn(chain)
      for (let n = 0; n < 40; n++) yield* sendAndLook(15)
      expect(yield* sendAndLook(15)).toBe(true)
      expect(yield* sendAndLook(5)).toBe(false)
      chain.waiting = 0
      for (let n = 0; n < 20; n++) yield* sendAndLook(15)
      expect(yield* sendAndLook(1)).toBe(true)
    })
)

it.effect(
  "a used nonce whose receipt is not there yet is looked at again at once, not two seconds later",
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const chain = { waiting: 0, unseen: 1 }
      const { lookAfter, sendAndLook } = yield* keyOn(chain)
      yield* sendAndLook(15)
      expect(yield* lookAfter(100)).toBe(true)
      chain.unseen = 0
      yield* lookAfter(500)
      expect(yield* lookAfter(500)).toBe(false)
    })
)

it.effect("what is sent while a look finds nothing is looked for too", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const { look, state } = yield* keyOn({ waiting: 0, unseen: 0, unfinished: 0 }, Effect.sleep(10))
    const looking = yield* Effect.fork(look)
    yield* Effect.yieldNow()
    state.inFlight += 1
    state.unfinished += 1
    yield* TestClock.adjust(10)
    yield* Fiber.join(looking)
    expect([state.inFlight, state.unfinished]).toEqual([1, 1])
  })
)
