import { join } from "node:path"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { packagedSets, readAttackSet } from "../../scripts/attacks/format.ts"
import type { AttackResults } from "../../scripts/attacks/run.ts"
import { runAttacks } from "../../scripts/attacks/run.ts"
import { isPassed } from "../../scripts/attacks/text.ts"

const market = join(import.meta.dirname, "..", "support", "base", "attacks", "market")

const EMPTIED = "A friend holds most"
const TRAPS = [
  "V4, burned, the hook's owner may raise the fee to all of a swap",
  "V4 in the deployer's wallet beside a small burned V2 pool",
  "Supply parked beside the price of a burned V4 pool",
  "Slipstream, the deployer's position staked in the gauge",
  "V3, the position's NFT locked for ten days",
  "V3, the position's NFT locked where whoever likes locks NFTs of managers of his own"
]
const V4 = "V4 with a fixed hook of one percent, position burned"
const LOCKED = "V3, the position's NFT locked for a year"
const CONTROLS = ["Plain coin, LP burned", V4, "V3, the position's NFT burned", LOCKED]

describe("the packaged attack sets", () => {
  let results: AttackResults
  beforeAll(async () => {
    const only = [EMPTIED, ...TRAPS, ...CONTROLS]
    results = await Effect.runPromise(runAttacks(market, { only, prove: true }))
  }, 120_000)

  it("name every case once, and only contracts and names that exist are used", () => {
    const names = packagedSets().flatMap((dir) => {
      const { traps, controls } = readAttackSet(dir)
      return [...traps, ...controls].map(({ name }) => name)
    })
    expect(new Set(names).size).toBe(names.length)
  })

  it("prove their harm by transactions, and no trap passes in any kind of pool", () => {
    const proven = results.traps.find(({ trap }) => trap.name === EMPTIED)
    expect(proven?.harm).toEqual({ harmed: true, how: "pool is emptied" })
    expect(results.traps.map(({ trap, answer }) => [trap.name, isPassed(answer)])).toEqual(
      [EMPTIED, ...TRAPS].map((name) => [name, false])
    )
  })

  it("allow plain coins in real pools of V2, V3 and V4", () => {
    expect(results.controls.map(({ control, answer }) => [control.name, answer.verdict])).toEqual(
      CONTROLS.map((name) => [name, "allow"])
    )
  })

  it("trade as wallets do, through Permit2 and the Universal Router, in every one of them", () => {
    for (const { answer } of results.controls)
      expect(answer.signals.find(({ id }) => id === "WALLET_ROUTERS")?.message).toContain(
        "sold through Permit2 and the Universal Router"
      )
  })
})
