/** Whose turn it is when refunds are looked for. */
import { describe, expect } from "@effect/vitest"
import type { Refund } from "../../src/checkout/refunds/refund.ts"
import { RefundRepo } from "../../src/checkout/refunds/refund-repo.ts"
import { Refunds } from "../../src/checkout/refunds/refunds.ts"
import { createCheckout } from "../support/checkout/shop.ts"
import { inLiveShop } from "../support/checkout/in-shop.ts"

const payerOf = (at: number): string => `0x${String(at).padStart(40, "0")}`

describe("refunds that no node tells anything of", () => {
  inLiveShop("go to the end of the queue: they hold up no other merchant's", function* () {
    const refunds = yield* Refunds
    const repo = yield* RefundRepo
    const { checkoutId } = yield* createCheckout()
    for (const at of [1, 2, 3, 4, 5, 6]) {
      const refund: Refund = {
        id: `ref_${at}`,
        checkoutId,
        payer: payerOf(at),
        amount: 1n,
        lifetime: "7",
        validUntil: null,
        state: "open",
        lookedTo: 1,
        preparedAt: at
      }
      expect(yield* repo.insert(refund, { open: yield* repo.open(checkoutId), gone: 0 })).toBe(true)
    }
    expect(yield* refunds.find).toBe(5)
    const [next] = yield* repo.due(Date.now(), 1)
    expect(next?.id).toBe("ref_6")
    expect(yield* repo.open(checkoutId)).toHaveLength(6)
  })
})
