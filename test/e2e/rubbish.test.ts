import { describe, expect, it } from "@effect/vitest"
import type { PaymentPayload } from "@x402/core/types"
import { askBytes, askRaw, encode, pathOf, pay, screen, signFor, toHttp } from "../support/calls.ts"
import { pingOf } from "../support/payment/buying.ts"
import { baseBuyer } from "../support/sandbox.ts"
import { movedSince, NOTHING, readBooks } from "../support/books.ts"
import { newBasePayer, useSharedService } from "../support/stage.ts"

const { service, stage } = useSharedService()

const screening = () => pingOf(stage())

const honest = async (): Promise<PaymentPayload> =>
  signFor(service().url, screening(), baseBuyer(await newBasePayer(stage())))

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString("base64")

/** A payload whose text is changed: the only way to duplicate keys or to write numbers JSON.stringify would not. */
const edited =
  (change: (json: string) => string) =>
  (payload: PaymentPayload): string => {
    const json = JSON.stringify(payload)
    const changed = change(json)
    if (changed === json) throw new Error("the edit changed nothing")
    return base64(changed)
  }

const replaced = (pattern: string | RegExp, replacement: string) =>
  edited((json) => json.replace(pattern, replacement))

const amountAs = (text: string) => replaced('"amount":"5000"', `"amount":${text}`)
const valueAs = (text: string) => replaced('"value":"5000"', `"value":${text}`)

/** A payload of a length that base64 pads, without the padding. */
const unpadded = (payload: PaymentPayload): string =>
  ["", "x", "xx"]
    .map((filler) => encode({ ...payload, filler }))
    .find((text) => text.endsWith("="))
    ?.replace(/=+$/, "") ?? ""

