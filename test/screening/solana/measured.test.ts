/** Figures that were once measured wrong, each with what is right. The page beside this file lists the others' tests. */
import { readFileSync, readdirSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { canonicalPumpSwap } from "../../../src/screening/solana/reads/pdas.ts"
import type { RugCheckReport } from "../../../src/market/market-data.ts"
import { emptyReport, placeCleanToken } from "../../support/solana/clean-token.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { hazards } from "../../support/solana/hazards/hazards.ts"
import { honest } from "../../support/solana/honest/honest.ts"
import { placeGraduate, SOL_USD } from "../../support/solana/launches.ts"
import type { Scenario } from "../../support/solana/scenarios.ts"
import { patch } from "../../support/solana/scenarios.ts"

const scenarios: Readonly<Record<string, Scenario>> = { ...hazards, ...honest }

const screened = (name: string) =>
  Effect.gen(function* () {
    const place = scenarios[name]
    if (place === undefined) return yield* Effect.dieMessage(`no scenario ${name}`)
    const world = makeFakeWorld()
    return yield* screenIn(world, yield* place(world))
  })

const reported = (world: FakeWorld, mint: SolanaAddress, change: Partial<RugCheckReport>): void =>
  void world.reports.set(mint, { ...(world.reports.get(mint) ?? emptyReport), ...change })

describe("a graduate with virtual reserves", () => {
  it.effect(
    "is priced by what its pool trades at, counts what a seller can get, and market data agrees",
    () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const mint = placeGraduate(world, { label: "measured", sol: 10.07, virtual: 17.58 })
        // 27.65 SOL against 200 million tokens.
        const price = (27.65 / 2e8) * SOL_USD
        const pairs = (world.pairs.get(mint) ?? []).map((pair) => ({ ...pair, priceUsd: price }))
        world.pairs.set(mint, pairs)
        const { screening } = yield* screenIn(world, mint)
        expect((screening.priceUsd ?? 0) / price).toBeCloseTo(1, 3)
        expect(screening.liquidityUsd).toBeCloseTo(2 * 10.07 * SOL_USD, 0)
        expect(findings(screening)).not.toContain("PRICE_DISPUTED:fail")
      })
  )

  it.effect("has none of the fees that wait in its vault until they are swept", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      // The program takes what waits from the virtual reserves as well.
      const mint = placeGraduate(world, { label: "unswept", sol: 10.07 + 2, virtual: 17.58 - 2 })
      patch(world, canonicalPumpSwap(mint, at.WSOL).pool, [
        [271, 500_000_000n],
        [279, 1_500_000_000n]
      ])
      const { screening } = yield* screenIn(world, mint)
      expect((screening.priceUsd ?? 0) / ((27.65 / 2e8) * SOL_USD)).toBeCloseTo(1, 3)
      expect(screening.liquidityUsd).toBeCloseTo(2 * 10.07 * SOL_USD, 0)
    })
  )
})

describe("a ping", () => {
  it.effect("does not believe a pool that does not exist, nor the price it is said to have", () =>
    Effect.gen(function* () {
      const { safe, screening } = yield* screened("a pool that does not exist has 9 million dollars")
      expect(screening).toMatchObject({ priceUsd: null, liquidityUsd: 0 })
      expect(safe).not.toBe(true)
    })
  )

  it.effect("says that liquidity is the deployer's, whatever RugCheck says", () =>
    Effect.gen(function* () {
      const name = "all LP tokens are the deployer's, RugCheck says 100 % locked"
      const { safe, screening } = yield* screened(name)
      expect({ safe, lpLocked: screening.lpLocked }).toEqual({ safe: false, lpLocked: false })
    })
  )
})

describe("an out-of-range Whirlpool with 9 million dollars of bids", () => {
  it.effect("changes nothing about somebody else's clean token", () =>
    Effect.gen(function* () {
      const alone = yield* screened("the clean token")
      const griefed = yield* screened("a clean token griefed by an out-of-range Whirlpool")
      const shown = ({ safe, screening, verdict }: typeof alone) => ({
        safe,
        verdict,
        priceUsd: screening.priceUsd,
        liquidityUsd: screening.liquidityUsd
      })
      expect(shown(griefed)).toEqual(shown(alone))
      expect(griefed.verdict).toBe("allow")
    })
  )
})

