import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { known } from "../../../../src/domain/fact.ts"
import type { PoolEvidence } from "../../../../src/screening/base/evidence.ts"
import { hookCode } from "../../../../src/screening/base/pools/hook-code.ts"
import { heldIn } from "../../../../src/screening/base/pools/ladder.ts"
import type { TradeVariant } from "../../../../src/screening/base/simulation/findings.ts"
import { clean, fairTrades, judge, pool } from "../../../support/base/fixtures.ts"

const ONE = 2n ** 96n
const expectNear = (amount: bigint, expected: number) =>
  expect(Math.abs(Number(amount) / expected - 1)).toBeLessThan(0.001)

describe("what stands in a V4 pool", () => {
  it("is all of both sides where liquidity covers every price, not what is near the price", () => {
    const { amount0, amount1 } = heldIn(ONE, [
      { tick: -887_220, net: 1e21 },
      { tick: 887_220, net: -1e21 }
    ])
    expectNear(amount0, 1e21)
    expectNear(amount1, 1e21)
  })

  it("is little where liquidity is narrow, whatever depth it shows", () => {
    const { amount1 } = heldIn(ONE, [
      { tick: -60, net: 1e21 },
      { tick: 60, net: -1e21 }
    ])
    expectNear(amount1, 1e21 * (1 - 1.0001 ** -30))
  })

  it("counts tokens parked beside the price, on their side alone", () => {
    const { amount0, amount1 } = heldIn(ONE, [
      { tick: 600, net: 1e21 },
      { tick: 60_000, net: -1e21 }
    ])
    expect(amount1).toBe(0n)
    expectNear(amount0, 1e21 * (1.0001 ** -300 - 1.0001 ** -30_000))
  })
})

describe("a hook's code", () => {
  it("is fixed where it reads nothing that could change", () => {
    // PUSH4 afterSwap's selector, EQ; a callback that answers with its own selector.
    expect(hookCode("0x63b47b2fb11460006000f3")).toBe("fixed")
  })

  it("is changeable by storage, the clock, another contract, foreign code or a named account", () => {
    const wrong: ReadonlyArray<Hex> = [
      "0x600054",
      "0x42",
      "0x60006000600060006000fa",
      "0xf4",
      `0x73${"ab".repeat(20)}`,
      "0x635275965115"
    ]
    expect(wrong.map(hookCode)).toEqual(wrong.map(() => "changeable"))
    expect(hookCode("0x")).toBe("unread")
  })
})

describe("hooks in a report", () => {
  const POOL_ID: Hex = `0x${"77".repeat(32)}`
  const TAKES = "0x1000000000000000000000000000000000000044"
  const SETS_FEE = "0x1000000000000000000000000000000000000100"
  const hooked = (hooks: Hex, change: Partial<PoolEvidence> = {}) =>
    pool({ kind: "v4", v4: { poolId: POOL_ID, hooks }, ...change })
  const trade = (hookTaxBps: number, at: TradeVariant["at"] = 0): TradeVariant => ({
    pool: POOL_ID,
    size: "small",
    sender: "fresh-wallet",
    at,
    legs: {
      buy: "ok",
      transfer: "ok",
      sell: "ok",
      buyTaxBps: 0,
      transferTaxBps: 0,
      sellTaxBps: 0,
      hookTaxBps,
      maxSellPercent: 100
    }
  })
  const report = (pools: ReadonlyArray<PoolEvidence>, code: "fixed" | "changeable", taken = 100) =>
    judge({
      ...clean,
      pools,
      hooks: new Map([
        [TAKES, code],
        [SETS_FEE, code]
      ]),
      simulation: known({ ...fairTrades, variants: [trade(taken), trade(taken, 3600)] })
    })

  it("are believed where their code leaves no choice and trades show what they take", () => {
    expect(report([hooked(TAKES)], "fixed")).toMatchObject({ verdict: "allow", safe: true })
    expect(report([hooked(TAKES)], "fixed", 6000)).toMatchObject({ verdict: "avoid", safe: false })
    expect(report([hooked(TAKES)], "changeable").safe).toBe(false)
  })

  it("without a part in swaps are no harm, unless the pool's fee is theirs to set", () => {
    expect(report([hooked(SETS_FEE)], "changeable").verdict).toBe("allow")
    const dynamic = hooked(SETS_FEE, { v4: { poolId: POOL_ID, hooks: SETS_FEE, dynamicFee: true } })
    expect(report([dynamic], "changeable").safe).toBe(false)
  })

  it("of a stranger's pool with a few cents change nothing", () => {
    const dust = hooked(TAKES, { quoteUsd: 0.4 })
    expect(report([pool(), dust], "changeable")).toMatchObject({ verdict: "allow", safe: true })
  })

  it("leave the token's own taxes alone", () => {
    expect(report([hooked(TAKES)], "fixed", 300).state("SELL_TAX")).toBe("pass")
  })
})

describe("a market that cannot be read", () => {
  it("is unknown, never no market, and forbids trust", () => {
    const unread = judge({ ...clean, pools: [], unreadShare: 0.6 })
    expect(unread.state("NO_TRUSTED_LIQUIDITY")).toBe("unknown")
    expect(unread.state("UNREAD_VENUE")).toBe("unknown")
    expect(judge({ ...clean, unreadShare: 0.3 }).safe).not.toBe(true)
  })
})
