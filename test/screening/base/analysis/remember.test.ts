import { expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { remembering } from "../../../../src/screening/base/analysis/remember.ts"
import { NOW } from "../../../support/now.ts"

const asked = Effect.fnUntraced(function* (isDecided: boolean) {
  let times = 0
  const ask = yield* remembering(() => Effect.sync(() => ({ value: (times += 1), isDecided })))
  return ask("0x00")
})

it.scoped("what was not decided is asked again after a minute, and when the clock was set back", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const ask = yield* asked(false)
    expect([yield* ask, yield* ask]).toEqual([1, 1])
    yield* TestClock.adjust("1 minute")
    expect([yield* ask, yield* ask]).toEqual([2, 2])
    yield* TestClock.setTime(NOW - 3_600_000)
    expect([yield* ask, yield* ask]).toEqual([3, 3])
  })
)

it.scoped("what was decided stays, whatever the clock does", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const ask = yield* asked(true)
    expect(yield* ask).toBe(1)
    yield* TestClock.adjust("30 days")
    expect(yield* ask).toBe(1)
    yield* TestClock.setTime(NOW - 3_600_000)
    expect(yield* ask).toBe(1)
  })
)
