import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { learn, makeProven } from "../../../src/screening/solana/simulation/proven.ts"

const NOW = 1_800_000_000_000
const HOUR = 3_600_000

describe("the proof that a kind of pool is traded in rightly", () => {
  it.effect("lasts an hour", () =>
    Effect.gen(function* () {
      const proven = yield* makeProven
      yield* learn(proven, ["raydium-cpmm"], NOW)
      expect([...(yield* learn(proven, [], NOW + HOUR - 1)).keys()]).toEqual(["raydium-cpmm"])
      expect([...(yield* learn(proven, [], NOW + HOUR)).keys()]).toEqual([])
    })
  )

  it.effect("is over where the clock was set back since: it would last until that is where it was", () =>
    Effect.gen(function* () {
      const proven = yield* makeProven
      yield* learn(proven, ["raydium-cpmm"], NOW)
      expect([...(yield* learn(proven, [], NOW - 1)).keys()]).toEqual([])
    })
  )
})
