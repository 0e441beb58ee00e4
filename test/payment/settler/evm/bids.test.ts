import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  boundPerGas,
  feeMicros,
  isSufficient,
  openingBid,
  openingTip,
  raisedBid
} from "../../../../src/payment/settler/evm/bids.ts"

const GWEI = 1_000_000_000n
const ETHER = 3_000_000_000n
const fee = fc.bigInt({ min: 1n, max: 200n * GWEI })

describe("bids for a block", () => {
  it("cost less than the payment, whatever the fees and the price of ether", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.bigInt({ min: 21_000n, max: 600_000n }),
        fc.bigInt({ min: 1n, max: 10n ** 11n }),
        fee,
        (amount, gas, price, baseFee) => {
          const bid = openingBid({ baseFee, tip: 1_000_000n }, boundPerGas(amount, gas, price))
          return bid === undefined || feeMicros(gas, bid.maxFee, price) <= amount
        }
      )
    )
  })

  it("raise both fees by an eighth at least, stay within the bound, and suffice for the next block", () => {
    fc.assert(
      fc.property(fee, fee, fee, fee, (maxFee, tip, baseFee, bound) => {
        const previous = { maxFee: maxFee + tip, tip }
        const bid = raisedBid(previous, { baseFee, tip: 1_000_000n }, bound)
        if (bid === undefined) return
        expect(bid.maxFee * 8n).toBeGreaterThanOrEqual(previous.maxFee * 9n)
        expect(bid.tip * 8n).toBeGreaterThanOrEqual(previous.tip * 9n)
        expect(bid.maxFee).toBeLessThanOrEqual(bound)
        expect(isSufficient(bid, { baseFee, tip: 0n })).toBe(true)
      })
    )
  })

  it("open with Base's tip where a development node suggests a thousand times as much", () => {
    expect(openingTip([GWEI, GWEI, GWEI])).toBe(10_000_000n)
    expect(openingTip([])).toBe(1_000_000n)
  })

  it("are not made for a ping at a base fee that eats more than its price", () => {
    const bound = boundPerGas(5_000n, 90_000n, ETHER)
    expect(openingBid({ baseFee: 5_000_000n, tip: 1_000_000n }, bound)).toBeDefined()
    expect(openingBid({ baseFee: GWEI, tip: 1_000_000n }, bound)).toBeUndefined()
  })
})
