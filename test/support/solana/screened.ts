/** A scenario's token, screened in a world of its own. */
import { Effect } from "effect"
import { makeFakeWorld, screenIn } from "./fake-world.ts"
import type { Scenario } from "./scenarios.ts"

export const screened = (scenario: Scenario) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const mint = yield* scenario(world)
    return yield* screenIn(world, mint)
  })
