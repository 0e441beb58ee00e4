import { describe, expect, it } from "@effect/vitest"
import { ROOT, withShop, post, get, request, json, pay, errorOnly } from "../support/checkout/http-shop.ts"

const UNTAKEN = "body: has a member that is not taken here: /openapi.json lists those that are"

describe("the checkout's HTTP channel, of what it cannot take", () => {
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
})
