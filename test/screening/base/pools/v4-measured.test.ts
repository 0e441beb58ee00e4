import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { known } from "../../../../src/domain/fact.ts"
import type { BaseEvidence, PoolEvidence } from "../../../../src/screening/base/evidence.ts"
import { type HookFindings, unreadHook } from "../../../../src/screening/base/pools/hook/findings.ts"
import { heldIn } from "../../../../src/screening/base/pools/ladder.ts"
import type { TradeVariant } from "../../../../src/screening/base/simulation/findings.ts"
import { CLANKER_HOOKS } from "../../../../src/screening/base/pools/v4.ts"
import { ZERO_ADDRESS } from "../../../../src/screening/base/addresses.ts"
import { clean, fairTrades, judge, pool } from "../../../support/base/fixtures.ts"
import { PLAIN_LEGS } from "../../../support/base/simulation/legs.ts"

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

const POOL_ID: Hex = `0x${"77".repeat(32)}`
const TAKES = "0x1000000000000000000000000000000000000044"
const SETS_FEE = "0x1000000000000000000000000000000000000100"
const hooked = (hooks: Hex, change: Partial<PoolEvidence> = {}) =>
  pool({ kind: "v4", v4: { poolId: POOL_ID, hooks }, ...change })
const trade = (hookTaxBps: number | null, at: TradeVariant["at"] = 0): TradeVariant => ({
  pool: POOL_ID,
  size: "small",
  sender: "fresh-wallet",
  at,
  legs: { ...PLAIN_LEGS, hookTaxBps }
})

describe("hooks in a report", () => {
  const idle = {
    stops: [],
    takings: [],
    takesBps: 0,
    fees: [],
    feePips: null,
    pays: "nobody",
    keeps: false,
    setsFee: false
  } as const
  const proven: HookFindings = {
    before: idle,
    after: { ...idle, takesBps: 100, keeps: true, pays: "itself" },
    fee: { doubts: [], mostPips: 10_000 },
    takesEther: true,
    settledBy: [],
    countedIn: []
  }
  const unproven = unreadHook("was not followed")
  const report = (pools: ReadonlyArray<PoolEvidence>, code: HookFindings, taken: number | null = 100) =>
    judge({
      ...clean,
      pools,
      hooks: new Map([
        [TAKES, code],
        [SETS_FEE, code]
      ]),
      simulation: known({ ...fairTrades, variants: [trade(taken), trade(taken, 3600)] })
    })

  it("are believed where every path of their code was followed and trades pass both ways", () => {
    expect(report([hooked(TAKES)], proven)).toMatchObject({ verdict: "allow", safe: true })
    expect(report([hooked(TAKES)], proven, 6000)).toMatchObject({ verdict: "avoid", safe: false })
  })

  it("that cannot be proven are undecided: neither safe nor, by themselves, to be avoided", () => {
    const undecided = report([hooked(TAKES)], unproven)
    expect(undecided).toMatchObject({ verdict: "caution", safe: null })
    expect(undecided.state("UNKNOWN_HOOK")).toBe("unknown")
    expect(judge({ ...clean, pools: [hooked(TAKES)] })).toMatchObject({ verdict: "caution", safe: null })
  })

  it("are undecided where swaps pass both ways, and nothing says what they keep of one", () => {
    const unmeasured = report([hooked(TAKES)], proven, null)
    expect(unmeasured).toMatchObject({ verdict: "caution", safe: null })
    expect(unmeasured.state("UNKNOWN_HOOK")).toBe("unknown")
  })

  it("with a power over swaps are reported, until a date that the code names has passed", () => {
    const until = (date: number): HookFindings => ({
      ...proven,
      after: { ...proven.after, stops: [{ kind: "power", why: "stops swaps by the time", until: date }] }
    })
    const now = Number(clean.blockTime)
    expect(report([hooked(TAKES)], until(now + 60))).toMatchObject({ verdict: "caution", safe: false })
    expect(report([hooked(TAKES)], until(now - 60))).toMatchObject({ verdict: "allow", safe: true })
  })

  it("without a part in swaps are no harm, unless the pool's fee is theirs to set without a bound", () => {
    expect(report([hooked(SETS_FEE)], unproven).verdict).toBe("allow")
    const dynamic = hooked(SETS_FEE, { v4: { poolId: POOL_ID, hooks: SETS_FEE, dynamicFee: true } })
    expect(report([dynamic], unproven).safe).not.toBe(true)
    expect(report([dynamic], proven)).toMatchObject({ verdict: "allow", safe: true })
    const raised = { ...proven, fee: { doubts: [], mostPips: 900_000 } }
    expect(report([dynamic], raised)).toMatchObject({ verdict: "caution", safe: false })
  })

  it("that keep of swaps what the pool does not grant them stop these swaps", () => {
    const AFTER_SWAP = "0x1000000000000000000000000000000000000040"
    const kept = judge({ ...clean, pools: [hooked(AFTER_SWAP)], hooks: new Map([[AFTER_SWAP, proven]]) })
    expect(kept.safe).toBe(false)
  })

  it("of a stranger's pool with a few cents change nothing", () => {
    const dust = hooked(TAKES, { quoteUsd: 0.4 })
    expect(report([pool(), dust], unproven)).toMatchObject({ verdict: "allow", safe: true })
  })

  it("leave the token's own taxes alone", () => {
    expect(report([hooked(TAKES)], proven, 300).state("SELL_TAX")).toBe("pass")
  })
})

