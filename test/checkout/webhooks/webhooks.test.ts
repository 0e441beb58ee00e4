import { describe, expect, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Metric, TestClock } from "effect"
import { createPublicKey, verify as verifySignature } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { Attestor } from "../../../src/attestation/attestor.ts"
import { expireCheckouts } from "../../../src/checkout/checkout-worker.ts"
import { backoffAfter, WebhookSender } from "../../../src/checkout/webhooks/sender.ts"
import { WebhookTransport } from "../../../src/checkout/webhooks/transport.ts"
import { familiesOf } from "../../../src/server/metrics/families.ts"
import {
  answered,
  deliverWebhooks,
  HOOK,
  receiver,
  type Sent,
  shopWith,
  START,
  states
} from "../../support/checkout/receiver.ts"
import { createCheckout, sign, verify } from "../../support/checkout/shop.ts"

const HOUR = 3_600_000

const createWithWebhook = createCheckout({ webhookUrl: HOOK })
const createToday = Effect.suspend(() => TestClock.setTime(Date.now())).pipe(
  Effect.zipRight(createWithWebhook)
)

/** Verifies a `v1a` signature as a merchant would: with the published key alone. */
const verifiesWithPublishedKey = (message: Sent) =>
  Effect.map(Attestor, ({ jwks }) => {
    const { headers, body } = message
    const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`, "utf8")
    const signatures = (headers["webhook-signature"] ?? "")
      .split(" ")
      .filter((text) => text.startsWith("v1a,"))
    const keys = jwks.keys.filter(({ kty }) => kty === "OKP")
    return signatures.some((text) =>
      keys.some((key) =>
        verifySignature(
          null,
          signed,
          createPublicKey({ key, format: "jwk" }),
          Buffer.from(text.slice("v1a,".length), "base64")
        )
      )
    )
  })

/** What `/metrics` says of deliveries. */
const deliveriesCounted = Effect.map(Metric.snapshot, (pairs) => {
  const samples = familiesOf(pairs).flatMap((family) =>
    family.samples.map((sample) => ({ ...sample, family }))
  )
  const valueOf = (name: string, outcome?: string) =>
    samples.find(
      ({ family, labels }) =>
        family.name === name && (outcome === undefined || labels.some(([, value]) => value === outcome))
    )?.value ?? 0
  return {
    delivered: valueOf("token_risk_webhook_deliveries_total", "delivered"),
    failed: valueOf("token_risk_webhook_deliveries_total", "failed"),
    underWay: valueOf("token_risk_webhook_deliveries_in_progress")
  }
})

describe("a paid checkout", () => {
  it.effect("is told to the merchant once, signed by the Standard Webhooks scheme", () => {
    const { layer, sent } = receiver([])
    return Effect.gen(function* () {
      const terms = yield* createToday
      const payment = yield* sign(terms)
      yield* verify(terms.checkoutId, payment)
      yield* verify(terms.checkoutId, payment)
      expect(yield* deliverWebhooks).toBe(1)
      expect(yield* deliverWebhooks).toBe(0)
      expect(sent).toHaveLength(1)
      const [message] = sent
      if (message === undefined) return
      expect(message.url).toBe(HOOK)
      expect(JSON.parse(message.body)).toMatchObject({
        type: "checkout.paid",
        data: { status: "paid", checkoutId: terms.checkoutId, amount: "12500000" }
      })
      expect(yield* verifiesWithPublishedKey(message)).toBe(true)
      expect(yield* verifiesWithPublishedKey({ ...message, body: `${message.body} ` })).toBe(false)
      expect(message.headers["webhook-id"]).toBe(`msg_${terms.checkoutId}_paid`)
    }).pipe(Effect.provide(shopWith(layer)))
  })

  for (const [who, hasLooked] of [
    ["at the next round although the clock was set back since", true],
    ["by the process that starts after the clock was set back", false]
  ] as const)
    it.effect(`is told ${who}`, () => {
      const { layer, sent } = receiver([])
      return Effect.gen(function* () {
        yield* TestClock.setTime(START)
        if (hasLooked) expect(yield* deliverWebhooks).toBe(0)
        const terms = yield* createWithWebhook
        yield* verify(terms.checkoutId, yield* sign(terms))
        yield* TestClock.setTime(START - HOUR)
        expect(yield* deliverWebhooks).toBe(1)
        expect(sent).toHaveLength(1)
      }).pipe(Effect.provide(shopWith(layer)))
    })

  it.effect("is told again with the same id until the receiver takes it", () => {
    const { layer, sent } = receiver([500, "timeout", 301, 200])
    return Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const terms = yield* createWithWebhook
      yield* verify(terms.checkoutId, yield* sign(terms))
      for (const wait of ["0 seconds", "5 seconds", "1 minute", "5 minutes"] as const) {
        yield* TestClock.adjust(wait)
        expect(yield* deliverWebhooks).toBe(1)
        expect(yield* deliverWebhooks).toBe(0)
      }
      expect(sent).toHaveLength(4)
      expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
      expect(yield* states).toMatchObject([{ state: "delivered", attempts: 4 }])
    }).pipe(Effect.provide(shopWith(layer)))
  })

  it.effect("is no longer told to a receiver that is gone", () => {
    const { layer } = receiver([410])
    return Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const terms = yield* createWithWebhook
      yield* verify(terms.checkoutId, yield* sign(terms))
      yield* deliverWebhooks
      expect(yield* states).toMatchObject([{ state: "abandoned" }])
    }).pipe(Effect.provide(shopWith(layer)))
  })

  it.effect("is told with every attempt counted, and none left under way", () => {
    const { layer } = receiver([500, 200])
    return Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const before = yield* deliveriesCounted
      const terms = yield* createWithWebhook
      yield* verify(terms.checkoutId, yield* sign(terms))
      yield* deliverWebhooks
      yield* TestClock.adjust("5 seconds")
      yield* deliverWebhooks
      const after = yield* deliveriesCounted
      expect(after.failed - before.failed).toBe(1)
      expect(after.delivered - before.delivered).toBe(1)
      expect(after.underWay).toBe(0)
    }).pipe(Effect.provide(shopWith(layer)))
  })

  it.effect("is told again when the process died before it wrote the delivery down", () => {
    const { layer, sent } = receiver([])
    return Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const terms = yield* createWithWebhook
      yield* verify(terms.checkoutId, yield* sign(terms))
      const sql = yield* SqlClient.SqlClient
      // Taken by a process that died: its lease runs out.
      yield* sql`UPDATE webhook_deliveries SET attempts = 1, next_at = ${START + 60_000}`
      expect(yield* deliverWebhooks).toBe(0)
      yield* TestClock.adjust("1 minute")
      expect(yield* deliverWebhooks).toBe(1)
      expect(sent).toHaveLength(1)
    }).pipe(Effect.provide(shopWith(layer)))
  })
})

describe("receivers that never answer", () => {
  it.live("hold up neither another receiver nor the rest of the service", () => {
    const sent: Array<string> = []
    const dead = Layer.succeed(WebhookTransport, {
      send: (url) =>
        Effect.suspend(() => {
          sent.push(url)
          return url.includes("dead") ? Effect.never : Effect.succeed(answered(200))
        })
    })
    return Effect.gen(function* () {
      const sender = yield* WebhookSender
      for (let i = 0; i < 60; i++) {
        // Thirty hosts, two events each; one host more has ten.
        const host = i < 50 ? `dead-${i % 30}.example` : "dead-many.example"
        const terms = yield* createCheckout({ webhookUrl: `https://${host}/hook` })
        yield* verify(terms.checkoutId, yield* sign(terms))
      }
      yield* sender.start
      const terms = yield* createWithWebhook
      yield* verify(terms.checkoutId, yield* sign(terms))
      yield* sender.start
      while (!sent.includes(HOOK)) yield* Effect.yieldNow()
      expect(sent.filter((url) => url.includes("dead-many"))).toHaveLength(2)
      // What is under way is not taken again by the next round.
      expect(yield* sender.start).toBe(0)
    }).pipe(Effect.provide(shopWith(dead)))
  })
})

