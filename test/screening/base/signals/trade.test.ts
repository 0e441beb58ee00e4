import { describe, expect, it } from "@effect/vitest"
import { known, missing } from "../../../../src/domain/fact.ts"
import type { Judgement } from "../../../../src/domain/signal.ts"
import type { BaseEvidence } from "../../../../src/screening/base/evidence.ts"
import type { TradeVariant } from "../../../../src/screening/base/simulation/findings.ts"
import type { Sale, WalletFindings } from "../../../../src/screening/base/simulation/wallet-trial.ts"
import { clean, judgementOf, POOL, withTrades } from "../../../support/base/fixtures.ts"
import { PLAIN_LEGS } from "../../../support/base/simulation/legs.ts"

const sale = (name: string, taxBps: number | null, sold = true): Sale => ({ name, sold, taxBps })
const soldAll: WalletFindings = {
  seed: "7",
  sales: [sale("sell soon", 0), sale("sell month", 0)],
  whale: sale("whale", 0),
  permit2: sale("permit2", 0),
  others: [],
  refused: 0
}
const withWallets = (change: Partial<WalletFindings>, evidence = clean): BaseEvidence => ({
  ...evidence,
  wallets: known({ ...soldAll, ...change })
})

describe.each([
  ["SELL_TAX", "sellTaxBps"],
  ["BUY_TAX", "buyTaxBps"],
  ["TRANSFER_TAX", "transferTaxBps"]
] as const)("%s", (id, member) => {
  const judged = (bps: number) => judgementOf(id, withTrades({ [member]: bps }))

  it.each([-3, 0, 500])("of %i basis points is what honest tokens take", (bps) => {
    expect(judged(bps)?.state).toBe("pass")
  })

  it.each([
    [501, 8],
    [1100, 18],
    [4220, 70],
    [4999, 70]
  ])("of %i basis points weighs %i points, and does not decide alone", (bps, points) => {
    expect(judged(bps)).toEqual({ state: "fail", message: expect.any(String), points })
  })

  it("that takes half of the money decides alone", () => {
    expect(judged(5000)).toMatchObject({ state: "fail", hard: true })
  })

  it("is told in per cent with one decimal, and never as less than none", () => {
    expect(judged(1234)?.message).toContain(" 12.3 %")
    expect(judged(-300)?.message).toContain(" 0 %")
  })
})

describe("a tax that rises later", () => {
  const RISEN = { state: "fail", points: 40, hard: false }

  it.each([
    [0, 500, { state: "pass" }],
    [0, 501, RISEN],
    [1000, 1100, { state: "pass" }],
    [1000, 1101, RISEN],
    [0, 4999, RISEN]
  ])("from %i to %i basis points is judged by what it rises above", (now, later, expected) => {
    expect(judgementOf("LATER_SELL", withTrades({ sellTaxBps: now, laterSellTaxBps: later }))).toMatchObject(
      expected
    )
  })

  it("to half of the money decides by the table's own weight", () => {
    const judged = judgementOf("LATER_SELL", withTrades({ sellTaxBps: 4999, laterSellTaxBps: 5000 }))
    expect(judged).toEqual({ state: "fail", message: expect.stringContaining("50 %") })
  })

  const unmeasured = withTrades({ laterSellTaxBps: null })

  it.each([
    [[0, 0, 500], { state: "pass" }],
    [[0, 0, 501], RISEN],
    [[0, 1000, 1100], { state: "pass" }],
    [[1000, 0, 1101], RISEN]
  ])("of wallets' sales soon, a second and a month later is told from the highest: %j", (taxes, expected) => {
    const [soon = 0, second = 0, month = 0] = taxes
    const sales = [sale("sell soon", soon), sale("sell second", second), sale("sell month", month)]
    const hours = sale("sell hours", null)
    expect(judgementOf("LATER_SELL", withWallets({ sales: [...sales, hours] }, unmeasured))).toMatchObject(
      expected
    )
  })

  it("is not known where no later sale could be compared, unless transfers cannot know the time", () => {
    const sales = [sale("sell soon", 0), sale("sell month", null)]
    const timeless = withWallets({ sales }, unmeasured)
    const unread = { ...timeless, code: { ...timeless.code, findings: missing("the code was not read") } }
    expect(judgementOf("LATER_SELL", timeless)?.state).toBe("pass")
    expect(judgementOf("LATER_SELL", unread)?.state).toBe("unknown")
    expect(judgementOf("LATER_SELL", unmeasured)?.state).toBe("unknown")
  })
})

