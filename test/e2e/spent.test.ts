import { describe, expect, it } from "@effect/vitest"
import type { PaymentPayload } from "@x402/core/types"
import { Schema } from "effect"
import { pingToolCall } from "../../scripts/sandbox/tool-call.ts"
import { CheckoutTerms } from "../../src/domain/checkout.ts"
import type { Screening } from "../support/calls.ts"
import { ask, challengeOf, encode, pay, reasonOf, toHttp } from "../support/calls.ts"
import {
  bare,
  cleanToken,
  newBuyer,
  networks,
  type Network,
  onceOnBoth,
  pingOf
} from "../support/payment/buying.ts"
import { movedSince, NOTHING, onceOnBase, readBooks } from "../support/books.ts"
import { PING_PRICE } from "../support/prices.ts"
import { useService } from "../support/stage.ts"

/** Everything at one price, so that what is signed for one thing would pay for any other. */
const { service, stage } = useService(() => ({ DEEP_PRICE_USD: "0.005", CHECKOUT_MIN_USD: "0.005" }))

const ping = () => pingOf(stage(), "POST")

/** What is signed does not say what it pays for: only the ledger can tell two uses apart. */
const sign = async (network: Network) => {
  const challenge = challengeOf(await ask(...toHttp(service().url, ping())))
  return bare(await (await newBuyer(stage(), network)).client.createPaymentPayload(challenge))
}

const pingOverMcp = (payment: Pick<PaymentPayload, "accepted" | "payload" | "x402Version">) =>
  ask(`${service().url}/api/token-risk/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: pingToolCall(cleanToken(stage(), "base"), { "x402/payment": payment })
  })

const expectUsed = async (screening: Screening, payment: unknown) => {
  const answer = await pay(service().url, screening, encode(payment))
  expect([answer.status, reasonOf(answer)]).toEqual([402, "payment_already_used"])
}

const postJson = (path: string, body: unknown) =>
  ask(`${service().url}/api/checkout/v1/checkout/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

const newOrder = async () => {
  const created = await postJson("create", {
    network: "base",
    merchantPayTo: stage().sandbox.base.accounts.merchant.address,
    amountUsd: "0.005",
    memo: "order"
  })
  expect(created.status).toBe(200)
  return Schema.decodeUnknownSync(CheckoutTerms)(created.body)
}

describe("a payment that was used", () => {
  it("buys nothing else: no other token, operation, chain or channel", async () => {
    const payments = await Promise.all(networks.map(sign))
    const before = await readBooks(stage())
    const others: ReadonlyArray<Screening> = [
      { ...ping(), address: stage().sandbox.base.tokens.mintable.address },
      { ...ping(), operation: "deep" },
      { ...ping(), operation: "deep", method: "GET" },
      { ...ping(), chain: "solana", address: cleanToken(stage(), "solana") }
    ]
    await Promise.all(
      payments.map(async (payment) => {
        expect((await pay(service().url, ping(), encode(payment))).status).toBe(200)
        for (const other of others) await expectUsed(other, payment)
        const overMcp = await pingOverMcp(payment)
        expect(overMcp.text).toContain("payment_already_used")
        expect(overMcp.text).toContain('"success":false')
      })
    )
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
  })

  it("offered at once for a ping, a report, a tool call and an order is one transfer for one of them", async () => {
    const terms = await newOrder()
    const payment = await sign("base")
    const before = await readBooks(stage())
    const [tool, order, ...screenings] = await Promise.all([
      pingOverMcp(payment),
      postJson(`${terms.checkoutId}/verify`, { paymentSignature: encode({ ...payment, accepted: terms }) }),
      pay(service().url, ping(), encode(payment)),
      pay(service().url, { ...ping(), operation: "deep" }, encode(payment))
    ])
    const delivered = [
      tool.text.includes('"success":true'),
      ...[order, ...screenings].map(({ status }) => status === 200)
    ]
    expect(delivered.filter(Boolean)).toHaveLength(1)
    expect(await movedSince(stage(), before)).toEqual(onceOnBase(PING_PRICE))
  })

  it("buys nothing where the ledger was lost, on either network: the chain remembers", async () => {
    const payments = await Promise.all(networks.map(sign))
    for (const payment of payments)
      expect((await pay(service().url, ping(), encode(payment))).status).toBe(200)
    const forgetful = await stage().start()
    const before = await readBooks(stage())
    for (const payment of payments) {
      const answer = await pay(forgetful.url, ping(), encode(payment))
      expect([answer.status, reasonOf(answer)]).toEqual([402, "payment_already_used"])
    }
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })

  it("over MCP buys nothing over HTTP, and the same answer again over MCP", async () => {
    const payment = await sign("base")
    const before = await readBooks(stage())
    const first = await pingOverMcp(payment)
    expect(first.text).toContain("x402/payment-response")
    expect((await pingOverMcp(payment)).text).toBe(first.text)
    await expectUsed(ping(), payment)
    expect(await movedSince(stage(), before)).toEqual(onceOnBase(PING_PRICE))
  })

  it("for a screening does not pay a checkout, and a checkout's payment buys no screening", async () => {
    const terms = await newOrder()
    const verify = (payment: object) =>
      postJson(`${terms.checkoutId}/verify`, { paymentSignature: encode({ ...payment, accepted: terms }) })
    const before = await readBooks(stage())
    const used = await sign("base")
    expect((await pay(service().url, ping(), encode(used))).status).toBe(200)
    expect((await verify(used)).status).toBe(409)
    expect(await movedSince(stage(), before)).toEqual(onceOnBase(PING_PRICE))

    const other = await sign("base")
    expect((await verify(other)).body).toMatchObject({ status: "paid" })
    await expectUsed(ping(), other)
    // Nor over MCP, though it be shown as if it were made for the tool, and again and again.
    const shown = await Promise.all(Array.from({ length: 5 }, () => pingOverMcp(other)))
    for (const { text } of shown) expect(text).toContain("payment_already_used")
    expect(await movedSince(stage(), before)).toEqual({ ...NOTHING, base: 2n * PING_PRICE, sentOnBase: 2 })
  })
})
