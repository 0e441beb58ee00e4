/** How many answers of the node, one after another, a screening waits for. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Option, TestClock } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { WSOL } from "../../../src/screening/solana/addresses.ts"
import { DEPLOYER, pairOf } from "../../support/solana/clean-token.ts"
import { placeDammPositions, placeRange } from "../../support/solana/concentrated.ts"
import { wallet } from "../../support/solana/encode.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { honest } from "../../support/solana/honest/honest.ts"
import type { Scenario } from "../../support/solana/scenarios.ts"
import { patch, sync } from "../../support/solana/scenarios.ts"
import { tellAll } from "../../support/solana/told.ts"

const scenario = (name: string): Scenario => {
  const found = honest[name]
  if (found === undefined) throw new Error(`no scenario ${name}`)
  return found
}

/** The longest chain of answers that were waited for, each of which took a second. */
const wavesOf = (world: FakeWorld, mint: SolanaAddress) =>
  Effect.gen(function* () {
    world.latencyMs = 1000
    const running = yield* Effect.fork(screenIn(world, mint))
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

/** Waves at most where RugCheck tells whose the largest accounts are and where pools keep what, and where it is silent. */
const classes: ReadonlyArray<readonly [name: string, place: Scenario, told: number, untold: number]> = [
  // Every pool follows from the mint: whose the largest accounts are is all that is left to read.
  ["a clean CPMM token", scenario("the clean token"), 2, 3],
  ["a graduate", scenario("a graduate"), 2, 3],
  ["a curve", scenario("a curve half way, 35 SOL raised"), 2, 3],
  ["a Moonshot curve", scenario("a Moonshot curve"), 2, 3],
  ["LP tokens with Burn & Earn", scenario("LP tokens with Burn & Earn"), 2, 3],
  ["vesting contracts", scenario("a third of the supply vesting for years"), 2, 3],
  // How much there is to harvest stands in the locks.
  [
    "LP tokens with Burn & Earn that have gained",
    scenario("LP tokens with Burn & Earn, harvested just now"),
    3,
    4
  ],
  // The pool stands where only market data knows: it is read first.
  ["LaunchLab", scenario("LaunchLab against SOL"), 3, 3],
  ["a DAMM v2 launch", scenario("a DAMM v2 launch, locked for good"), 3, 4],
  ["a DAMM v2 position with a schedule elsewhere", vested, 3, 4],
  ["a graduate quoted in another", scenario("a graduate quoted in another graduate"), 3, 4],
  // What a trade needs, or whose a position is, stands in what the pool names.
  ["a DBC launch", scenario("a DBC launch"), 4, 4],
  ["a DLMM pair", scenario("a DLMM of twelve providers"), 4, 4],
  ["a Whirlpool", scenario("a Whirlpool of thirty providers"), 4, 4],
  ["a CLMM pool", scenario("a CLMM pool of thirty providers"), 4, 4],
  ["a CLMM position with a locker", scenario("a CLMM position with UNCX for a year"), 4, 4]
]

const silent = (world: FakeWorld): void => void world.down.add("rugcheck")

describe("how many answers of the node are waited for, one after another", () => {
  for (const [name, place, told, untold] of classes)
    it.effect(`${name}: ${told} where owners are told, ${untold} where not`, () =>
      Effect.gen(function* () {
        for (const [most, prepare] of [
          [told, tellAll],
          [untold, silent]
        ] as const) {
          const world = makeFakeWorld()
          const mint = yield* place(world)
          prepare(world, mint)
          expect(yield* wavesOf(world, mint)).toEqual({ isAnswer: true, waves: most })
        }
      })
    )

  for (const kind of ["whirlpool", "clmm"] as const) {
    it.effect(`four for five pools of positions that nobody names: ${kind}`, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const mint = placeFive(world, kind)
        // Whose the shallower pools' liquidity is was not asked, and nobody is told that it is anybody's.
        expect((yield* screenIn(world, mint)).safe).toBe(null)
        expect((yield* wavesOf(world, mint)).waves).toBeLessThanOrEqual(4)
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
      const { verdict } = yield* screenIn(world, mint)
      expect(verdict).toBe("allow")
      expect((yield* wavesOf(world, mint)).waves).toBeLessThanOrEqual(4)
    })
  )
})
