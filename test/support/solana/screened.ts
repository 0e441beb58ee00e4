/** A scenario's token in a world of its own, screened at both depths. */
import { Effect } from "effect"
import { makeFakeWorld, screenIn } from "./fake-world.ts"
import type { Scenario } from "./scenarios.ts"

export const screened = (scenario: Scenario) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const mint = yield* scenario(world)
    const ping = yield* screenIn(world, mint, "ping")
    const deep = yield* screenIn(world, mint, "deep")
    return { ping, deep }
  })
