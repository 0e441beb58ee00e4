import { describe, expect, it } from "@effect/vitest"
import { makeIsFull } from "../../../../src/screening/base/analysis/memory.ts"
import { begin } from "../../../../src/screening/base/analysis/tasks.ts"

/** A loop that reads and adds for ever, and keeps nothing. */
const LOOP = "0x5b5f35600101565b5f56"

describe("a thread's memory", () => {
  it("is full where a collection leaves less than a quarter of it free, and garbage fills nothing", () => {
    const sizes = [0, 159, 160, 119, 160, 121, 300, 121]
    let collected = 0
    const isFull = makeIsFull(
      () => ({ heap_size_limit: 480, used_heap_size: sizes.shift() ?? 0 }),
      () => void (collected += 1)
    )
    expect([isFull(), collected]).toEqual([false, 0])
    expect([isFull(), collected]).toEqual([false, 1])
    expect([isFull(), collected]).toEqual([true, 2])
    expect([isFull(), collected]).toEqual([true, 3])
  })

  it("ends an analysis once it is full, which then leaves open what it did not see", () => {
    const goOn = begin("findings", LOOP, [], {}, () => true)
    const answer = goOn(Infinity)
    expect(answer).toMatchObject({ cut: true, result: { hiddenMint: { state: "undecided" } } })
  })
})
