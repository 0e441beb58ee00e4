import { describe, expect, it } from "@effect/vitest"
import type { Screening } from "../support/calls.ts"
import { ask, askRaw, challengeOf, pathOf, paymentFor, screen, toHttp } from "../support/calls.ts"
import { baseBuyer } from "../support/sandbox.ts"
import type { Books } from "../support/books.ts"
import { movedSince, NOTHING, readBooks } from "../support/books.ts"
import { newBasePayer, PUBLIC_URL, useService } from "../support/stage.ts"

const { service, stage } = useService()

const methods = ["GET", "POST"] as const
const operations = ["ping", "deep"] as const

const screeningOf = (method: "GET" | "POST", operation: "ping" | "deep"): Screening => ({
  method,
  operation,
  chain: "base",
  address: stage().sandbox.base.tokens.clean.address
})

const acceptsFor = (operation: "ping" | "deep") => {
  const { base, solana } = stage().sandbox
  const amount = operation === "ping" ? "5000" : "40000"
  return [
    {
      scheme: "exact",
      network: "eip155:8453",
      amount,
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      payTo: base.accounts.merchant.address,
      maxTimeoutSeconds: 60,
      extra: { name: "USD Coin", version: "2" }
    },
    {
      scheme: "exact",
      network: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
      amount,
      asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      payTo: solana.accounts.merchant.address,
      maxTimeoutSeconds: 60,
      extra: { feePayer: solana.accounts.feePayer.address }
    }
  ]
}

describe("the challenge", () => {
  for (const operation of operations) {
    for (const method of methods) {
      it(`of ${method} ${operation} lists Base, then Solana, with exact terms, in body and header alike`, async () => {
        const answer = await screen(service().url, screeningOf(method, operation))
        expect(answer.status).toBe(402)
        expect(answer.headers.get("content-type")).toMatch(/^application\/json/)
        expect(answer.headers.get("cache-control")).toContain("no-store")
        const header = answer.headers.get("payment-required") ?? ""
        expect(Buffer.from(header, "base64").toString("utf8")).toBe(answer.text)
        expect(Buffer.from(header, "base64").toString("base64")).toBe(header)
        expect(header.length).toBeLessThan(4096)
        expect(answer.body).toEqual({
          x402Version: 2,
          error: "Payment Required",
          resource: {
            url: `${PUBLIC_URL}${pathOf(operation)}`,
            description: expect.any(String),
            mimeType: "application/json"
          },
          accepts: acceptsFor(operation),
          extensions: {
            bazaar: { info: expect.any(Object), schema: expect.any(Object) },
            "payment-identifier": { info: { required: false }, schema: expect.any(Object) },
            "offer-receipt": { info: { offers: expect.any(Array) }, schema: expect.any(Object) }
          },
          preview: expect.objectContaining({ priceUsd: operation === "ping" ? "0.005" : "0.04" })
        })
        expect(answer.body).toHaveProperty("extensions.bazaar.info.input.method", method)
      })
    }
  }

  it("names only the public URL, whatever host the request claims", async () => {
    for (const path of [
      `${pathOf("ping")}`,
      "/openapi.json",
      "/.well-known/x402",
      "/.well-known/x402.json"
    ]) {
      const honest = await askRaw(`${service().url}${path}`)
      const forged = await askRaw(`${service().url}${path}`, {
        headers: {
          host: "evil.example",
          "x-forwarded-host": "evil.example",
          "x-forwarded-proto": "ftp",
          forwarded: "host=evil.example",
          "x-original-url": "https://evil.example/"
        }
      })
      expect(forged.text).toBe(honest.text)
      expect(forged.text).not.toContain("evil.example")
      expect(honest.text).toContain(PUBLIC_URL)
      expect(honest.text).not.toContain(service().url)
    }
  })

  it("answers an empty probe, so that crawlers can list the service", async () => {
    for (const operation of operations) {
      const url = `${service().url}${pathOf(operation)}`
      const json = { "content-type": "application/json" }
      expect((await ask(url)).status).toBe(402)
      expect((await ask(url, { method: "POST" })).status).toBe(402)
      expect((await ask(url, { method: "POST", body: "{}", headers: json })).status).toBe(402)
      expect(challengeOf(await ask(url)).accepts).toEqual(acceptsFor(operation))
    }
  })

  it("is not given for a request that could never succeed: it is 400 before anybody signs", async () => {
    const { address } = stage().sandbox.base.tokens.clean
    for (const query of [
      "chain=base",
      `address=${address}`,
      "chain=base&address=0x12",
      `chain=ethereum&address=${address}`,
      `chain=solana&address=${address}`,
      `chain=base&address=${stage().sandbox.solana.tokens.clean.address}`,
      `chain=base&chain=solana&address=${address}`,
      `chain=Base&address=${address}`
    ]) {
      const answer = await ask(`${service().url}${pathOf("ping")}?${query}`)
      expect([query, answer.status]).toEqual([query, 400])
      expect(answer.body).toEqual({ error: expect.any(String) })
    }
  })
})

