import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { makeLandings } from "../../../../src/payment/settler/svm/landings.ts"
import { interruptingAt } from "../../../support/interrupting.ts"

const landed = (authorizationKey: string) => ({ authorizationKey, createdAt: 0 })

/** A journal that remembers what it was told to write in one statement. */
const makeJournal = () => {
  const statements: Array<ReadonlyArray<string>> = []
  const note = makeLandings({
    setState: (keys) =>
      Effect.sync(() => {
        statements.push(keys)
      })
  })
  return { statements, note: (key: string) => note(landed(key)) }
}

const settled = Effect.repeatN(Effect.yieldNow(), 20)

describe("what landed", () => {
  it.effect("is written down together, in statements that any database takes", () =>
    Effect.gen(function* () {
      const { note, statements } = makeJournal()
      const keys = Array.from({ length: 600 }, (_, at) => `key ${at}`)
      yield* Effect.forEach(keys, note, { concurrency: "unbounded" })
      yield* settled
      expect(statements.flat()).toEqual(keys)
      expect(statements.map((statement) => statement.length)).toEqual([256, 256, 88])
    })
  )

  it.effect("is written down though whoever noted the one before went away at any step", () =>
    Effect.gen(function* () {
      const { note, statements } = makeJournal()
      for (let step = 1; step < 40; step++) {
        const gone = yield* Effect.fork(Effect.withScheduler(note("gone"), interruptingAt(step)))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(gone)
        yield* note(`after ${step}`)
        yield* settled
        expect(statements.flat()).toContain(`after ${step}`)
      }
    })
  )
})
