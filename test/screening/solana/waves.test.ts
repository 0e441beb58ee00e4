/** How many answers of the node, one after another, a screening waits for: three, and the simulation's. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Option, TestClock } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import type { Depth } from "../../../src/domain/screening.ts"
import { WSOL } from "../../../src/screening/solana/addresses.ts"
import { DEPLOYER, pairOf } from "../../support/solana/clean-token.ts"
import { placeDammPositions, placeRange } from "../../support/solana/concentrated.ts"
import { wallet } from "../../support/solana/encode.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { honest } from "../../support/solana/honest/honest.ts"
import type { Scenario } from "../../support/solana/scenarios.ts"
import { patch, sync } from "../../support/solana/scenarios.ts"

const scenario = (name: string): Scenario => {
  const found = honest[name]
  if (found === undefined) throw new Error(`no scenario ${name}`)
  return found
}

/** The longest chain of answers that were waited for, each of which took a second. */
const wavesOf = (world: FakeWorld, mint: SolanaAddress, depth: Depth) =>
  Effect.gen(function* () {
    world.latencyMs = 1000
    const running = yield* Effect.fork(screenIn(world, mint, depth))
    for (let waves = 0; waves < 10; waves++) {
      const outcome = yield* Fiber.poll(running)
      if (Option.isSome(outcome)) return { waves, isAnswer: Exit.isSuccess(outcome.value) }
      yield* TestClock.adjust("1 second")
    }
    return yield* Effect.dieMessage("no answer within ten waves")
  })

const vested = sync(
  (world) =>
    placeDammPositions(world, "waves", [
      { owner: DEPLOYER, share: 1, until: 1_890_000_000n, schedule: "elsewhere" }
    ]).mint
)

/** Five pools of one token, each of thirty providers, at a venue nobody knows. */
const placeFive = (world: FakeWorld, kind: "whirlpool" | "clmm"): SolanaAddress => {
  const placed = Array.from({ length: 5 }, (_, index) =>
    placeRange(world, {
      label: `unnamed ${kind} ${index}`,
      kind,
      sol: 200,
      providers: Array.from({ length: 30 }, (_, provider) => ({
        owner: wallet(`provider ${provider}`),
        sol: 4 + provider * 0.35
      }))
    })
  )
  const mint = placed[0]?.mint
  if (mint === undefined) throw new Error("no pool")
  for (const { pool, tokenVault } of placed) {
    patch(world, pool, [[kind === "clmm" ? 73 : 101, mint]])
    patch(world, tokenVault, [[0, mint]])
  }
  world.pairs.set(
    mint,
    placed.map(({ pool }, index) =>
      pairOf(pool, WSOL, { dexId: "somewhere", labels: [], priceUsd: null, liquidityUsd: 60_000 - index })
    )
  )
  return mint
}

describe("three waves and the simulation's", () => {
  const scenarios: Readonly<Record<string, Scenario>> = {
    "a clean CPMM token": scenario("the clean token"),
    "a graduate": scenario("a graduate"),
    "a graduate quoted in another": scenario("a graduate quoted in another graduate"),
    "a Whirlpool whose positions' owners are looked up": scenario("a Whirlpool of thirty providers"),
    "a CLMM pool whose positions' owners are looked up": scenario("a CLMM pool of thirty providers"),
    "a CLMM position with a locker": scenario("a CLMM position with UNCX for a year"),
    "a DLMM pair": scenario("a DLMM of twelve providers"),
    "a DAMM v2 position with a schedule elsewhere": vested,
    "vesting contracts": scenario("a third of the supply vesting for years")
  }
  for (const [name, place] of Object.entries(scenarios)) {
    it.effect(`are all that ${name} takes, at both depths: a ping tells nothing deep would deny`, () =>
      Effect.gen(function* () {
        for (const depth of ["ping", "deep"] as const) {
          const world = makeFakeWorld()
          const mint = yield* place(world)
          const { isAnswer, waves } = yield* wavesOf(world, mint, depth)
          expect({ isAnswer, isWithin: waves <= 4 }).toEqual({ isAnswer: true, isWithin: true })
        }
      })
    )
  }

  for (const kind of ["whirlpool", "clmm"] as const) {
    it.effect(`are all for five pools of positions that nobody names: ${kind}`, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const mint = placeFive(world, kind)
        // Whose the shallower pools' liquidity is was not asked, and nobody is told that it is anybody's.
        expect((yield* screenIn(world, mint, "deep")).safe).toBe(null)
        expect((yield* wavesOf(world, mint, "deep")).waves).toBeLessThanOrEqual(4)
      })
    )
  }

  it.effect.each([
    ["somewhere nobody knows", "a Whirlpool of thirty providers", "somewhere"],
    ["somewhere nobody knows", "a CLMM pool of thirty providers", "somewhere"],
    ["Raydium, without its label", "a CLMM pool of thirty providers", "raydium"],
    ["somewhere nobody knows", "a DLMM of twelve providers", "somewhere"]
  ] as const)("are all where the venue is said to be %s: %s", ([, name, dexId]) =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const mint = yield* scenario(name)(world)
      const pairs = (world.pairs.get(mint) ?? []).map((pair) => ({ ...pair, dexId, labels: [] }))
      world.pairs.set(mint, pairs)
      const { verdict } = yield* screenIn(world, mint, "deep")
      expect(verdict).toBe("allow")
      expect((yield* wavesOf(world, mint, "deep")).waves).toBeLessThanOrEqual(4)
    })
  )
})