describe("a checkout of the time when every webhook had a secret", () => {
  it.effect("is still told with that secret's signature beside the published key's", () => {
    const { layer, sent } = receiver([])
    return Effect.gen(function* () {
      const terms = yield* createToday
      const sql = yield* SqlClient.SqlClient
      const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
      yield* sql`UPDATE checkouts SET webhook_secret = ${secret}`
      yield* verify(terms.checkoutId, yield* sign(terms))
      yield* deliverWebhooks
      const [message] = sent
      if (message === undefined) return expect.unreachable()
      expect(new Webhook(secret).verify(message.body, message.headers)).toMatchObject({
        type: "checkout.paid"
      })
      expect(yield* verifiesWithPublishedKey(message)).toBe(true)
    }).pipe(Effect.provide(shopWith(layer)))
  })
})

describe("an expired checkout", () => {
  it.effect("is told to the merchant once", () => {
    const { layer, sent } = receiver([])
    return Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const terms = yield* createWithWebhook
      expect(yield* expireCheckouts).toBe(0)
      yield* TestClock.adjust("1 hour")
      expect(yield* expireCheckouts).toBe(1)
      expect(yield* expireCheckouts).toBe(0)
      yield* deliverWebhooks
      expect(sent.map(({ body }) => JSON.parse(body))).toMatchObject([
        { type: "checkout.expired", data: { status: "expired", checkoutId: terms.checkoutId } }
      ])
    }).pipe(Effect.provide(shopWith(layer)))
  })
})

describe("the back-off", () => {
  it("grows and ends", () => {
    const waits = Array.from({ length: 12 }, (_, index) => backoffAfter(index + 1))
    const given = waits.filter((wait) => wait !== undefined)
    expect(given).toEqual(given.toSorted((a, b) => a - b))
    expect(given).toHaveLength(10)
    expect(waits.at(-1)).toBeUndefined()
  })
})
