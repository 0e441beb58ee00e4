import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, TestClock } from "effect"
import { makeHeldKeys } from "../../../../src/payment/settler/evm/held-keys.ts"

const START = 1_800_000_000_000
const KEY = `0x${"a1".repeat(20)}` as const

/** A key on a chain that has a block for what was sent, or has none yet, as `chain` says. */
const keyOn = (chain: { isFast: boolean }) =>
  Effect.gen(function* () {
    const never = () => Effect.dieMessage("not asked for")
    const held = yield* makeHeldKeys({
      keys: [
        {
          address: KEY,
          recover: Effect.dieMessage("the nonce is known"),
          prepare: never,
          submit: never,
          look: () => Effect.succeed({ waiting: chain.isFast ? 0 : 1, unfinished: 1, results: [] }),
          finish: never
        }
      ],
      journal: { hold: () => Effect.succeed(true), lease: 3_600_000, release: () => Effect.void },
      terms: Effect.succeed({
        market: { baseFee: 1n, tip: 1n, height: 1, dataFee: 0n },
        price: 3_000_000_000n
      }),
      look: 2_000,
      announce: () => Effect.void
    })
    const [state] = held.states
    if (state === undefined) return yield* Effect.dieMessage("there is one key")
    yield* held.hold(state)
    const sendAndLook = (within: number) =>
      Effect.gen(function* () {
        state.inFlight = 1
        yield* state.sent.offer(undefined)
        const due = yield* Effect.fork(held.untilLook(state))
        yield* TestClock.adjust(within)
        const isDue = Option.isSome(yield* Fiber.poll(due))
        yield* Fiber.interrupt(due)
        yield* held.look(state)
        return isDue
      })
    return { sendAndLook }
  })

it.effect(
  "what was just sent is looked for within 15 ms, however slow the chain has been, and sooner on a fast one",
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const chain = { isFast: false }
      const { sendAndLook } = yield* keyOn(chain)
      for (let n = 0; n < 40; n++) yield* sendAndLook(15)
      expect(yield* sendAndLook(15)).toBe(true)
      expect(yield* sendAndLook(5)).toBe(false)
      chain.isFast = true
      for (let n = 0; n < 20; n++) yield* sendAndLook(15)
      expect(yield* sendAndLook(1)).toBe(true)
    })
)
