import { describe, expect, it } from "@effect/vitest"
import { MERCHANT } from "../support/checkout/shop.ts"
import type { Answer } from "../support/checkout/http-shop.ts"
import { withShop, post, get, request, json, pay, errorOnly } from "../support/checkout/http-shop.ts"

const settlementOf = ({ headers }: Answer) =>
  JSON.parse(Buffer.from(headers.get("payment-response") ?? "", "base64").toString("utf8"))

describe("the checkout's HTTP channel", () => {
  it("says by x402's own header where a limit kept a payment from being sent, and when to come back", () =>
    withShop(
      async (ask) => {
        const terms = json(await ask(post("/create", request)))
        const paymentSignature = await pay(terms)
        const limited = await ask(post(`/${terms.checkoutId}/verify`, { paymentSignature }))
        expect(limited.status).toBe(429)
        expect(errorOnly(limited)).toContain("nothing was charged")
        expect(limited.headers.get("retry-after")).toBe("3600")
        expect(settlementOf(limited)).toEqual({
          success: false,
          errorReason: "checkout_limited",
          transaction: "",
          network: "eip155:8453"
        })
      },
      { CHECKOUT_FEE_SHARE: "0" }
    ))

  it("creates, pays and shows a checkout", () =>
    withShop(async (ask) => {
      const created = await ask(post("/create", request))
      expect(created.status).toBe(200)
      const terms = json(created)
      expect(terms).toMatchObject({
        scheme: "exact",
        network: "eip155:8453",
        amount: "12500000",
        memo: "order-1"
      })
      const paymentSignature = await pay(terms)
      const paid = await ask(post(`/${terms.checkoutId}/verify`, { paymentSignature }))
      expect(paid.status).toBe(200)
      expect(json(paid)).toMatchObject({ status: "paid", checkoutId: terms.checkoutId })
      expect(settlementOf(paid)).toMatchObject({ success: true, transaction: json(paid).transaction })
      expect(paid.headers.get("cache-control")).toContain("private")

      const again = await ask(
        post(`/${terms.checkoutId}/verify`, undefined, { "payment-signature": paymentSignature })
      )
      expect(again.text).toBe(paid.text)
      const status = json(await ask(get(terms.checkoutId)))
      expect(status).toMatchObject({ status: "paid", receipt: { transaction: json(paid).transaction } })
    }))

  it("challenges an unpaid verify like any x402 resource", () =>
    withShop(async (ask) => {
      const terms = json(await ask(post("/create", request)))
      const answer = await ask(post(`/${terms.checkoutId}/verify`))
      expect(answer.status).toBe(402)
      expect(Buffer.from(answer.headers.get("payment-required") ?? "", "base64").toString("utf8")).toBe(
        answer.text
      )
      expect(json(answer)).toMatchObject({
        x402Version: 2,
        error: "Payment Required",
        resource: { url: `${terms.url}/verify` },
        accepts: [{ amount: "12500000", payTo: MERCHANT }]
      })
    }))

  it("answers a refused payment with 402, the reason and fresh terms", () =>
    withShop(async (ask) => {
      const terms = json(await ask(post("/create", request)))
      const paymentSignature = await pay(terms, { accepted: { amount: "1" } })
      const answer = await ask(post(`/${terms.checkoutId}/verify`, { paymentSignature }))
      expect(answer.status).toBe(402)
      expect(json(answer).preview.reason).toBe("checkout_amount_mismatch")
      const reason = JSON.parse(
        Buffer.from(answer.headers.get("payment-response") ?? "", "base64").toString("utf8")
      )
      expect(reason).toMatchObject({ success: false, errorReason: "checkout_amount_mismatch" })
    }))

  it("answers 409 for another payment on a paid checkout", () =>
    withShop(async (ask) => {
      const terms = json(await ask(post("/create", request)))
      await ask(post(`/${terms.checkoutId}/verify`, { paymentSignature: await pay(terms) }))
      const answer = await ask(post(`/${terms.checkoutId}/verify`, { paymentSignature: await pay(terms) }))
      expect(answer.status).toBe(409)
      errorOnly(answer)
      expect((await ask(post(`/${terms.checkoutId}/verify`))).status).toBe(409)
    }))

  it("hands out no secret with a webhook: events are signed with the published key", () =>
    withShop(async (ask) => {
      const body = { ...request, webhookUrl: "https://shop.example/hook" }
      const created = await ask(post("/create", body, { "idempotency-key": "key-1" }))
      expect(created.status).toBe(200)
      expect(created.headers.get("webhook-secret")).toBeNull()
      expect(created.text).not.toContain("whsec_")
      const again = await ask(post("/create", body, { "idempotency-key": "key-1" }))
      expect(again.text).toBe(created.text)
      expect((await ask(get(json(created).checkoutId))).text).not.toContain("whsec_")
    }))

  it("answers 409 for an Idempotency-Key with another body and 400 for a broken key", () =>
    withShop(async (ask) => {
      await ask(post("/create", request, { "idempotency-key": "key-1" }))
      const other = await ask(post("/create", { ...request, amountUsd: "1" }, { "idempotency-key": "key-1" }))
      expect(other.status).toBe(409)
      errorOnly(other)
      expect((await ask(post("/create", request, { "idempotency-key": "two words" }))).status).toBe(400)
    }))

  it("simulates without a trace of a real checkout", () =>
    withShop(async (ask) => {
      const answer = await ask(post("/simulate", request))
      expect(answer.status).toBe(200)
      expect(json(answer)).toMatchObject({ simulated: true, steps: expect.any(Array) })
      expect(answer.headers.get("payment-response")).toBeNull()
    }))

  it("shows browsers the page and machines the status", () =>
    withShop(async (ask) => {
      const terms = json(await ask(post("/create", request)))
      const page = await ask(get(terms.checkoutId, "text/html,application/xhtml+xml,*/*;q=0.8"))
      expect(page.headers.get("content-type")).toContain("text/html")
      expect(page.headers.get("vary")).toBe("accept")
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
      expect((await ask(get(terms.checkoutId, "*/*"))).headers.get("content-type")).toContain(
        "application/json"
      )
      const missing = await ask(get("chk_00000000000000000000000000000000", "text/html"))
      expect(missing.status).toBe(404)
      expect(missing.headers.get("content-type")).toContain("text/html")
    }))
})
