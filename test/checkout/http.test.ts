import { HttpApiBuilder, HttpServer } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeApi } from "../../src/api/api.ts"
import { CheckoutLive } from "../../src/http/checkout.ts"
import { MerchantLive } from "../../src/http/merchant.ts"
import { ErrorBoundary } from "../../src/http/error-boundary.ts"
import { PurchasesHttpLive } from "../../src/http/purchases.ts"
import { TokenRiskLive } from "../../src/http/token-risk.ts"
import { fakeServices, toWeb } from "../support/channels.ts"
import { mockPurchases } from "../support/mocks.ts"
import { MERCHANT, shop, sign } from "../support/checkout/shop.ts"

const ROOT = "https://any.test/api/checkout/v1/checkout"

const openShop = (settings: Readonly<Record<string, string>>) => {
  const app = HttpApiBuilder.api(makeApi("checkout")).pipe(
    Layer.provide([CheckoutLive, MerchantLive, TokenRiskLive, PurchasesHttpLive]),
    Layer.merge(ErrorBoundary),
    Layer.provide(shop(settings)),
    Layer.provide([fakeServices({}), mockPurchases({})]),
    Layer.merge(HttpServer.layerContext)
  )
  return toWeb(app)
}

const withShop = <A>(
  use: (ask: (request: Request) => Promise<Answer>) => Promise<A>,
  settings: Readonly<Record<string, string>> = {}
): Promise<A> => {
  const { dispose, handler } = openShop(settings)
  const ask = async (request: Request): Promise<Answer> => {
    const response = await handler(request)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return use(ask).finally(dispose)
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  new Request(`${ROOT}${path}`, {
    method: "POST",
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })

const get = (id: string, accept = "application/json") => new Request(`${ROOT}/${id}`, { headers: { accept } })

const request = { network: "base", merchantPayTo: MERCHANT, amountUsd: "12.5", memo: "order-1" }

const json = ({ text }: Answer) => JSON.parse(text)
const pay = (terms: Parameters<typeof sign>[0], options?: Parameters<typeof sign>[1]) =>
  Effect.runPromise(sign(terms, options))
const errorOnly = (answer: Answer) => {
  expect(Object.keys(json(answer))).toEqual(["error"])
  return json(answer).error
}

const settlementOf = ({ headers }: Answer) =>
  JSON.parse(Buffer.from(headers.get("payment-response") ?? "", "base64").toString("utf8"))

const UNTAKEN = "body: has a member that is not taken here: /openapi.json lists those that are"

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

  it.each([
    ["a transaction id of Solana", { paymentSignature: "5".repeat(88) }, /transaction id/],
    ["a transaction hash", { paymentSignature: `0x${"a".repeat(64)}` }, /transaction id/],
    ["no base64", { paymentSignature: "***" }, /paymentSignature/],
    ["base64 of no JSON", { paymentSignature: Buffer.from("hello").toString("base64") }, /paymentSignature/],
    ["no payment in the body", {}, /paymentSignature/],
    ["a number", { paymentSignature: 7 }, /body/],
    ["broken JSON", "{", /body/],
    ["an array", [], /body|paymentSignature/]
  ])("answers 400 for %s", (_name, body, message) =>
    withShop(async (ask) => {
      const terms = json(await ask(post("/create", request)))
      const answer = await ask(post(`/${terms.checkoutId}/verify`, body))
      expect(answer.status).toBe(400)
      expect(errorOnly(answer)).toMatch(message)
    })
  )

  it("answers 400 for two different payments in body and header", () =>
    withShop(async (ask) => {
      const terms = json(await ask(post("/create", request)))
      const answer = await ask(
        post(
          `/${terms.checkoutId}/verify`,
          { paymentSignature: await pay(terms) },
          { "payment-signature": await pay(terms) }
        )
      )
      expect(answer.status).toBe(400)
    }))

  it.each(["chk_00000000000000000000000000000000", "nonsense", "create", "%00", "..%2f"])(
    "answers 404 for the id %s",
    (id) =>
      withShop(async (ask) => {
        for (const body of [undefined, { paymentSignature: "***" }, { paymentSignature: 7 }, [], "{"])
          expect((await ask(post(`/${id}/verify`, body))).status).toBe(404)
        // Under the word itself stands another path, whose methods it names.
        expect((await ask(get(id))).status).toBe(id === "create" ? 405 : 404)
      })
  )

  it.each(["1e3", "-1", "0.0000001", " 1", "١", "0", "10000.000001"])(
    "answers 400 for the amount %j",
    (amountUsd) =>
      withShop(async (ask) => {
        const answer = await ask(post("/create", { ...request, amountUsd }))
        expect(answer.status).toBe(400)
        expect(errorOnly(answer)).toMatch(/^amountUsd: must be/)
        expect((await ask(post("/simulate", { ...request, amountUsd }))).status).toBe(400)
      })
  )

  it("tells whoever sends an amount as a number how it is written", () =>
    withShop(async (ask) => {
      const answer = await ask(post("/create", { ...request, amountUsd: 12.5 }))
      expect(answer.status).toBe(400)
      expect(errorOnly(answer)).toBe('amountUsd: must be a string, such as "12.50"')
      const { amountUsd: _left, ...without } = request
      expect(errorOnly(await ask(post("/create", without)))).toBe("amountUsd: is missing")
    }))

  it("answers 400 for a member that it does not take: a currency would be a price in dollars all the same", () =>
    withShop(async (ask) => {
      for (const extra of [{ currency: "EUR" }, { webhookURL: "https://shop.example/" }, { ["<b>"]: 1 }])
        for (const path of ["/create", "/simulate"]) {
          const answer = await ask(post(path, { ...request, ...extra }))
          expect([answer.status, errorOnly(answer)]).toEqual([400, UNTAKEN])
        }
    }))

  it("says which networks there are", () =>
    withShop(async (ask) => {
      for (const network of ["ethereum", "eip155:1", 8453, null]) {
        expect(errorOnly(await ask(post("/create", { ...request, network })))).toBe(
          'network: must be "solana", "base" or a CAIP-2 id of one of them'
        )
      }
      expect(errorOnly(await ask(post("/create", [])))).toBe("body: must be a JSON object")
    }))

  it("says which address rule was broken", () =>
    withShop(async (ask) => {
      const answer = await ask(post("/create", { ...request, merchantPayTo: "0x12" }))
      expect(answer.status).toBe(400)
      expect(errorOnly(answer)).toMatch(/^merchantPayTo: must be 0x and 40 hex digits/)
    }))

  it.each([
    "http://shop.example/hook",
    "https://127.0.0.1/hook",
    "https://shop.local/",
    "ftp://x.example/",
    "x"
  ])("refuses the webhook address %s", (webhookUrl) =>
    withShop(async (ask) => {
      const answer = await ask(post("/create", { ...request, webhookUrl }))
      expect(answer.status).toBe(400)
      expect(errorOnly(answer)).toMatch(/^webhookUrl: must be/)
    })
  )

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

  it("answers 404 for every id that nobody was given, also for one that is too long or no text", () =>
    withShop(async (ask) => {
      for (const id of ["chk_unknown", "a".repeat(101), "%zz", "%ff"]) {
        for (const unknown of [get(id), post(`/${id}/verify`)]) {
          const answer = await ask(unknown)
          expect({ id, status: answer.status, allow: answer.headers.get("allow") }).toEqual({
            id,
            status: 404,
            allow: null
          })
          errorOnly(answer)
        }
        expect((await ask(new Request(`${ROOT}/${id}`, { method: "PUT" }))).status).toBe(405)
      }
    }))

  it.each(["create", "simulate"])("takes %s for no id: every method but POST is 405 with Allow", (word) =>
    withShop(async (ask) => {
      for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
        for (const path of [
          word,
          word.toUpperCase(),
          `/${word}/`,
          `%${word.charCodeAt(0).toString(16)}${word.slice(1)}`
        ])
          for (const accept of ["*/*", "text/html"]) {
            const answer = await ask(new Request(`${ROOT}/${path}`, { method, headers: { accept } }))
            expect({ method, path, status: answer.status, allow: answer.headers.get("allow") }).toEqual({
              method,
              path,
              status: 405,
              allow: "OPTIONS, POST"
            })
          }
    })
  )

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
