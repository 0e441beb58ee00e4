/** What others say is read a wave early, and nothing is concluded from it. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaSimulation } from "../../../src/chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { unread } from "../../../src/screening/solana/reads/account-book.ts"
import { placeCleanToken } from "../../support/solana/clean-token.ts"
import { account, wallet } from "../../support/solana/encode.ts"
import { NOW_SLOT } from "../../support/solana/fake-node.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { fakeRpc, makeFakeWorld, screenBy, screenIn } from "../../support/solana/fake-world.ts"
import { hazards } from "../../support/solana/hazards/hazards.ts"
import { honest } from "../../support/solana/honest/honest.ts"
import type { Scenario } from "../../support/solana/scenarios.ts"
import { holdersOf, withHolders } from "../../support/solana/scenarios.ts"
import { tellAll } from "../../support/solana/told.ts"

/** Who owns what, by somebody who does not know or does not mean well. */
const TELLERS: Readonly<
  Record<string, (truth: SolanaAddress | null, index: number) => SolanaAddress | null>
> = {
  truth: (owner) => owner,
  nobody: () => null,
  strangers: (_, index) => wallet(`stranger ${index}`),
  "a pool's program": () => at.program.raydiumCpmm,
  "one person": () => wallet("one person")
}

const reportOf = (place: Scenario, teller: keyof typeof TELLERS) =>
  Effect.gen(function* () {
    const world = makeFakeWorld()
    const mint = yield* place(world)
    tellAll(world, mint, TELLERS[teller])
    const { safe, screening, verdict } = yield* screenIn(world, mint)
    const { exits, liquidityUsd, lpLocked, priceUsd, signals } = screening
    return { safe, verdict, exits, liquidityUsd, lpLocked, priceUsd, signals }
  })

describe("who is said to own the largest accounts", () => {
  // Every sixth scenario by every teller in turn: all of them by all tellers take minutes.
  const scenarios = Object.entries({ ...honest, ...hazards }).filter((_, index) => index % 6 === 0)
  const tellers = Object.keys(TELLERS).filter((teller) => teller !== "nobody")
  it.effect("changes nothing in any report, true or false", () =>
    Effect.gen(function* () {
      for (const [index, [name, place]] of scenarios.entries()) {
        const teller = tellers[index % tellers.length] ?? "truth"
        const [known, told] = [yield* reportOf(place, "nobody"), yield* reportOf(place, teller)]
        expect([name, teller, told]).toEqual([name, teller, known])
      }
    })
  )
})

/** Screens with a node that refuses the trial of whoever signs for these, and counts the trials. */
const refusing = (world: FakeWorld, mint: SolanaAddress, isRefused: (nth: number) => boolean) =>
  Effect.gen(function* () {
    const rpc = fakeRpc(world)
    let trials = 0
    const simulate: typeof rpc.simulate = (wire, accounts) =>
      Effect.suspend(() => {
        trials += 1
        const refused: SolanaSimulation = {
          slot: NOW_SLOT,
          failure: { instruction: 2, code: "Custom6000" },
          logs: [`Program ${at.TOKEN_PROGRAM} failed: refused`],
          accounts: []
        }
        return isRefused(trials) ? Effect.succeed(refused) : rpc.simulate(wire, accounts)
      })
    const found = yield* screenBy({ ...rpc, simulate }, world, mint)
    return { ...found, trials }
  })

describe("a trial that was begun by what was told", () => {
  const placed = Effect.gen(function* () {
    const world = makeFakeWorld()
    const token = yield* placeCleanToken(world)
    withHolders(
      world,
      token,
      holdersOf(15, (index) => 20 - index)
    )
    return { world, mint: token.mint }
  })

  it.effect("is made once where the accounts say the same", () =>
    Effect.gen(function* () {
      const { mint, world } = yield* placed
      tellAll(world, mint)
      const { trials, verdict } = yield* refusing(world, mint, () => false)
      expect({ trials, verdict }).toEqual({ trials: 5, verdict: "allow" })
    })
  )

  it.effect("does not count where they say something else: those of the real holders are made", () =>
    Effect.gen(function* () {
      const { mint, world } = yield* placed
      tellAll(world, mint, TELLERS["strangers"])
      // Three of eight stand for strangers, and would have passed.
      const { screening, trials, verdict } = yield* refusing(world, mint, (nth) => nth > 5)
      expect({ trials, verdict }).toEqual({ trials: 8, verdict: "caution" })
      expect(screening.signals.find(({ id }) => id === "HOLDER_SALE_FAILS")?.state).toBe("fail")
    })
  )
})

describe("an account that was taken for something shorter", () => {
  it("is read again for what it is", () => {
    const [cut, whole, absent] = [wallet("cut"), wallet("whole"), wallet("absent")]
    const data = new Uint8Array(400)
    const book = new Map([
      [cut, { ...account(at.SYSTEM_PROGRAM, data.subarray(0, 200)), space: 400 }],
      [whole, account(at.SYSTEM_PROGRAM, data)],
      [absent, null]
    ])
    expect(unread(book, [cut, whole, absent], 200)).toEqual([])
    expect(unread(book, [cut, whole, absent], 300)).toEqual([cut])
    expect(unread(book, [whole], 1000)).toEqual([])
  })
})
