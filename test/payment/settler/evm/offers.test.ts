import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  boundPerGas,
  feeMicros,
  isSufficient,
  openingOffer,
  openingTip,
  raisedOffer,
  weiMicros
} from "../../../../src/payment/settler/evm/offers.ts"

const GWEI = 1_000_000_000n
const ETHER = 3_000_000_000n
const fee = fc.bigInt({ min: 1n, max: 200n * GWEI })

describe("offers for a block", () => {
  it("cost less than the payment, whatever the fees and the price of ether", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.bigInt({ min: 21_000n, max: 600_000n }),
        fc.bigInt({ min: 1n, max: 10n ** 11n }),
        fee,
        (amount, gas, price, baseFee) => {
          const offer = openingOffer({ baseFee, tip: 1_000_000n }, boundPerGas(amount, gas, price))
          return offer === undefined || feeMicros(gas, offer.maxFee, price) <= amount
        }
      )
    )
  })

  it("raise both fees by an eighth at least, stay within the bound, and suffice for the next block", () => {
    fc.assert(
      fc.property(fee, fee, fee, fee, (maxFee, tip, baseFee, bound) => {
        const previous = { maxFee: maxFee + tip, tip }
        const offer = raisedOffer(previous, { baseFee, tip: 1_000_000n }, bound)
        if (offer === undefined) return
        expect(offer.maxFee * 8n).toBeGreaterThanOrEqual(previous.maxFee * 9n)
        expect(offer.tip * 8n).toBeGreaterThanOrEqual(previous.tip * 9n)
        expect(offer.maxFee).toBeLessThanOrEqual(bound)
        expect(isSufficient(offer, { baseFee, tip: 0n })).toBe(true)
      })
    )
  })

  it("open with Base's tip where a development node suggests a thousand times as much", () => {
    expect(openingTip([GWEI, GWEI, GWEI])).toBe(10_000_000n)
    expect(openingTip([])).toBe(1_000_000n)
  })

  it("open with the middle one of the last blocks' tips, in whatever order they are told", () => {
    for (const tips of [
      [9n, 2n, 3n],
      [2n, 3n, 9n],
      [3n, 9n, 2n],
      [3n, 3n, 9n, 2n, 2n]
    ])
      expect(openingTip(tips.map((tip) => tip * 1_000_000n))).toBe(3_000_000n)
  })

  it("open at twice the base fee and the tip, or at the bound, and not above it", () => {
    const market = { baseFee: 100n, tip: 10n }
    const opened = (bound: bigint) => openingOffer(market, bound)
    expect([1_000n, 150n, 110n].map(opened)).toEqual([
      { maxFee: 210n, tip: 10n },
      { maxFee: 150n, tip: 10n },
      { maxFee: 110n, tip: 10n }
    ])
    expect(opened(109n)).toBeUndefined()
  })

  it("are raised by an eighth, or to what the next blocks ask for, and not above the bound", () => {
    const raised = (baseFee: bigint, bound: bigint) =>
      raisedOffer({ maxFee: 800n, tip: 80n }, { baseFee, tip: 10n }, bound)
    expect(raised(100n, 10_000n)).toEqual({ maxFee: 901n, tip: 91n })
    expect(raised(100n, 901n)).toEqual({ maxFee: 901n, tip: 91n })
    expect(raised(100n, 900n)).toBeUndefined()
    expect(raised(1_000n, 10_000n)).toEqual({ maxFee: 2_091n, tip: 91n })
    expect(raised(1_000n, 2_000n)).toEqual({ maxFee: 2_000n, tip: 91n })
    expect(raised(1_000n, 1_091n)).toEqual({ maxFee: 1_091n, tip: 91n })
    expect(raised(1_000n, 1_090n)).toBeUndefined()
  })

  it("suffice above the base fee, cost no less than they do, and are bounded whatever a price says", () => {
    const market = { baseFee: 100n, tip: 10n }
    expect([101n, 100n].map((maxFee) => isSufficient({ maxFee, tip: 10n }, market))).toEqual([true, false])
    const ether = 10n ** 18n
    expect([1n, ether, ether + 1n].map((wei) => weiMicros(wei, 1n))).toEqual([1n, 1n, 2n])
    expect([0n, 1n].map((price) => boundPerGas(ether, 1n, price))).toEqual([50n * GWEI, 50n * GWEI])
    expect(boundPerGas(-1n, 1n, 1n)).toBe(0n)
  })

  it("are not made for a ping at a base fee that eats more than its price", () => {
    const bound = boundPerGas(5_000n, 90_000n, ETHER)
    expect(openingOffer({ baseFee: 5_000_000n, tip: 1_000_000n }, bound)).toBeDefined()
    expect(openingOffer({ baseFee: GWEI, tip: 1_000_000n }, bound)).toBeUndefined()
  })
})
