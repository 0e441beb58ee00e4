import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { known, missing } from "../../../../src/domain/fact.ts"
import type { MeasuredVariant } from "../../../../src/screening/base/simulation/conclude.ts"
import { conclude } from "../../../../src/screening/base/simulation/conclude.ts"
import type { SimulationFact, TradeLegs } from "../../../../src/screening/base/simulation/findings.ts"
import { PLAIN_LEGS } from "../../../support/base/simulation/legs.ts"

const senders = ["fresh-contract", "fresh-origin", "fresh-wallet"] as const
const times = [0, 3600, 604800] as const
const pool = "0x00000000000000000000000000000000000000aa"

const refused: TradeLegs = {
  buy: "reverted",
  transfer: "not-tried",
  sell: "not-tried",
  buyTaxBps: null,
  transferTaxBps: null,
  sellTaxBps: null,
  hookTaxBps: null,
  maxSellPercent: null
}
const stuck: TradeLegs = { ...PLAIN_LEGS, sell: "reverted", sellTaxBps: null, maxSellPercent: 0 }
const unmovable: TradeLegs = {
  ...PLAIN_LEGS,
  transfer: "not-tried",
  sell: "not-tried",
  transferTaxBps: null,
  sellTaxBps: null,
  hookTaxBps: null,
  maxSellPercent: null
}

const all = (legs: (sender: MeasuredVariant["sender"], at: MeasuredVariant["at"]) => TradeLegs) =>
  times.flatMap((at) =>
    senders.flatMap((sender) =>
      (["small", "large"] as const).map((size): MeasuredVariant => ({
        pool,
        size,
        sender,
        at,
        legs: legs(sender, at),
        routerRefused: false
      }))
    )
  )

const noHolders = missing("no holders are known")
const judge = (variants: ReadonlyArray<MeasuredVariant>) => conclude(variants, noHolders)
const isClean = (fact: SimulationFact): boolean =>
  fact.known &&
  !fact.value.tradingBlocked &&
  !fact.value.honeypot &&
  !fact.value.laterHoneypot &&
  !fact.value.inconsistent

describe("conclude", () => {
  it("is clean over PLAIN_LEGS trades", () => {
    expect(isClean(judge(all(() => PLAIN_LEGS)))).toBe(true)
  })

  it("is never clean where one of the two calls, now or at a later time, told nothing", () => {
    fc.assert(
      fc.property(fc.subarray(all(() => PLAIN_LEGS)), (variants) => {
        const hasTime = (at: number) => {
          const senders = new Set(variants.filter((v) => v.at === at).map(({ sender }) => sender))
          return senders.has("fresh-origin") && senders.size > 1
        }
        expect(isClean(judge(variants))).toBe(times.every(hasTime))
      })
    )
  })

  it("is unknown where a wallet could buy and nobody could try to sell", () => {
    expect(judge(all((sender) => (sender === "fresh-wallet" ? unmovable : refused))).known).toBe(false)
  })

  it("calls what wallets cannot sell a honeypot, whoever else can", () => {
    const fact = judge(all((sender) => (sender === "fresh-wallet" ? stuck : PLAIN_LEGS)))
    expect(fact).toMatchObject({ known: true, value: { honeypot: true, inconsistent: true } })
  })

  it("judges by the others where the wallet's allowance could not be replaced", () => {
    const fact = judge(all((sender) => (sender === "fresh-wallet" ? unmovable : stuck)))
    expect(fact).toMatchObject({ known: true, value: { honeypot: true } })
  })

  it("stays a honeypot whichever of its variants went missing, while one sell was tried now", () => {
    fc.assert(
      fc.property(fc.subarray(all(() => stuck)), (variants) => {
        const fact = judge(variants)
        if (variants.some(({ at }) => at === 0))
          expect(fact).toMatchObject({ known: true, value: { honeypot: true } })
        else expect(fact.known).toBe(false)
      })
    )
  })

  it("counts a sell that only the router was refused as a trap", () => {
    const variants = all(() => PLAIN_LEGS).map((variant, at) => ({ ...variant, routerRefused: at === 0 }))
    expect(judge(variants)).toMatchObject({
      known: true,
      value: { honeypot: true, fullSell: { value: false } }
    })
  })

  it("decides about holders by transferFrom only where its allowance could be replaced", () => {
    const trials = known([{ toFresh: true, toPool: false, pulledToPool: true }])
    const failedWith = (variants: ReadonlyArray<MeasuredVariant>) => {
      const fact = conclude(variants, trials)
      return fact.known && fact.value.holders.known ? fact.value.holders.value.failed : undefined
    }
    expect(failedWith(all(() => PLAIN_LEGS))).toBe(0)
    expect(failedWith(all((sender) => (sender === "fresh-wallet" ? unmovable : PLAIN_LEGS)))).toBe(1)
  })
})
