import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OperationError } from "../../src/operations/operations.ts"
import {
  PaymentRejected,
  PaymentUnavailable,
  PaymentUnresolved,
  ScreeningUnavailable,
  UnknownToken
} from "../../src/domain/errors.ts"
import openApi from "../../src/api/openapi.json" with { type: "json" }
import { normalizeEvmAddress } from "../../src/domain/address.ts"
import type { FakeChannel } from "../support/channels.ts"
import { openHttp } from "../support/channels.ts"

const WETH = "0x4200000000000000000000000000000000000006"
const PING = "https://any.test/api/token-risk/v1/ping"
const DEEP = "https://any.test/api/token-risk/v1/deep"

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  new Request(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } })

const token = JSON.stringify({ chain: "base", address: WETH })

const ask = async (request: Request, channel: FakeChannel = {}) => {
  const { dispose, handler } = openHttp(channel)
  const response = await handler(request)
  const text = await response.text()
  await dispose()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === "" ? null : JSON.parse(text)
  }
}

const token404 = normalizeEvmAddress(WETH)
const failing = (error: OperationError): FakeChannel => ({ outcome: Effect.fail(error) })
const paid = (url = PING) => post(url, token, { "payment-signature": "anything" })

describe("an unpaid request", () => {
  it.each([
    ["GET without query", new Request(PING)],
    ["POST without body", new Request(PING, { method: "POST" })],
    ["POST of {}", post(PING, "{}")],
    ["valid GET", new Request(`${PING}?chain=base&address=${WETH}`)],
    ["valid POST", post(PING, token)],
    ["empty deep probe", new Request(DEEP)],
    ["deep by a caller without free calls", post(DEEP, token, { "x-client-id": "used-up" })]
  ])("%s gets the same challenge in body and header", async (_name, request) => {
    const { headers, json, status, text } = await ask(request)
    expect(status).toBe(402)
    expect(json.error).toBe("Payment Required")
    expect(Buffer.from(headers.get("payment-required") ?? "", "base64").toString("utf8")).toBe(text)
    expect(headers.get("cache-control")).toBe("no-store")
  })

  it.each([
    ["a chain only", new Request(`${PING}?chain=base`)],
    ["an unknown chain", new Request(`${PING}?chain=ethereum&address=${WETH}`)],
    ["a repeated parameter", new Request(`${PING}?chain=base&chain=base&address=${WETH}`)],
    ["a short address", post(PING, JSON.stringify({ chain: "base", address: "0x12" }))],
    ["an EVM address on solana", post(PING, JSON.stringify({ chain: "solana", address: WETH }))],
    ["a body that is no JSON", post(PING, "{chain")],
    ["a body that is an array", post(PING, "[]")],
    ["a body that is null", post(PING, "null")],
    ["a number as address", post(PING, JSON.stringify({ chain: "base", address: 7 }))],
    ["garbage in the query", new Request(`${PING}?chain=%00%ff&address=%F0%9F`)],
    ["an invalid client id", post(DEEP, token, { "x-client-id": "two words" })],
    [
      "an empty probe with an invalid client id",
      new Request(DEEP, { headers: { "x-client-id": "x".repeat(129) } })
    ]
  ])("with %s is a 400 that says so, so that nobody signs for it", async (_name, request) => {
    const { json, status } = await ask(request)
    expect(status).toBe(400)
    expect(Object.keys(json)).toEqual(["error"])
    expect(json.error).not.toMatch(/\n|0x12|ethereum/)
  })
})

describe("a free call", () => {
  const channel: FakeChannel = { freeFor: "me" }
  it("answers 200 without a receipt, and leaves a payment beside it untouched", async () => {
    const { headers, status } = await ask(
      post(DEEP, token, { "x-client-id": "me", "payment-signature": "garbage" }),
      channel
    )
    expect(status).toBe(200)
    expect(headers.get("payment-response")).toBeNull()
  })

  it.each([
    ["empty", new Request(DEEP, { headers: { "x-client-id": "me" } })],
    ["invalid", post(DEEP, '{"chain":"base"}', { "x-client-id": "me" })]
  ])("with %s input is a 400, not a challenge", async (_name, request) => {
    expect((await ask(request, channel)).status).toBe(400)
  })
})