describe("issued assets and large caps", () => {
  const rows = [
    ["jupSOL", "allow"],
    ["INF", "allow"],
    ["JUP's shape", "allow"],
    ["BONK's shape", "allow"],
    ["WIF's shape", "allow"],
    ["cbBTC, at most caution", "caution"],
    ["TSLAx, at most caution", "caution"],
    ["AMDx, at most caution", "caution"],
    ["tBTC, at most caution", "caution"],
    ["a DBC launch", "allow"],
    ["a Moonshot curve", "allow"],
    ["LaunchLab against USD1", "allow"],
    ["LaunchLab at one price", "allow"],
    ["LaunchLab at a price that grows evenly", "allow"],
    ["a DAMM v2 launch against PYUSD, locked for good", "allow"],
    ["a DAMM v1 pool of lending vaults", "allow"],
    ["a DAMM v1 pool whose SOL lies in the lending vault that all of them share", "allow"],
    ["a DAMM v1 pool of lending vaults, whose locks were harvested just now", "allow"],
    ["LP tokens with Burn & Earn, harvested just now", "allow"],
    ["a graduate of Token-2022, named by its own mint for good", "allow"],
    ["an AMM v4 pool whose LP tokens were all burned", "allow"],
    ["a mayhem coin", "allow"],
    ["nine holders whom a stranger lets move a little of what is the stranger's", "allow"],
    ["six holders whom a stranger calls the makers of pools of dust", "allow"],
    ["a young token, beside whose pool somebody put a stable one of dust", "allow"],
    ["a young token, beside whose locked pool a stranger has an eighth of the liquidity", "allow"]
  ] as const
  for (const [name, verdict] of rows) {
    it.effect(`are no false alarm: ${name} is ${verdict}`, () =>
      Effect.gen(function* () {
        expect((yield* screened(name)).verdict).toBe(verdict)
      })
    )
  }
})

describe("RugCheck's report", () => {
  it.effect("is read for how many wallets it ties to insiders", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      reported(world, mint, { graphInsidersDetected: 60 })
      const { screening } = yield* screenIn(world, mint)
      const signal = screening.signals.find(({ id }) => id === "INSIDER_HOLDINGS")
      expect(signal).toMatchObject({ state: "fail", message: "RugCheck ties 60 wallets to insiders." })
    })
  )

  it.effect("that names no LP mint, as the system program's address, says nothing of a lock", () =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world)
      const markets = (world.reports.get(mint)?.markets ?? []).map((market) => ({
        ...market,
        lpMint: at.SYSTEM_PROGRAM,
        lpLockedPct: 0
      }))
      reported(world, mint, { markets })
      const { safe, screening } = yield* screenIn(world, mint)
      expect({ safe, lpLocked: screening.lpLocked, found: findings(screening) }).toEqual({
        safe: true,
        lpLocked: true,
        found: []
      })
    })
  )
})

describe("the pages that name tests", () => {
  const pages = [
    ["what was measured wrong", new URL("README.md", import.meta.url), 60],
    ["what is built", new URL("../../../src/screening/solana/README.md", import.meta.url), 75]
  ] as const
  const tests = ["./", "../../chain/"]
    .map((folder) => new URL(folder, import.meta.url))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith(".test.ts"))
        .map((file) => readFileSync(new URL(file, folder), "utf8"))
    )
    .join("\n")
  for (const [name, file, least] of pages) {
    it(`name tests and scenarios that exist: ${name}`, () => {
      const named = [...readFileSync(file, "utf8").matchAll(/`([^`]+)`/g)].map(([, test = ""]) => test)
      expect(named.length).toBeGreaterThan(least)
      expect(named.filter((test) => !(test in scenarios) && !tests.includes(test))).toEqual([])
    })
  }
})
