import { Deferred, Effect } from "effect"
import { setImmediate as nextRound } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { makeTurnScheduler } from "../../src/server/turn-scheduler.ts"

/** An event loop by hand, with tasks that each take this long. */
const byHand = (taskMillis: number) => {
  const soon: Array<() => void> = []
  const later: Array<() => void> = []
  const ran: Array<string> = []
  let millis = 0
  const { scheduleTask } = makeTurnScheduler({
    now: () => millis,
    soon: (step) => void soon.push(step),
    later: (step) => void later.push(step),
    ended: () => {}
  })
  const finish = () => {
    for (let step = soon.shift(); step !== undefined; step = soon.shift()) step()
  }
  return {
    ran,
    offer: (name: string, then: () => void = () => {}) =>
      scheduleTask(() => {
        millis += taskMillis
        ran.push(name)
        then()
      }, 0),
    /** What is left to do before anything else happens, and then the loop's going round. */
    finish,
    goRound: () => {
      for (const step of later.splice(0)) step()
      finish()
    },
    isWaiting: () => later.length > 0
  }
}

const numbers = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

describe("fibers that are ready together", () => {
  it("go on for a part of a round, and the rest in the rounds that follow, in order", () => {
    const { finish, goRound, isWaiting, offer, ran } = byHand(3)
    for (const name of numbers(1, 10)) offer(name)
    finish()
    expect(ran).toEqual(numbers(1, 4))
    offer("11")
    finish()
    expect(ran).toHaveLength(4)
    goRound()
    expect(ran).toEqual(numbers(1, 8))
    goRound()
    expect(ran).toEqual(numbers(1, 11))
    goRound()
    expect(isWaiting()).toBe(false)
  })

  it("make room for what they begin themselves in the same round, while there is time", () => {
    const { finish, offer, ran } = byHand(3)
    offer("1", () => offer("3"))
    offer("2")
    finish()
    expect(ran).toEqual(numbers(1, 3))
  })

  it("go on after one that throws", () => {
    const { finish, offer, ran } = byHand(1)
    offer("1", () => {
      throw new Error("no")
    })
    offer("2")
    expect(finish).toThrow("no")
    finish()
    expect(ran).toEqual(numbers(1, 2))
  })

  it("are kept in order however many there are", () => {
    const { finish, offer, ran } = byHand(0)
    const all = numbers(1, 5_000)
    for (const name of all) offer(name)
    finish()
    expect(ran).toEqual(all)
  })
})

describe("the service's fibers", () => {
  it("let the event loop go round between them", async () => {
    const busy = Effect.sync(() => {
      const until = performance.now() + 2
      while (performance.now() < until);
    })
    const rounds: Array<number> = []
    let round = 0
    const gate = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))
    const one = Effect.zipRight(
      Deferred.await(gate),
      Effect.zipRight(
        busy,
        Effect.sync(() => rounds.push(round))
      )
    )
    const all = Effect.all(
      Array.from({ length: 40 }, () => one),
      { concurrency: "unbounded" }
    )
    const served = Effect.runPromise(Effect.withScheduler(all, makeTurnScheduler()))
    await nextRound()
    Deferred.unsafeDone(gate, Effect.void)
    while (rounds.length < 40) {
      await nextRound()
      round += 1
    }
    await served
    expect(new Set(rounds).size).toBeGreaterThan(4)
  })
})