describe("a method that buys nothing", () => {
  let before: Books

  it("HEAD shows what an unpaid GET shows and runs no paid work, also with a payment or a client id", async () => {
    const payer = await newBasePayer(stage())
    before = await readBooks(stage())
    for (const operation of operations) {
      const screening = screeningOf("GET", operation)
      const payment = await paymentFor(service().url, screening, baseBuyer(payer))
      const [url] = toHttp(service().url, screening)
      for (const headers of [{}, { "payment-signature": payment }, { "x-client-id": "head" }]) {
        const answer = await askRaw(url, { method: "HEAD", headers })
        expect(answer.status).toBe(402)
        expect(answer.text).toBe("")
        expect(challengeOf(answer).accepts).toEqual(acceptsFor(operation))
        expect(answer.headers.has("payment-response")).toBe(false)
      }
    }
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })

  it("OPTIONS answers a browser's preflight and exposes the payment headers", async () => {
    const answer = await askRaw(`${service().url}${pathOf("deep")}`, {
      method: "OPTIONS",
      headers: {
        origin: "https://agent.example",
        "access-control-request-method": "POST",
        "access-control-request-headers":
          "payment-signature,content-type,x-client-id,access-control-expose-headers"
      }
    })
    expect(answer.status).toBeLessThan(300)
    expect(answer.headers.get("access-control-allow-origin")).toBe("*")
    const allowed = (answer.headers.get("access-control-allow-headers") ?? "").toLowerCase()
    for (const name of [
      "payment-signature",
      "content-type",
      "x-client-id",
      "access-control-expose-headers"
    ]) {
      expect(allowed).toContain(name)
    }
    const [url, init] = toHttp(service().url, screeningOf("GET", "ping"), { origin: "https://agent.example" })
    const exposed = ((await ask(url, init)).headers.get("access-control-expose-headers") ?? "").toLowerCase()
    expect(exposed).toContain("payment-required")
    expect(exposed).toContain("payment-response")
  })

  for (const method of ["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"]) {
    it(`${method} is 405 and says what is allowed, also with a payment`, async () => {
      const payer = await newBasePayer(stage())
      before = await readBooks(stage())
      const payment = await paymentFor(service().url, screeningOf("GET", "ping"), baseBuyer(payer))
      for (const operation of operations) {
        const answer = await askRaw(`${service().url}${pathOf(operation)}`, {
          method,
          headers: { "payment-signature": payment }
        })
        expect(answer.status).toBe(405)
        const allow = (answer.headers.get("allow") ?? "").split(", ")
        expect(allow).toEqual(expect.arrayContaining(["GET", "HEAD", "OPTIONS", "POST"]))
        expect(answer.body).toEqual({ error: expect.any(String) })
      }
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
    })
  }
})

describe("an input that cannot be screened", () => {
  it("is 400 with and without a payment, and the payment stays good", async () => {
    const payer = await newBasePayer(stage())
    const good = screeningOf("POST", "ping")
    const payment = await paymentFor(service().url, good, baseBuyer(payer))
    const before = await readBooks(stage())
    const [url] = toHttp(service().url, good)
    const bodies = [
      "",
      "{}",
      "null",
      "[]",
      '"base"',
      "{",
      "\u0000",
      '{"chain":"base"}',
      '{"chain":"base","address":null}',
      '{"chain":"base","address":5}',
      '{"chain":["base"],"address":"0x"}',
      '{"chain":"base","address":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA0291"}',
      `{"chain":"base","address":"${"0".repeat(60_000)}"}`,
      `${"[".repeat(30_000)}`
    ]
    for (const body of bodies) {
      const headers = { "content-type": "application/json", "payment-signature": payment }
      const answer = await ask(url, { method: "POST", body, headers })
      expect([body.slice(0, 60), answer.status]).toEqual([body.slice(0, 60), 400])
      expect(answer.body).toEqual({ error: expect.any(String) })
      expect(answer.headers.has("payment-response")).toBe(false)
    }
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
    const paid = await screen(service().url, good, { "payment-signature": payment })
    expect(paid.status).toBe(200)
  })

  it("is 400 for a client id nobody could have chosen on purpose", async () => {
    const screening = screeningOf("GET", "deep")
    for (const id of ["", "a b", "x".repeat(129), "é"]) {
      const [url] = toHttp(service().url, screening)
      const answer = await askRaw(url, { headers: { "x-client-id": id } })
      expect([id, answer.status]).toEqual([id, 400])
    }
  })
})
