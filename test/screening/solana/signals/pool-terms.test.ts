import { describe, expect, it } from "@effect/vitest"
import type { PoolFact } from "../../../../src/screening/solana/pools/pool-fact.ts"
import { solanaSignals } from "../../../../src/screening/solana/signals/index.ts"
import { clean, pool } from "../../../support/solana/evidence.ts"

const judged = (id: string, ...pools: ReadonlyArray<Partial<PoolFact>>) =>
  solanaSignals
    .find((signal) => signal.id === id)
    ?.judge({ ...clean, pools: pools.map((change) => ({ ...pool, ...change })) })

describe("pools that do not trade", () => {
  const beside = (shut: number, obstacle: PoolFact["obstacle"] = "frozen", liquidityUsd = 100_000) =>
    judged(
      "POOLS_CLOSED",
      { nominalUsd: shut, liquidityUsd: 0, obstacle },
      { nominalUsd: 100 - shut, liquidityUsd }
    )

  it("decide alone with nineteen twentieths of the liquidity, and fail with half of it", () => {
    expect(beside(95)).toMatchObject({ state: "fail", hard: true, points: 80 })
    expect(beside(94)).toEqual({ state: "fail", message: expect.stringContaining("94 %") })
    expect(beside(50)?.state).toBe("fail")
    expect(beside(49)?.state).toBe("pass")
  })

  it("take nothing from a market beside them where nobody can buy in them either: whoever opens one may be a stranger", () => {
    for (const obstacle of ["closed", "not-open-yet"] as const) {
      expect(beside(95, obstacle)?.state).toBe("pass")
      expect(beside(50, obstacle)?.state).toBe("pass")
      expect(beside(95, obstacle, 499)).toMatchObject({ state: "fail", hard: true })
      expect(beside(50, obstacle, 499)?.state).toBe("fail")
    }
    for (const obstacle of ["exposed", "guarded"] as const)
      expect(beside(95, obstacle)).toMatchObject({ state: "fail", hard: true })
  })

  it("take nothing from one where they only take no token back, unless it is thin or next to nothing", () => {
    expect(beside(94, "guarded")?.state).toBe("pass")
    expect(beside(94, "guarded", 4999)?.state).toBe("fail")
    expect(beside(94, "exposed")?.state).toBe("fail")
  })

  it("count by what they hold: one that holds nothing is no obstacle", () => {
    const empty = judged("POOLS_CLOSED", { nominalUsd: 0, obstacle: "frozen" }, { nominalUsd: 100 })
    expect(empty?.message).toBe("Every pool with liquidity trades.")
  })

  it("are told by the obstacle of the largest", () => {
    const told = judged(
      "POOLS_CLOSED",
      { nominalUsd: 30, liquidityUsd: 0, obstacle: "closed" },
      { nominalUsd: 70, liquidityUsd: 0, obstacle: "frozen" }
    )
    expect(told?.message).toContain("frozen vault")
  })
})

describe("pools that their makers can switch off", () => {
  const beside = (switched: number) =>
    judged("POOL_SWITCH", { nominalUsd: switched, switchedBy: "maker" }, { nominalUsd: 100 - switched })

  it("take nothing from a market beside them while they are off: nobody buys there, and a stranger may have made them", () => {
    const off = (obstacle: PoolFact["obstacle"], liquidityUsd: number) =>
      judged(
        "POOL_SWITCH",
        { nominalUsd: 90, liquidityUsd: 0, switchedBy: "maker", obstacle },
        { nominalUsd: 10, liquidityUsd }
      )?.state
    expect(off("closed", 100_000)).toBe("pass")
    expect(off("not-open-yet", 100_000)).toBe("pass")
    expect(off("closed", 499)).toBe("fail")
    expect(off(null, 100_000)).toBe("fail")
  })

  it("fail from half of the liquidity on", () => {
    expect(beside(50)).toEqual({ state: "fail", message: expect.stringContaining("50 %") })
    expect(beside(49)?.state).toBe("pass")
  })
})

describe("the fee of the deepest pool", () => {
  const of = (now: number, lasting: number) => judged("POOL_FEE", { fee: { now, lasting } })

  it.each([
    [0.04, 8],
    [0.1, 20],
    [0.3, 60],
    [0.9, 60]
  ])("of %d weighs %i points", (now, points) => {
    expect(of(now, 0.01)).toMatchObject({ state: "fail", points, hard: false })
  })

  it("below four per cent is usual, and one that halves what comes back for good decides alone", () => {
    expect(of(0.039, 0.039)?.state).toBe("pass")
    expect(of(0.5, 0.49)).toMatchObject({ state: "fail", hard: false })
    expect(of(0.5, 0.5)).toMatchObject({ state: "fail", hard: true })
  })
})
