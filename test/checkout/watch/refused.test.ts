import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { forever, LOOK_INTERVAL } from "../../../src/checkout/checkout-worker.ts"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { START, NOW } from "../../support/checkout/in-shop.ts"
import { Chain, shop, statusOf } from "../../support/checkout/shop.ts"
import { openOrder, wallet } from "../../support/checkout/wallets.ts"

/** The worker's looks, without its other work. */
const looking = Effect.flatMap(Checkouts, ({ findTransfers }) =>
  forever("looking for wallet transfers", findTransfers, LOOK_INTERVAL)
)

/** Lets that many seconds pass, in steps in which what a round waits for is done before the next one. */
const pass = (seconds: number) =>
  Effect.gen(function* () {
    for (let second = 0; second < seconds; second += 4) {
      yield* TestClock.adjust("4 seconds")
      yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
    }
  })

describe("a node that refuses every look (429, or nothing at all)", () => {
  it.scoped("is asked ever more seldom, down to once a minute, and as often as before once it answers", () =>
    Effect.gen(function* () {
      yield* START
      const chain = yield* Chain
      const terms = yield* openOrder()
      chain.solanaDown = true
      yield* looking
      const looksIn = (seconds: number) =>
        Effect.suspend(() => {
          const before = chain.looks.balances
          return Effect.map(pass(seconds), () => chain.looks.balances - before)
        })
      // At once, and after pauses of 4, 8, 16 and 32 seconds; unthrottled it would be fifteen.
      expect(yield* looksIn(60)).toBe(5)
      expect(yield* looksIn(240)).toBe(4)

      // What came meanwhile is found by the first look that is answered.
      yield* wallet(1_000_000n, [terms], NOW + 200_000)
      chain.solanaDown = false
      yield* pass(60)
      expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
      expect(yield* looksIn(60)).toBe(15)
    }).pipe(Effect.provide(shop()))
  )
})
