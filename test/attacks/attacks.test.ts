import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { packagedSets, readAttackSet } from "../../scripts/attacks/format.ts"
import { runAttacks } from "../../scripts/attacks/run.ts"
import { isPassed } from "../../scripts/attacks/text.ts"

const market = join(import.meta.dirname, "..", "support", "base", "attacks", "market")

describe("the packaged attack sets", () => {
  it("name every case once, and only contracts and names that exist are used", () => {
    const names = packagedSets().flatMap((dir) => {
      const { traps, controls } = readAttackSet(dir)
      return [...traps, ...controls].map(({ name }) => name)
    })
    expect(new Set(names).size).toBe(names.length)
  })

  it.live(
    "prove their harm by transactions, and a plain coin beside them is allowed",
    () =>
      Effect.gen(function* () {
        const only = ["A friend holds most", "Plain coin, LP burned"]
        const { traps, controls } = yield* runAttacks(market, { only, prove: true })
        expect(traps.map(({ harm, answer }) => [harm, isPassed(answer)])).toEqual([
          [{ harmed: true, how: "pool is emptied" }, false]
        ])
        expect(controls.map(({ answer }) => [answer.verdict, isPassed(answer)])).toEqual([["allow", true]])
      }),
    120_000
  )
})
