import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  boundPerGas,
  feeMicros,
  isSufficient,
  openingOffer,
  openingTip,
  raisedOffer
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

  it("are not made for a ping at a base fee that eats more than its price", () => {
    const bound = boundPerGas(5_000n, 90_000n, ETHER)
    expect(openingOffer({ baseFee: 5_000_000n, tip: 1_000_000n }, bound)).toBeDefined()
    expect(openingOffer({ baseFee: GWEI, tip: 1_000_000n }, bound)).toBeUndefined()
  })
})