describe("a request with a payment", () => {
  it("answers 200 with the bytes that were sold and a base64 receipt", async () => {
    const { headers, status, text } = await ask(paid())
    expect(status).toBe(200)
    expect(text).toBe('{"safe":true}')
    const receipt = JSON.parse(Buffer.from(headers.get("payment-response") ?? "", "base64").toString("utf8"))
    expect(receipt).toMatchObject({ success: true, transaction: "tx" })
  })

  it("that is malformed is a 400 and never a challenge", async () => {
    expect((await ask(post(PING, token, { "payment-signature": "garbage" }))).status).toBe(400)
  })

  it.each([
    ["invalid input", post(PING, '{"chain":"base"}', { "payment-signature": "anything" })],
    ["an empty probe", post(PING, "{}", { "payment-signature": "anything" })],
    ["broken JSON", post(PING, "{", { "payment-signature": "anything" })]
  ])("and %s is a 400 that never reaches the payment", async (_name, request) => {
    let runs = 0
    const { status } = await ask(request, { onRun: () => (runs += 1) })
    expect(status).toBe(400)
    expect(runs).toBe(0)
  })

  it("that is refused gets a fresh challenge and the machine-readable reason", async () => {
    const { headers, json, status } = await ask(
      paid(),
      failing(new PaymentRejected({ reason: "payment_already_used", network: "eip155:8453" }))
    )
    expect(status).toBe(402)
    expect(json.error).toBe("Payment Required")
    expect(headers.get("payment-required")).not.toBeNull()
    const response = JSON.parse(Buffer.from(headers.get("payment-response") ?? "", "base64").toString("utf8"))
    expect(response).toMatchObject({
      success: false,
      errorReason: "payment_already_used",
      network: "eip155:8453"
    })
  })

  it("whose outcome is unknown is a 503 with Retry-After and never a 402", async () => {
    const { headers, status } = await ask(paid(), failing(new PaymentUnresolved({ retryAfterSeconds: 7 })))
    expect(status).toBe(503)
    expect(headers.get("retry-after")).toBe("7")
    expect(headers.get("payment-required")).toBeNull()
  })

  it.each([
    ["chain down", new PaymentUnavailable({ upstream: "base-rpc" })],
    ["data source down", new ScreeningUnavailable({ upstream: "dexscreener" })]
  ])("with the %s is a 503 with Retry-After", async (_name, error) => {
    const { headers, status } = await ask(paid(), failing(error))
    expect(status).toBe(503)
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
  })

  it("for an unknown token is a 404", async () => {
    if (token404 === undefined) throw new Error("fixture")
    const error = new UnknownToken({ token: { chain: "base", address: token404 } })
    expect((await ask(paid(DEEP), failing(error))).status).toBe(404)
  })

  it("that meets a bug is a 500 without internals", async () => {
    const { json, status } = await ask(paid(), { outcome: Effect.die(new Error("secret stack")) })
    expect(status).toBe(500)
    expect(json).toEqual({ error: "internal error" })
  })
})

describe("HEAD", () => {
  it("sees what an unpaid GET sees and never runs a paid or free handler", async () => {
    const url = `${DEEP}?chain=base&address=${WETH}`
    const headers = { "payment-signature": "anything", "x-client-id": "me" }
    const { dispose, handler } = openHttp({ freeFor: "me" })
    const response = await handler(new Request(url, { method: "HEAD", headers }))
    expect(response.status).toBe(402)
    expect(response.headers.get("payment-required")).not.toBeNull()
    await dispose()
  })
})

describe("the edges of the channel", () => {
  it.each(["PUT", "DELETE", "PATCH"])("%s on a paid path is 405 with Allow", async (method) => {
    const { headers, json, status } = await ask(new Request(PING, { method }))
    expect(status).toBe(405)
    expect(headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST")
    expect(json).toEqual({ error: "method not allowed: this path takes GET, HEAD, OPTIONS, POST" })
  })

  it.each(["/api/token-risk/v1/pin", "/api/token-risk%2Fv1%2Fping", "/nowhere"])(
    "%s is a 404 in JSON that says where the paths are listed",
    async (path) => {
      const { json, status } = await ask(new Request(`https://any.test${path}`))
      expect(status).toBe(404)
      expect(json).toEqual({ error: "no such path: /openapi.json lists the operations, /docs explains them" })
    }
  )

  it.each(["/API/token-risk/v1/PING", "/api/token-risk//v1/ping", "/api/token-risk/v1/ping/"])(
    "%s is the same paid path",
    async (path) => {
      expect((await ask(new Request(`https://any.test${path}`))).status).toBe(402)
    }
  )

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "a body of %s is 415",
    async (type) => {
      const headers = { "content-type": type, "content-length": "5" }
      expect((await ask(new Request(PING, { method: "POST", body: token, headers }))).status).toBe(415)
    }
  )

  it.each([
    ["content-encoding", "gzip"],
    ["content-encoding", "br"],
    ["content-encoding", "deflate, gzip"],
    ["transfer-encoding", "gzip, chunked"]
  ])("a body whose %s is %s is 415, and is told how to come", async (name, coding) => {
    const headers = { "content-type": "application/json", "content-length": "5", [name]: coding }
    const { json, status } = await ask(new Request(PING, { method: "POST", body: token, headers }))
    expect([status, json]).toEqual([415, { error: `${name}: the body must come as it is, not compressed` }])
  })

  it("a body that is too large is told the limit that OpenAPI names", async () => {
    const { json, status } = await ask(post(PING, "x".repeat(65_537), { "content-length": "65537" }))
    expect([status, JSON.stringify(openApi)]).toEqual([413, expect.stringContaining(JSON.stringify(json))])
  })

  it("a body that is said to come as it is, is read", async () => {
    const headers = {
      "content-type": "application/json",
      "content-length": "5",
      "content-encoding": "identity"
    }
    expect((await ask(new Request(PING, { method: "POST", body: token, headers }))).status).toBe(402)
  })

  it("OPTIONS is a preflight that allows what x402 clients send and exposes what they read", async () => {
    const request = new Request(PING, {
      method: "OPTIONS",
      headers: {
        origin: "https://agent.test",
        "access-control-request-method": "POST",
        "access-control-request-headers": "payment-signature,access-control-expose-headers"
      }
    })
    const { headers, status } = await ask(request)
    expect(status).toBe(204)
    expect(headers.get("access-control-allow-origin")).toBe("*")
    expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain(
      "access-control-expose-headers"
    )
    expect((await ask(new Request(PING))).headers.get("access-control-expose-headers")).toContain(
      "PAYMENT-REQUIRED"
    )
  })
})
