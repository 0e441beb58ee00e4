import { Effect, Fiber } from "effect"
import { setImmediate as nextRound } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { makePace } from "../../src/http/pace.ts"

describe("a pace", () => {
  it("lets so many go on in a round of the event loop, the others in later ones, in order", async () => {
    const pace = makePace(3)
    const gone: Array<number> = []
    const go = (name: number) =>
      Effect.runFork(
        Effect.zipRight(
          pace,
          Effect.sync(() => gone.push(name))
        )
      )
    const fibers = Array.from({ length: 8 }, (_, index) => go(index))
    let rounds = 0
    for (; gone.length < 8; rounds += 1) {
      expect(gone.length).toBeLessThanOrEqual(3 * (rounds + 1))
      await nextRound()
    }
    expect(rounds).toBeGreaterThan(1)
    await Effect.runPromise(Fiber.joinAll(fibers))
    expect(gone).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it("forgets those who do not wait any more", async () => {
    const pace = makePace(1)
    const first = Effect.runFork(pace)
    const second = Effect.runFork(pace)
    const third = Effect.runFork(pace)
    await Effect.runPromise(Fiber.interrupt(second))
    await Effect.runPromise(Fiber.joinAll([first, third]))
    expect(await Effect.runPromise(Effect.as(pace, "free again"))).toBe("free again")
  })
})