describe("the fee of a Clanker pool", () => {
  const clanker = CLANKER_HOOKS[0] ?? TAKES
  const sold = (...taken: ReadonlyArray<number>) =>
    judge({
      ...clean,
      pools: [hooked(clanker, { feePips: 10_000 })],
      simulation: known({ ...fairTrades, variants: taken.map((bps, at) => trade(bps, at === 0 ? 0 : 3600)) })
    })

  it("is what trades show, not what the last swap left: sales may cost more than purchases", () => {
    expect(sold(20, 20)).toMatchObject({ verdict: "allow", safe: true })
    expect(sold(3500, 3500)).toMatchObject({ verdict: "caution", safe: false })
    expect(sold(3500, 3500).state("POOL_FEE")).toBe("fail")
  })

  it("is the one that stays, where a launch's first minutes cost more, or a large trade moves the price", () => {
    expect(sold(8000, 20)).toMatchObject({ verdict: "allow", safe: true })
  })

  it("is not known where no trade showed it", () => {
    expect(sold().state("POOL_FEE")).toBe("unknown")
    expect(sold().safe).not.toBe(true)
  })
})

describe("the fee of a pool", () => {
  it("counts where most of the money is: a usual one is none, a dear one warns, half of a swap condemns", () => {
    const at = (feePips: number) => judge({ ...clean, pools: [pool({ kind: "v4", feePips })] })
    expect(at(50_000)).toMatchObject({ verdict: "allow", safe: true })
    expect(at(200_000)).toMatchObject({ verdict: "caution", safe: false })
    expect(at(500_000)).toMatchObject({ verdict: "avoid", safe: false })
  })

  it("is unknown where the pool did not tell it, and a token that trades there is not called safe", () => {
    const untold = judge({ ...clean, pools: [pool({ kind: "slipstream", feeUnread: true })] })
    expect(untold.state("POOL_FEE")).toBe("unknown")
    expect(untold.safe).not.toBe(true)
    const side = pool({ feeUnread: true, quoteUsd: pool().quoteUsd / 3 })
    expect(judge({ ...clean, pools: [pool(), side] }).state("POOL_FEE")).toBe("pass")
  })

  it("of a side pool concerns nobody who trades where the money is", () => {
    const side = pool({ feePips: 900_000, quoteUsd: pool().quoteUsd / 3 })
    expect(judge({ ...clean, pools: [pool(), side] }).state("POOL_FEE")).toBe("pass")
  })
})

describe("a market that cannot be read", () => {
  it("is unknown, never no market, and forbids trust", () => {
    const unread = judge({ ...clean, pools: [], unread: 6n * 10n ** 24n })
    expect(unread.state("NO_TRUSTED_LIQUIDITY")).toBe("unknown")
    expect(unread.state("UNREAD_VENUE")).toBe("unknown")
    expect(judge({ ...clean, unread: 3n * 10n ** 24n }).safe).not.toBe(true)
  })
})

describe("a pool of Doppler's initializer, which asks a hook that the asset's timelock may change", () => {
  const ASKS_ANOTHER = "0xbdf938149ac6a781f94faa0ed45e6a0e984c6544"
  const reported = (hookRuler: BaseEvidence["hookRuler"], taken: number | null = 175) =>
    judge({
      ...clean,
      hookRuler,
      pools: [hooked(ASKS_ANOTHER, { feePips: 7000 })],
      simulation: known({ ...fairTrades, variants: [trade(taken), trade(taken, 3600)] })
    })

  it("is believed where nobody can change it, and not where somebody can, or nobody told who", () => {
    expect(reported(ZERO_ADDRESS)).toMatchObject({ verdict: "allow", safe: true })
    expect(reported("0x000000000000000000000000000000000000dead").verdict).toBe("allow")
    const ruled = reported("0x00000000000000000000000000000000000f0e0d")
    expect(ruled).toMatchObject({ verdict: "caution", safe: false })
    expect(ruled.state("UNKNOWN_HOOK")).toBe("fail")
    expect(reported(null)).toMatchObject({ verdict: "caution", safe: null })
  })

  it("costs what trades show beyond the fee that the pool tells", () => {
    expect(reported(ZERO_ADDRESS, 9000).state("POOL_FEE")).toBe("fail")
    expect(reported(ZERO_ADDRESS, 9000)).toMatchObject({ safe: false })
    expect(reported(ZERO_ADDRESS, null)).toMatchObject({ verdict: "caution", safe: null })
  })
})
