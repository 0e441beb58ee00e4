import { describe, expect, it } from "@effect/vitest"
import { inRounds } from "../../src/http/fast/rounds.ts"

const turn = () => new Promise((passed) => setImmediate(passed))

describe("what comes in one round of the event loop", () => {
  it("is all handed over, in its order, 64 together at most, and nothing while those before are under way", async () => {
    const rounds: Array<ReadonlyArray<number>> = []
    const ends: Array<() => void> = []
    const add = inRounds<number>((together, ended) => {
      rounds.push(together)
      ends.push(ended)
    })
    for (let one = 0; one < 150; one++) add(one)
    expect(rounds).toEqual([])
    for (let turns = 0; turns < 3; turns++) await turn()
    expect(rounds.map(({ length }) => length)).toEqual([64])
    add(150)
    for (const lengths of [
      [64, 64],
      [64, 64, 23]
    ]) {
      ends.at(-1)?.()
      await turn()
      expect(rounds.map(({ length }) => length)).toEqual(lengths)
    }
    ends.at(-1)?.()
    await turn()
    add(151)
    await turn()
    expect(rounds.flat()).toEqual(Array.from({ length: 152 }, (_, one) => one))
  })
})
