import { describe, expect, it } from "@effect/vitest"
import { known, missing } from "../../../../src/domain/fact.ts"
import { SECOND_RING } from "../../../../src/screening/base/addresses.ts"
import type { BaseEvidence, PoolEvidence } from "../../../../src/screening/base/evidence.ts"
import { BLOCK_TIME, clean, judge, judgementOf, pair, pool } from "../../../support/base/fixtures.ts"

const unpriced = missing("no pool prices ether")
const withPools = (...pools: ReadonlyArray<Partial<PoolEvidence>>): BaseEvidence => ({
  ...clean,
  pools: pools.map((change) => pool(change))
})

describe("what stands against a token", () => {
  it.each([
    [99, 34],
    [100, 20],
    [999, 20],
    [1000, 8],
    [9999, 8]
  ])("of %i USD weighs %i points", (quoteUsd, points) => {
    expect(judgementOf("THIN_LIQUIDITY", withPools({ quoteUsd }))).toMatchObject({ state: "fail", points })
  })

  it("is the sum of all its pools", () => {
    expect(judgementOf("THIN_LIQUIDITY", withPools({ quoteUsd: 6000 }, { quoteUsd: 4000 }))?.state).toBe(
      "pass"
    )
  })

  it("is nothing where ether has a price, and not known where it has none", () => {
    const nothing = withPools({ quoteUsd: 0 })
    expect(judgementOf("THIN_LIQUIDITY", nothing)).toMatchObject({ state: "fail", points: 34 })
    expect(judgementOf("THIN_LIQUIDITY", { ...nothing, ethUsd: unpriced })?.state).toBe("unknown")
    expect(judgementOf("THIN_LIQUIDITY", { ...withPools({ quoteUsd: 99 }), ethUsd: unpriced })?.state).toBe(
      "fail"
    )
  })

  it("may be worth something where a pool holds what has no price now, and is worth nothing where none does", () => {
    const judged = (evidence: BaseEvidence) => judgementOf("NO_TRUSTED_LIQUIDITY", evidence)?.state
    const empty = { quoteUsd: 0, quoteReserve: 0n }
    const holding = { quoteUsd: 0, quoteReserve: 1n }
    expect(judged({ ...withPools(empty, holding), ethUsd: unpriced })).toBe("unknown")
    expect(judged({ ...withPools(empty), ethUsd: unpriced })).toBe("fail")
    expect(judged(withPools(empty, holding))).toBe("fail")
    expect(judged(withPools({ quoteUsd: 1 }))).toBe("pass")
  })
})

describe("a launchpad's quote that nobody can price now", () => {
  const quote = SECOND_RING[0]?.address ?? clean.token
  const against = (change: Partial<PoolEvidence>) =>
    withPools({ quote, quoteUsd: 0, priceUsd: null, ...change })

  it("is neither liquidity nor proof that there is none", () => {
    const screened = judge(against({ quoteReserve: 10n ** 21n }))
    expect([screened.state("NO_TRUSTED_LIQUIDITY"), screened.state("THIN_LIQUIDITY")]).toEqual([
      "unknown",
      "unknown"
    ])
    expect(judgementOf("NO_TRUSTED_LIQUIDITY", against({ quoteReserve: 0n }))?.state).toBe("fail")
    expect(screened.verdict).not.toBe("allow")
  })
})

describe("money where market data alone sees a pool", () => {
  const market = (liquidityUsd: number) => known([pair({ liquidityUsd })])
  const elsewhere = { ...clean, pools: [], elsewhereUsd: 50_000, market: market(100_000) }
  const states = (evidence: BaseEvidence) =>
    ["NO_TRUSTED_LIQUIDITY", "THIN_LIQUIDITY", "MARKET_DATA"].map((id) => judgementOf(id, evidence)?.state)

  it("is no liquidity, and no proof that there is none: what stands there is not known", () => {
    expect(states(elsewhere)).toEqual(["unknown", "unknown", "unknown"])
    expect(judge(elsewhere)).toMatchObject({ verdict: "caution", safe: null })
  })

  it("is not known either where it could not be read", () => {
    const unread = { ...elsewhere, elsewhereUsd: null, market: market(1_000_001) }
    expect(states(unread)).toEqual(["unknown", "unknown", "unknown"])
    expect(judge(unread)).toMatchObject({ verdict: "caution", safe: null })
  })

  it("is nothing where next to nothing lies there", () => {
    expect(states({ ...elsewhere, elsewhereUsd: 99 })).toEqual(["fail", "fail", "fail"])
  })

  it("does not stand for what market data counts beyond it", () => {
    expect(states({ ...elsewhere, market: market(1_000_001) })).toEqual(["unknown", "unknown", "fail"])
  })

  it("leaves what stands in pools that were read as it is", () => {
    const beside = { ...clean, elsewhereUsd: 50_000 }
    expect(states(beside)).toEqual(states(clean))
    expect(judge(beside)).toMatchObject({ verdict: "allow", safe: true })
    expect(states({ ...withPools({ quoteUsd: 99 }), elsewhereUsd: 50_000 })).toEqual([
      "pass",
      "fail",
      "unknown"
    ])
  })
})

