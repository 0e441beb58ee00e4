import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Exit, Fiber, Option, TestClock } from "effect"
import { gathering } from "../../src/domain/gathering.ts"

/** Answers every number with its double; a call with a hundred in it fails. */
const doubling = () => {
  const calls: Array<ReadonlyArray<number>> = []
  const ask = gathering({
    pause: Effect.sleep("3 millis"),
    most: 4,
    answer: (questions: ReadonlyArray<number>) =>
      Effect.suspend(() => {
        calls.push(questions)
        if (questions.includes(100)) return Effect.fail("broken")
        return Effect.succeed(
          questions.map((one) => (one < 0 ? Either.left("negative") : Either.right(2 * one)))
        )
      })
  })
  return { ask, calls }
}

const at = (ask: ReturnType<typeof doubling>["ask"], numbers: ReadonlyArray<number>) =>
  Effect.forEach(numbers, (one) => Effect.fork(Effect.either(ask(one))))

describe("questions of one moment", () => {
  it.effect("share a call of at most so many, and each gets its own answer", () =>
    Effect.gen(function* () {
      const { ask, calls } = doubling()
      const fibers = yield* at(ask, [1, 2, -3, 4, 5, 6])
      yield* TestClock.adjust("2 millis")
      expect(calls).toEqual([[1, 2, -3, 4]])
      yield* TestClock.adjust("1 millis")
      expect(yield* Effect.forEach(fibers, Fiber.join)).toEqual(
        [2, 4, "negative", 8, 10, 12].map((one) =>
          typeof one === "string" ? Either.left(one) : Either.right(one)
        )
      )
      expect(calls).toEqual([
        [1, 2, -3, 4],
        [5, 6]
      ])
    })
  )

  it.effect("fail together, and no later one with them", () =>
    Effect.gen(function* () {
      const { ask } = doubling()
      const broken = yield* at(ask, [100, 1])
      yield* TestClock.adjust("3 millis")
      expect(yield* Effect.forEach(broken, Fiber.join)).toEqual([
        Either.left("broken"),
        Either.left("broken")
      ])
      const sound = yield* at(ask, [1])
      yield* TestClock.adjust("3 millis")
      expect(yield* Effect.forEach(sound, Fiber.join)).toEqual([Either.right(2)])
    })
  )

  it.effect("are answered also when the one who came first has gone", () =>
    Effect.gen(function* () {
      const { ask } = doubling()
      const [first] = yield* at(ask, [1])
      const [second] = yield* at(ask, [2])
      yield* TestClock.adjust("1 millis")
      if (first !== undefined) yield* Fiber.interrupt(first)
      yield* TestClock.adjust("2 millis")
      expect(second && (yield* Fiber.join(second))).toEqual(Either.right(4))
    })
  )

  it.effect("are given up where the call has a limit of time", () =>
    Effect.gen(function* () {
      const ask = gathering({
        pause: Effect.yieldNow(),
        most: 2,
        answer: (
          _questions: ReadonlyArray<number>
        ): Effect.Effect<ReadonlyArray<Either.Either<number, string>>, string> =>
          Effect.timeoutFail(Effect.as(Effect.never, []), { duration: "1 seconds", onTimeout: () => "late" })
      })
      const fibers = yield* at(ask, [1, 2, 3])
      yield* TestClock.adjust("1 seconds")
      const answers = yield* Effect.forEach(fibers, Fiber.poll)
      expect(answers.map(Option.map(Exit.getOrElse(String)))).toEqual(
        Array.from({ length: 3 }, () => Option.some(Either.left("late")))
      )
    })
  )
})
