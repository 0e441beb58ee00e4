/** The verifier that the pages give to merchants, on events as they are sent. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { generateKeyPairSync, sign as signWith } from "node:crypto"
import { Attestor } from "../../../src/attestation/attestor.ts"
import { WebhookSender, WebhookSenderLive } from "../../../src/checkout/webhooks/sender.ts"
import { WebhookTransport } from "../../../src/checkout/webhooks/transport.ts"
import type { Jwks } from "../../../src/domain/attestation.ts"
import { ORDER_OF_EVENT, WEBHOOK_VERIFIER } from "../../../src/web/verifiers.ts"
import { answered } from "../../support/checkout/receiver.ts"
import { createCheckout, shop, sign, verify } from "../../support/checkout/shop.ts"

type Headers = Readonly<Record<string, string>>

interface Verifier {
  readonly isGenuine: (headers: Headers, body: string, keys: Jwks["keys"]) => boolean
}
const imported = <A>(code: string): Promise<A> =>
  import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code, "utf8").toString("base64")}`)
const verifier = Effect.promise(() => imported<Verifier>(WEBHOOK_VERIFIER))

interface Orders {
  readonly paidOrder: (body: string, orders: ReadonlyMap<string, string>) => string | undefined
}

const own = generateKeyPairSync("ed25519")
const { crv = "", kty = "", x = "" } = own.publicKey.export({ format: "jwk" })
const OWN_KEYS = [{ crv, kty, x }]

/** The same event with a time of our choice, signed by our own key. */
const signedAt = (headers: Headers, body: string, time: number): Headers => {
  const text = Buffer.from(`${headers["webhook-id"]}.${time}.${body}`, "utf8")
  const signature = `v1a,${signWith(null, text, own.privateKey).toString("base64")}`
  return { ...headers, "webhook-timestamp": String(time), "webhook-signature": signature }
}

/** A paid checkout's event, as its receiver gets it. */
const event = Effect.gen(function* () {
  const sent: Array<{ readonly headers: Headers; readonly body: string }> = []
  const receiver = Layer.succeed(WebhookTransport, {
    send: (_url, headers, body) => Effect.sync(() => (sent.push({ headers, body }), answered(200)))
  })
  const keys = yield* Effect.gen(function* () {
    yield* TestClock.setTime(Date.now())
    const terms = yield* createCheckout({ webhookUrl: "https://shop.example/hook" })
    yield* verify(terms.checkoutId, yield* sign(terms))
    yield* Effect.flatMap(WebhookSender, ({ deliver }) => deliver)
    return (yield* Attestor).jwks.keys
  }).pipe(Effect.provide(WebhookSenderLive.pipe(Layer.provideMerge(shop()), Layer.provide(receiver))))
  const [first] = sent
  if (first === undefined) return yield* Effect.dieMessage("no event was sent")
  return { ...first, keys }
})

it.effect("the published verifier believes an event that is genuine and recent, and no other", () =>
  Effect.gen(function* () {
    const { isGenuine } = yield* verifier
    const { body, headers, keys } = yield* event
    expect(isGenuine(headers, body, keys)).toBe(true)
    expect(isGenuine(headers, body.replace("paid", "open"), keys)).toBe(false)
    expect(isGenuine(headers, body, OWN_KEYS)).toBe(false)
    expect(isGenuine(headers, body, [])).toBe(false)
    expect(isGenuine({}, body, keys)).toBe(false)
    const now = Math.floor(Date.now() / 1000)
    expect(isGenuine(signedAt(headers, body, now), body, OWN_KEYS)).toBe(true)
    for (const age of [-400, 400])
      expect(isGenuine(signedAt(headers, body, now + age), body, OWN_KEYS)).toBe(false)
  })
)

it.effect("a stranger's event, genuine and with the memo of our order, delivers nothing", () =>
  Effect.gen(function* () {
    const { paidOrder } = yield* Effect.promise(() => imported<Orders>(ORDER_OF_EVENT))
    const { isGenuine } = yield* verifier
    // The stranger's: he chose our hook, and paid himself.
    const { body, headers, keys } = yield* event
    expect(isGenuine(headers, body, keys)).toBe(true)
    const { checkoutId, memo } = JSON.parse(body).data
    expect(paidOrder(body, new Map([["chk_ours", memo]]))).toBeUndefined()
    expect(paidOrder(body, new Map([[checkoutId, memo]]))).toBe(memo)
    const expired = body.replace("checkout.paid", "checkout.expired")
    expect(paidOrder(expired, new Map([[checkoutId, memo]]))).toBeUndefined()
  })
)