const malformed: Readonly<Record<string, (payload: PaymentPayload) => string>> = {
  "garbage instead of base64": () => "!!!not-base64!!!",
  "url-safe base64": () => base64('{"a":"\u00ff\u00fe>>>???"}').replaceAll("+", "-").replaceAll("/", "_"),
  "base64 without its padding": unpadded,
  "non-canonical base64": () => "e31=",
  "base64 with a space inside": (payload) => encode(payload).replace(/^(.{10})/, "$1 "),
  "two headers in one": (payload) => `${encode(payload)}, ${encode(payload)}`,
  "base64 of no JSON": () => base64("hello"),
  "base64 of half the JSON": (payload) => base64(JSON.stringify(payload).slice(0, -10)),
  "base64 of bytes that are no UTF-8": () =>
    base64(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  "a byte order mark": (payload) => base64(`\ufeff${JSON.stringify(payload)}`),
  "JSON null": () => base64("null"),
  "a JSON array": (payload) => base64(JSON.stringify([payload])),
  "a JSON string": () => base64('"payment"'),
  "a JSON number": () => base64("402"),
  "an empty object": () => base64("{}"),
  "a duplicated key": replaced('{"x402Version":2', '{"x402Version":2,"x402Version":2'),
  "a duplicated key deep inside": replaced('"value":"5000"', '"value":"5000","value":"1"'),
  "a duplicated key in another spelling": replaced('"value":"5000"', '"value":"5000","\\u0076alue":"1"'),
  "accepted null": (payload) => encode({ ...payload, accepted: null }),
  "accepted as a list": (payload) => encode({ ...payload, accepted: [payload.accepted] }),
  "accepted as text": (payload) => encode({ ...payload, accepted: "all" }),
  "no accepted": ({ payload, x402Version }) => encode({ x402Version, payload }),
  "no payload": ({ accepted, x402Version }) => encode({ x402Version, accepted }),
  "payload null": (payload) => encode({ ...payload, payload: null }),
  "an empty payload": (payload) => encode({ ...payload, payload: {} }),
  "a payload for the other chain": (payload) => encode({ ...payload, payload: { transaction: "AAAA" } }),
  "a version in text": (payload) => encode({ ...payload, x402Version: "2" }),
  "a value in hex": valueAs('"0x1388"'),
  "a value with spaces": valueAs('" 5000 "'),
  "an empty value": valueAs('""'),
  "a signed value": valueAs('"+5000"'),
  "a value with leading zeros": valueAs('"05000"'),
  "a value as a number": valueAs("5000"),
  "a value with an exponent": valueAs('"5e3"'),
  "a value beyond all numbers": valueAs("1e400"),
  "a value that is not a number": valueAs("NaN"),
  "a value of a thousand digits": valueAs(`"${"9".repeat(1_000)}"`),
  "a value in other digits": valueAs('"\uff15\uff10\uff10\uff10"'),
  "a negative time": replaced('"validAfter":"0"', '"validAfter":"-1"'),
  "a signature without 0x": replaced('"signature":"0x', '"signature":"'),
  "a signature with half a byte": replaced('"signature":"0x', '"signature":"0x0'),
  "an address that is too short": replaced(/"from":"0x../, '"from":"0x'),
  "nesting a thousand levels deep": (payload) =>
    base64(JSON.stringify(payload).replace(/}$/, `,"x":${"[".repeat(1_000)}${"]".repeat(1_000)}}`)),
  "a __proto__ key": replaced('{"x402Version":2', '{"__proto__":{"x402Version":2},"x402Version":2'),
  "a __proto__ key in accepted": replaced('"accepted":{', '"accepted":{"__proto__":{"amount":"1"},')
}

/** Well-formed, but not our terms. */
const foreign: Readonly<Record<string, (payload: PaymentPayload) => string>> = {
  "an amount in hex": amountAs('"0x1388"'),
  "an amount with spaces": amountAs('" 5000 "'),
  "an empty amount": amountAs('""'),
  "an amount as a number": amountAs("5000"),
  "an amount beyond all numbers": amountAs("1e400"),
  "a fractional version": replaced('"x402Version":2', '"x402Version":2.5')
}

describe("a payment header with", () => {
  for (const [name, change] of Object.entries(malformed)) {
    it(`${name} is 400 and charges nothing`, async () => {
      const payload = await honest()
      const before = await readBooks(stage())
      const answer = await pay(service().url, screening(), change(payload))
      expect(answer.body).toEqual({ error: expect.any(String) })
      expect(answer.status).toBe(400)
      expect(answer.text.length).toBeLessThan(300)
      expect(answer.headers.has("payment-response")).toBe(false)
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
    })
  }

  for (const [name, change] of Object.entries(foreign)) {
    it(`${name} is refused and charges nothing`, async () => {
      const payload = await honest()
      const before = await readBooks(stage())
      expect((await pay(service().url, screening(), change(payload))).status).toBe(402)
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
    })
  }

  it("nothing in it is 400, or asks for payment", async () => {
    const [url] = toHttp(service().url, screening())
    for (const value of ["", " "]) {
      const answer = await askRaw(url, { headers: { "payment-signature": value } })
      expect([400, 402]).toContain(answer.status)
    }
  })

  it("9 KB, 15 KB and 1 MB in it is refused without an error of ours", async () => {
    const [url] = toHttp(service().url, screening())
    for (const size of [9_000, 15_000]) {
      const answer = await askRaw(url, { headers: { "payment-signature": "A".repeat(size) } })
      expect([size, answer.status]).toEqual([size, 400])
    }
    const { host } = new URL(url)
    const text = await askBytes(
      url,
      `GET ${pathOf("ping")} HTTP/1.1\r\nhost: ${host}\r\npayment-signature: ${"A".repeat(1 << 20)}\r\n\r\n`
    )
    expect(text).toMatch(/^HTTP\/1\.1 4(?:00|13|31) |^$/)
    expect((await screen(service().url, screening())).status).toBe(402)
  })
})

describe("a request body", () => {
  const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    askRaw(`${service().url}${pathOf("ping")}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers }
    })

  it("of 100 KB is 413, with and without a payment, and charges nothing", async () => {
    const payment = encode(await honest())
    const before = await readBooks(stage())
    const body = JSON.stringify({ chain: "base", address: "0x", filler: "x".repeat(100_000) })
    for (const headers of [
      {},
      { "payment-signature": payment },
      { "transfer-encoding": "chunked" },
      { "transfer-encoding": "chunked", "payment-signature": payment }
    ]) {
      const answer = await post(body, headers)
      expect(answer.status).toBe(413)
      expect(answer.body).toEqual({ error: expect.any(String) })
    }
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })

  it("that is no UTF-8 is 400", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"chain":"base","address":"'),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
      Buffer.from('"}')
    ])
    expect((await post(bytes, { "payment-signature": encode(await honest()) })).status).toBe(400)
  })

  it("with a content type that is not JSON is 415 or 400, and charges nothing", async () => {
    const { address } = stage().sandbox.base.tokens.clean
    const before = await readBooks(stage())
    const body = JSON.stringify({ chain: "base", address })
    const payment = encode(await honest())
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "image/png",
      "x"
    ]) {
      const answer = await post(body, { "content-type": type, "payment-signature": payment })
      expect([type, answer.status]).toEqual([
        type,
        expect.toSatisfy((status: number) => [400, 415].includes(status))
      ])
    }
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
  })

  it("with a charset beside the JSON type is served", async () => {
    const { address } = stage().sandbox.base.tokens.clean
    const body = JSON.stringify({ chain: "base", address })
    expect((await post(body, { "content-type": "application/json; charset=utf-8" })).status).toBe(402)
  })
})

describe("bytes that are not HTTP", () => {
  it("are refused, and the service goes on", async () => {
    const { host } = new URL(service().url)
    const garbage = [
      "\u0000\u0001\u0002\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "hello\r\n\r\n",
      `POST ${pathOf("ping")} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: -1\r\n\r\n`,
      `POST ${pathOf("ping")} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST ${pathOf("ping")} HTTP/1.1\r\nhost: ${host}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
      `GET ${pathOf("ping")} HTTP/1.1\r\nhost: ${host}\r\nbad header\r\n\r\n`,
      `GET /${"a".repeat(20_000)} HTTP/1.1\r\nhost: ${host}\r\n\r\n`
    ]
    const answers = await Promise.all(garbage.map((bytes) => askBytes(service().url, bytes)))
    for (const [index, answer] of answers.entries()) {
      expect([index, answer]).toEqual([index, expect.stringMatching(/^(?:HTTP\/1\.1 4\d\d |$)/)])
    }
    expect((await screen(service().url, screening())).status).toBe(402)
  })
})
