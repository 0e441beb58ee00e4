/** Wallets cost nothing: what several of them hold may be one party's, until the market had the time to tell. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { DAY, placeCleanToken } from "../../support/solana/clean-token.ts"
import { wallet } from "../../support/solana/encode.ts"
import { makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { holdersOf, withHolders } from "../../support/solana/scenarios.ts"

/** Wallets from this many thousandths of the supply down. */
const uneven = (label: string, count: number, from: number, step: number) =>
  Array.from({ length: count }, (_, index) => [wallet(`${label} ${index}`), from - index * step] as const)

describe("a few wallets with half of what is outside pools", () => {
  const three = [...uneven("whale", 3, 190, 18), ...holdersOf(16, (index) => 5 - index * 0.3)]
  // Three of them have far less than two fifths.
  const ten = [...uneven("large", 10, 46, 1), ...holdersOf(9, (index) => 10 - index)]
  const rows = [
    ["three, in a market of 29 days, may be one party", 29, three, { state: "unknown", safe: null }],
    ["three, in a market of 31 days, had a month to sell", 31, three, { state: "pass", safe: true }],
    ["ten, in a market of 29 days, may be one party", 29, ten, { state: "unknown", safe: null }]
  ] as const
  for (const [name, days, holders, expected] of rows) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const placed = yield* placeCleanToken(world, { ageMs: days * DAY, dollars: 300_000n })
        withHolders(world, placed, holders, 180)
        const { safe, screening } = yield* screenIn(world, placed.mint)
        const state = screening.signals.find(({ id }) => id === "CLOSED_CIRCLE")?.state
        expect({ state, safe }).toEqual(expected)
      })
    )
  }
})
