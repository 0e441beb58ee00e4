/** Events that their merchant asks for again, also in the moment in which they are under way. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { WebhookTransport } from "../../../src/checkout/webhooks/transport.ts"
import { as, signInWith } from "../../support/checkout/merchants.ts"
import {
  answered,
  deliverWebhooks,
  HOOK,
  receiver,
  shopWith,
  START,
  states
} from "../../support/checkout/receiver.ts"
import { order, sign, verify } from "../../support/checkout/shop.ts"

describe("an event that a merchant asks for again", () => {
  it.effect("is delivered once more, the same bytes under the same id; nobody else's is", () => {
    const { layer, sent } = receiver([410])
    return Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const checkouts = yield* Checkouts
      const signer = privateKeyToAccount(generatePrivateKey())
      const { merchant } = yield* signInWith(signer)
      const mine = order({ merchantPayTo: signer.address, webhookUrl: HOOK })
      const { checkoutId, ...terms } = yield* checkouts.create(mine, as(merchant))
      yield* verify(checkoutId, yield* sign({ checkoutId, ...terms }))
      yield* deliverWebhooks
      const [message] = sent
      const event = message?.headers["webhook-id"] ?? ""
      const other = yield* signInWith(privateKeyToAccount(generatePrivateKey()))
      for (const replay of [
        checkouts.replayEvent(other.merchant, checkoutId, event),
        checkouts.replayEvent(merchant, checkoutId, "msg_of_nothing")
      ])
        expect((yield* Effect.flip(replay))._tag).toBe("CheckoutNotFound")
      expect(yield* deliverWebhooks).toBe(0)
      // The receiver was gone; now it is back.
      yield* TestClock.adjust("1 hour")
      yield* checkouts.replayEvent(merchant, checkoutId, event)
      expect(yield* deliverWebhooks).toBe(1)
      expect(yield* deliverWebhooks).toBe(0)
      expect(sent.map(({ body }) => body)).toEqual([message?.body, message?.body])
      expect(sent.map(({ headers }) => headers["webhook-id"])).toEqual([event, event])
      expect(yield* states).toMatchObject([{ state: "delivered" }])
    }).pipe(Effect.provide(shopWith(layer)))
  })
})

describe("an event that a merchant asks for again while it is under way", () => {
  it.effect.each([500, 410, 200])("is due at once, though the attempt before ends with %i", (status) => {
    const { layer, sent } = receiver([])
    const slow = Layer.effect(
      WebhookTransport,
      Effect.map(WebhookTransport, ({ send }) =>
        WebhookTransport.of({
          send: (url, headers, body) => {
            const answering = send(url, headers, body)
            return sent.length > 0
              ? answering
              : Effect.as(Effect.delay(answering, "5 seconds"), answered(status))
          }
        })
      )
    )
    return Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const checkouts = yield* Checkouts
      const signer = privateKeyToAccount(generatePrivateKey())
      const { merchant } = yield* signInWith(signer)
      const mine = order({ merchantPayTo: signer.address, webhookUrl: HOOK })
      const { checkoutId, ...terms } = yield* checkouts.create(mine, as(merchant))
      yield* verify(checkoutId, yield* sign({ checkoutId, ...terms }))
      const under = yield* Effect.fork(deliverWebhooks)
      yield* TestClock.adjust("1 second")
      yield* checkouts.replayEvent(merchant, checkoutId, `msg_${checkoutId}_paid`)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(under)
      expect(yield* deliverWebhooks).toBe(1)
      expect(sent).toHaveLength(2)
      expect(yield* states).toMatchObject([{ state: "delivered", attempts: 1 }])
    }).pipe(Effect.provide(shopWith(slow.pipe(Layer.provide(layer)))))
  })
})
