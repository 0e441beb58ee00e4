import { expect, it } from "@effect/vitest"
import { Effect, Option, Queue, TestClock } from "effect"
import type { Choice } from "../../../../src/payment/settler/evm/choice.ts"
import type { KeyState } from "../../../../src/payment/settler/evm/held-keys.ts"
import type { Job } from "../../../../src/payment/settler/evm/job.ts"
import { type JobQueue, makePump } from "../../../../src/payment/settler/evm/pump.ts"
import { makeWaiters } from "../../../../src/payment/settler/evm/waiters.ts"
import { attemptOf, HASH, jobOf as anyJob, KEY } from "../../../support/payment/jobs.ts"

const START = 1_800_000_000_000

const jobOf = (authorizationKey: string): Job =>
  anyJob(authorizationKey, { gas: 90_000n, validBefore: START / 1_000 + 60 })

const keysOf = ({ entries }: Choice) => entries.map(({ job }) => job.authorizationKey)

/** A key whose journal says that the budgets of these payments have no room. */
const keyWithout = (room: Set<string>) =>
  Effect.gen(function* () {
    const sent: Array<ReadonlyArray<string>> = []
    const asked: Array<ReadonlyArray<string>> = []
    const prepare: KeyState["sender"]["prepare"] = (_nonce, choice) =>
      Effect.sync(() => {
        asked.push(keysOf(choice))
        const keys = keysOf(choice).filter((key) => room.has(key))
        const attempt = attemptOf(HASH)
        if (keys.length > 0) return { attempt, stored: { state: "beyond", keys } }
        sent.push(keysOf(choice))
        return { attempt, stored: { state: "stored" } }
      })
    const never = () => Effect.dieMessage("not asked for")
    const state: KeyState = {
      sender: {
        address: KEY,
        recover: Effect.dieMessage("the nonce is known"),
        prepare,
        submit: () => Effect.succeed(undefined),
        look: never,
        finish: never
      },
      wake: yield* Queue.dropping<void>(1),
      sent: yield* Queue.dropping<void>(1),
      heldUntil: START * 2,
      nonce: 0,
      inFlight: 0,
      unseen: 0,
      unfinished: 0,
      lookedAt: 0,
      soon: 0,
      isFirstLook: false,
      pause: 0
    }
    return { state, sent, asked }
  })

it.effect("a payment whose budgets have no room waits, and holds up no other", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const room = new Set(["order"])
    const queue: JobQueue = new Map()
    const waiters = makeWaiters()
    const market = { baseFee: 1_000_000n, tip: 1_000_000n, height: 1, dataFee: 0n }
    const { asked, sent, state } = yield* keyWithout(room)
    const pump = makePump({
      states: [state],
      queue,
      waiters,
      journal: { find: () => Effect.succeed(Option.none()), expire: () => Effect.succeed(true) },
      terms: Effect.succeed({ market, price: 3_000_000_000n }),
      budget: (amount) => amount,
      canPay: () => true
    })
    for (const key of ["order", "own", "second order"]) queue.set(key, { job: jobOf(key), stored: false })
    yield* pump(state)
    expect([sent, state.nonce]).toEqual([[["own", "second order"]], 1])
    expect([...queue.keys()]).toEqual(["order"])

    // Woken again and again it asks the database for nothing; a second later it does.
    for (let n = 0; n < 5; n++) yield* pump(state)
    expect(asked).toHaveLength(2)
    yield* TestClock.adjust("1 second")
    yield* pump(state)
    expect([asked.length, sent.length]).toEqual([3, 1])

    // What others had set aside is free.
    room.clear()
    yield* TestClock.adjust("1 second")
    yield* pump(state)
    expect(sent.at(-1)).toEqual(["order"])

    // Without room to the end of its window it is never sent, and whoever waits is told.
    room.add("late order")
    queue.set("late order", { job: jobOf("late order"), stored: false })
    const hear = yield* waiters.hearing("late order")
    yield* pump(state)
    yield* TestClock.adjust("1 minute")
    yield* pump(state)
    expect(yield* hear("1 second")).toMatchObject(Option.some({ state: "expired" }))
    expect([sent.length, queue.size]).toEqual([2, 0])
  })
)