describe("liquidity that somebody may take", () => {
  const open = (controlled: ReadonlyArray<number>): BaseEvidence => ({
    ...withPools(...controlled.map((share) => ({ lp: { ...lp, controlled: share } }))),
    lp: { locked: false, share: 0.299, spread: false }
  })
  const lp = { pool: pool().address, burned: 0, locked: 0, undated: 0, controlled: 0, earliestUnlock: null }

  it("is told with the owner's own share from half of a pool on", () => {
    const told = (...controlled: ReadonlyArray<number>) =>
      judgementOf("LP_UNLOCKED", open(controlled))?.message
    const only = "Only 29 % of the liquidity is burned or locked for at least 30 days."
    expect(told(0.49, 0)).toBe(only)
    expect(told(0, 0.5)).toBe(`${only} The owner itself holds 50 % of a pool's LP.`)
  })

  it("is told with the end of the first lock where it is locked", () => {
    const locked = withPools({ lp: { ...lp, locked: 1, earliestUnlock: BLOCK_TIME + 40n * 86_400n } })
    expect(judgementOf("LP_UNLOCKED", locked)).toEqual({
      state: "pass",
      message:
        "100 % of the liquidity is burned or locked for at least 30 days. The first lock ends in 40 days."
    })
  })
})

describe("a price", () => {
  const judged = (spread: number | null, price = clean.price.price) =>
    judgementOf("PRICE_DISPUTED", { ...clean, price: { price, spread } })
  const unknown = missing("sources differ")

  it("is disputed where it is not known and its sources differ by more than a tenth", () => {
    expect(judged(0.101, unknown)).toMatchObject({
      state: "fail",
      message: "Sources of the price differ by 10.1 %."
    })
    expect(judged(0.1, unknown)?.state).toBe("unknown")
    expect(judged(null, unknown)?.state).toBe("unknown")
  })

  it("that is known is told with what its sources differ by", () => {
    expect(judged(0.0123)).toEqual({ state: "pass", message: "Sources of the price differ by 1.2 %." })
    expect(judged(null)).toEqual({ state: "pass", message: "One source prices the token." })
  })
})

describe("market data", () => {
  const claiming = (liquidityUsd: number, quoteUsd: number): BaseEvidence => ({
    ...withPools({ quoteUsd }),
    market: known([
      pair({ liquidityUsd: liquidityUsd - 1 }),
      pair({ liquidityUsd: 1 }),
      pair({ liquidityUsd: null })
    ])
  })

  it("claims too much beyond ten times of what pools hold on both sides, and beyond 10000 USD", () => {
    const state = (claimed: number, side: number) =>
      judgementOf("MARKET_DATA", claiming(claimed, side))?.state
    expect([state(10_000, 0), state(10_001, 0)]).toEqual(["pass", "fail"])
    expect([state(40_000, 2000), state(40_001, 2000)]).toEqual(["pass", "fail"])
  })

  it("proves nothing where it did not answer, or ether has no price to compare it by", () => {
    expect(judgementOf("MARKET_DATA", { ...clean, market: missing("no answer") })?.state).toBe("unknown")
    expect(judgementOf("MARKET_DATA", { ...claiming(50_000, 0), ethUsd: unpriced })?.state).toBe("unknown")
  })
})

describe("the first pool", () => {
  const aged = (seconds: number | null): BaseEvidence => {
    const createdAt = seconds === null ? null : (Number(BLOCK_TIME) - seconds) * 1000
    return { ...clean, market: known([pair({ createdAt }), pair({ createdAt: null })]) }
  }

  it.each([
    [299, 20],
    [300, 15],
    [3599, 15],
    [3600, 6],
    [86_399, 6]
  ])("of %i seconds weighs %i points", (seconds, points) => {
    expect(judgementOf("NEW_POOL", aged(seconds))).toMatchObject({ state: "fail", points })
  })

  it("of a day is not new, and of no date is of no known age", () => {
    expect(judgementOf("NEW_POOL", aged(86_400))?.state).toBe("pass")
    expect(judgementOf("NEW_POOL", aged(null))?.state).toBe("unknown")
  })
})

describe("a reserve that moved within minutes", () => {
  it.each([
    [150n, "pass"],
    [151n, "fail"],
    [67n, "pass"],
    [66n, "fail"]
  ])("from a hundred to %i is judged by half more or a third less: %s", (quoteReserve, state) => {
    const judged = judgementOf("LIQUIDITY_MOVED", withPools({ quoteReserve, earlierQuoteReserve: 100n }))
    expect(judged?.state).toBe(state)
  })

  it("is not known where there was none before, or nobody told", () => {
    for (const earlierQuoteReserve of [0n, null])
      expect(judgementOf("LIQUIDITY_MOVED", withPools({ earlierQuoteReserve }))?.state).toBe("unknown")
  })
})

describe("tokens in places that cannot be read", () => {
  const judged = (change: Partial<BaseEvidence>) =>
    judgementOf("UNREAD_VENUE", { ...clean, ...change })?.state
  const supply = clean.shape.supply ?? 0n

  it("are a market that we do not see beyond a twentieth of the supply", () => {
    expect(judged({ unread: supply / 20n })).toBe("pass")
    expect(judged({ unread: supply / 20n + supply / 10_000n })).toBe("unknown")
    expect(judged({ unread: null })).toBe("unknown")
    expect(judged({ unread: null, established: true })).toBe("pass")
  })
})
