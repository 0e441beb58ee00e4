/** Receivers that say when they want to be asked again. Source: RFC 9110, 10.2.3; RFC 6585, 4. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { deliverWebhooks, HOOK, receiver, shopWith, START, states } from "../../support/checkout/receiver.ts"
import { createCheckout, sign, verify } from "../../support/checkout/shop.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const paidWithWebhook = Effect.gen(function* () {
  yield* TestClock.setTime(START)
  const terms = yield* createCheckout({ webhookUrl: HOOK })
  yield* verify(terms.checkoutId, yield* sign(terms))
})

/** Milliseconds after its first attempt at which an event is sent again, to a receiver that answers this first. */
const sentAgainAfter = (status: number, retryAfter: string) => {
  const { layer, sent } = receiver([[status, retryAfter]])
  return Effect.gen(function* () {
    yield* paidWithWebhook
    yield* deliverWebhooks
    const waits = [1_000, 5_000, 10 * MINUTE - 1, 10 * MINUTE, 24 * HOUR - 1, 24 * HOUR, 48 * HOUR]
    for (const wait of waits) {
      yield* TestClock.setTime(START + wait)
      yield* deliverWebhooks
      if (sent.length > 1) return wait
    }
    return undefined
  }).pipe(Effect.provide(shopWith(layer)))
}

describe("a receiver that says when to come again", () => {
  it.effect("is asked no sooner, whether it says seconds or a time", () =>
    Effect.gen(function* () {
      expect(yield* sentAgainAfter(429, "600")).toBe(10 * MINUTE)
      expect(yield* sentAgainAfter(503, new Date(START + 10 * MINUTE).toUTCString())).toBe(10 * MINUTE)
    })
  )

  it.effect("is asked no sooner than any other, and waits a day at most", () =>
    Effect.gen(function* () {
      for (const soon of ["0", "1", new Date(START - HOUR).toUTCString()])
        expect([soon, yield* sentAgainAfter(503, soon)]).toEqual([soon, 5_000])
      for (const late of ["86400000", "9".repeat(400), new Date(START + 1_000 * HOUR).toUTCString()])
        expect([late, yield* sentAgainAfter(503, late)]).toEqual([late, 24 * HOUR])
    })
  )

  it.effect("is asked as any other where what it says is neither", () =>
    Effect.gen(function* () {
      for (const words of ["", "soon", "-600", "1e3", "600s", "0x258", "600, 600", "2027-01-15", "12.5"])
        expect([words, yield* sentAgainAfter(429, words)]).toEqual([words, 5_000])
    })
  )

  it.effect("is asked no more often for it: each of its answers is one attempt", () => {
    const { layer, sent } = receiver(Array.from({ length: 20 }, () => [503, "7200"] as const))
    return Effect.gen(function* () {
      yield* paidWithWebhook
      for (let day = 0; day < 20; day++) {
        yield* TestClock.setTime(START + day * 24 * HOUR)
        yield* deliverWebhooks
      }
      expect(sent).toHaveLength(11)
      expect(yield* states).toMatchObject([{ state: "abandoned", attempts: 11 }])
    }).pipe(Effect.provide(shopWith(layer)))
  })
})
