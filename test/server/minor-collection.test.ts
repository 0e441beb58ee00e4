import { describe, expect, it } from "@effect/vitest"
import { collectWhenIdle } from "../../src/server/minor-collection.ts"

/** A process by hand: how busy it was since the last look, and how full the room of the young is. */
const byHand = () => {
  const state = { utilization: 0, isFilling: true, collected: 0 }
  let looks: Array<() => void> = []
  const worked = collectWhenIdle({
    after: (_millis, step) => void looks.push(step),
    utilization: () => state.utilization,
    isFilling: () => state.isFilling,
    collect: () => (state.collected += 1)
  })
  const pass = () => {
    const due = looks
    looks = []
    for (const look of due) look()
  }
  return { state, worked, pass, isWatching: () => looks.length > 0 }
}

describe("what is young", () => {
  it("is collected once when work has ended and nothing happens", () => {
    const { isWatching, pass, state, worked } = byHand()
    worked()
    worked()
    expect(state.collected).toBe(0)
    pass()
    expect(state.collected).toBe(1)
    expect(isWatching()).toBe(false)
  })

  it("is left alone while the process works, and looked at again", () => {
    const { isWatching, pass, state, worked } = byHand()
    worked()
    state.utilization = 0.5
    pass()
    pass()
    expect(state.collected).toBe(0)
    state.utilization = 0
    pass()
    expect(state.collected).toBe(1)
    expect(isWatching()).toBe(false)
  })

  it("is left alone where there is little of it, until there was work again", () => {
    const { isWatching, pass, state, worked } = byHand()
    state.isFilling = false
    worked()
    pass()
    expect([state.collected, isWatching()]).toEqual([0, false])
    state.isFilling = true
    worked()
    pass()
    expect(state.collected).toBe(1)
  })
})
