import { HttpServerRequest } from "@effect/platform"
import { describe, expect, it } from "vitest"
import { makeClassify, makeRooms } from "../../src/http/admission/classes.ts"

const PING = "/api/token-risk/v1/ping"
const DEEP = "/api/token-risk/v1/deep"

describe("the class of a call", () => {
  const classify = makeClassify("checkout")
  const classOf = (method: string, path: string, ...names: ReadonlyArray<string>) =>
    classify(
      HttpServerRequest.fromWeb(
        new Request(`https://risk.test${path}`, {
          method,
          headers: Object.fromEntries(names.map((name) => [name, "me"]))
        })
      ),
      ""
    )
  const [paying, named] = ["payment-signature", "x-client-id"]

  it("is `paid` with a payment, also beside a client id", () => {
    for (const path of [PING, DEEP])
      for (const method of ["GET", "POST"]) {
        expect(classOf(method, path, paying)).toBe("paid")
        expect(classOf(method, path, paying, named)).toBe("paid")
      }
  })

  it("is `free` with a client id where something is free, and else a price", () => {
    expect(classOf("POST", DEEP, named)).toBe("free")
    expect(classOf("GET", `//${DEEP.toUpperCase()}/?chain=base`, named)).toBe("free")
    expect(classOf("POST", PING, named)).toBe("challenge")
    for (const path of [PING, DEEP]) expect(classOf("GET", path)).toBe("challenge")
  })

  it("is a price for HEAD, which buys nothing", () => {
    for (const path of [PING, DEEP]) expect(classOf("HEAD", path, paying, named)).toBe("challenge")
  })

  it("is `health` where the service says how it is, and `documents` for everything else", () => {
    expect(classOf("GET", "/healthz", paying)).toBe("health")
    for (const path of ["/", "/docs", "/api/token-risk/v1/other"])
      expect(classOf("GET", path, paying, named)).toBe("documents")
  })
})

describe("the rooms", () => {
  it("leave half of the screenings to those who pay, and half of each room to other addresses", () => {
    expect(makeRooms(32).free).toMatchObject({ slots: 16, slotsPerAddress: 8 })
    expect(makeRooms(9).free).toMatchObject({ slots: 4, slotsPerAddress: 2 })
    expect(makeRooms(3).free).toMatchObject({ slots: 1, slotsPerAddress: 1 })
    expect(makeRooms(1).free.slots).toBe(1)
    expect(makeRooms(1_000).free.slots).toBe(16)
    for (const { slots, slotsPerAddress } of Object.values(makeRooms(32)))
      expect(slotsPerAddress).toBe(slots / 2)
  })
})

describe("the class of a tool call", () => {
  const classify = makeClassify("checkout")
  const classOf = (body: string, headers: Record<string, string> = {}) => {
    const request = new Request("https://risk.test/api/token-risk/mcp", { method: "POST", headers })
    return classify(HttpServerRequest.fromWeb(request), body)
  }
  const call = (_meta: object) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x", _meta } })
  const paying = call({ "x402/payment": {} })
  const free = call({ "token-risk/client-id": "me" })
  const spellings: ReadonlyArray<(body: string) => string> = [
    (body) => body,
    (body) => body.replaceAll("/", "\\/"),
    (body) => body.replaceAll("/", "\\u002f").replaceAll("tools", "\\u0074ools"),
    (body) => `\ufeff\n${body}`,
    (body) => `[${body}]`
  ]

  it("is what it costs, however its words are written", () => {
    for (const spelled of spellings) {
      expect(classOf(spelled(paying))).toBe("paid")
      expect(classOf(spelled(free))).toBe("free")
      expect(classOf(spelled(call({})), { "x-client-id": "me" })).toBe("free")
      expect(classOf(spelled(call({})))).toBe("challenge")
    }
  })

  it("is a price for everything that is no tool call, and for what is no JSON", () => {
    for (const body of ["", "{", "null", "[null,1]", '{"method":"tools/list"}', '{"method":"tools/call"}'])
      expect(classOf(body)).toBe("challenge")
  })
})

describe("the class of a request for what was bought", () => {
  const classify = makeClassify("checkout")
  const classOf = (method: string, headers: Record<string, string>) =>
    classify(
      HttpServerRequest.fromWeb(
        new Request("https://risk.test/api/token-risk/v1/purchases/deep?chain=base", { method, headers })
      ),
      ""
    )

  it("is `paid` where a payment buys anew: it is worked for as any other", () => {
    expect(classOf("GET", { "payment-signature": "signed" })).toBe("paid")
    expect(classOf("GET", { "payment-signature": "signed", "sign-in-with-x": "signed" })).toBe("paid")
  })

  it("is `documents` where nothing can be bought", () => {
    expect(classOf("GET", {})).toBe("documents")
    expect(classOf("GET", { "sign-in-with-x": "signed" })).toBe("documents")
    expect(classOf("HEAD", { "payment-signature": "signed" })).toBe("documents")
  })
})

describe("the class of a request to the checkout", () => {
  const classify = makeClassify("checkout")
  const classOf = (method: string, path: string) =>
    classify(
      HttpServerRequest.fromWeb(new Request(`https://risk.test/api/checkout/v1${path}`, { method })),
      ""
    )

  it("is `webhooks` where it says where events go, or has one sent again", () => {
    expect(classOf("PATCH", "/merchant")).toBe("webhooks")
    expect(classOf("POST", "/checkout/c1/events/e1/replay")).toBe("webhooks")
    expect(classOf("POST", "//Checkout/c1/Events/e1/Replay/")).toBe("webhooks")
  })

  it("is `checkout` for everything else", () => {
    for (const [method, path] of [
      ["GET", "/merchant"],
      ["GET", "/checkout/c1/events/e1/replay"],
      ["POST", "/checkout/create"],
      ["POST", "/checkout/c1/verify"],
      ["PATCH", "/checkout/c1"],
      ["POST", "/checkout/c1/events/e1/replay/more"]
    ] as const)
      expect(classOf(method, path)).toBe("checkout")
  })
})