describe("selling everything at once", () => {
  const judged = (...shares: ReadonlyArray<number | null>) => {
    const variants = shares.map((maxSellPercent): TradeVariant => ({
      pool: POOL,
      size: "small",
      sender: "fresh-wallet",
      at: 0,
      legs: { ...PLAIN_LEGS, maxSellPercent }
    }))
    return judgementOf("FULL_SELL", withTrades({ fullSell: known(false), variants }))
  }

  it("is judged by the least share that some kind of seller gets rid of", () => {
    expect(judged(null, 60, 10)).toMatchObject({ state: "fail", hard: true })
    expect(judged(null, 60, 11)).toMatchObject({ state: "fail", hard: false })
    expect(judged(60, 11)?.message).toContain("11 %")
  })

  it("fails without a share where none was measured", () => {
    const expected: Judgement = { state: "fail", message: "Not everything bought can be sold at once." }
    expect([judged(), judged(null)]).toEqual([expected, expected])
  })
})

describe("real holders who cannot transfer", () => {
  it.each([
    [0, 0, { state: "unknown" }],
    [4, 0, { state: "pass" }],
    [1, 1, { state: "fail", points: 45, hard: false }],
    [5, 2, { state: "fail", hard: false }],
    [4, 2, { state: "fail", hard: true }]
  ])("of %i tried, %i of them, decide where they are half of several", (tried, failed, expected) => {
    const judged = judgementOf("HOLDERS_BLOCKED", withTrades({ holders: known({ tried, failed }) }))
    expect(judged).toMatchObject(expected)
  })
})

describe("a wallet's sale", () => {
  it.each([
    [sale("", 4999), "pass"],
    [sale("", null), "pass"],
    [sale("", 5000), "fail"],
    [sale("", null, false), "fail"],
    [sale("", 0, false), "fail"]
  ])("%j counts where more than half arrived", (one, state) => {
    expect(judgementOf("WALLET_SIZE", withWallets({ whale: one }))?.state).toBe(state)
    expect(judgementOf("WALLET_ROUTERS", withWallets({ permit2: one }))?.state).toBe(state)
    expect(judgementOf("WALLET_POOLS", withWallets({ others: [sale("", 0), one] }))?.state).toBe(state)
    const sales = [sale("sell soon", 0), { ...one, name: "sell month" }]
    expect(judgementOf("WALLET_SALES", withWallets({ sales }))?.state).toBe(state)
  })

  it("that is lost decides alone where it came later than a launch's cooldown", () => {
    const judged = (name: string) =>
      judgementOf("WALLET_SALES", withWallets({ sales: [sale("sell hours", 0), sale(name, null, false)] }))
    expect(judged("sell second")).toMatchObject({ state: "fail", hard: false })
    expect(judged("sell month")).toMatchObject({ state: "fail", hard: true })
  })

  it("that was not tried because nobody may buy so much, or no router is there, is no lost one", () => {
    expect(judgementOf("WALLET_SIZE", withWallets({ whale: null }))?.state).toBe("pass")
    expect(judgementOf("WALLET_ROUTERS", withWallets({ permit2: null }))?.state).toBe("pass")
  })

  it("by a router that the token refuses fails, whatever Permit2 does", () => {
    expect(judgementOf("WALLET_ROUTERS", withWallets({ refused: 1 }))?.state).toBe("fail")
    expect(judgementOf("WALLET_ROUTERS", withWallets({ refused: 1, permit2: null }))?.state).toBe("fail")
  })

  it("is not known where the node simulates no blocks", () => {
    for (const id of ["WALLET_SALES", "WALLET_SIZE", "WALLET_POOLS", "WALLET_ROUTERS"])
      expect(judgementOf(id, clean)?.state).toBe("unknown")
  })
})
