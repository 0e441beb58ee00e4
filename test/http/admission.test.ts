import { HttpServerRequest } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer, Schema } from "effect"
import { UnknownToken } from "../../src/domain/errors.ts"
import { TokenRef } from "../../src/domain/token.ts"
import { makeBodyRoom } from "../../src/http/admission/body-room.ts"
import { makeBuckets } from "../../src/http/admission/buckets.ts"
import { makeClassify, makeRooms } from "../../src/http/admission/classes.ts"
import { UNPAID_WORK } from "../../src/http/admission/places.ts"
import { makeSlots } from "../../src/http/admission/slots.ts"
import { standing } from "../support/clocks.ts"
import { ask, ATTACKER, eventually, HONEST, keptConnections } from "../support/hostile/clients.ts"
import { Served, served } from "../support/hostile/served.ts"
import { pingToolCall } from "../../scripts/sandbox/tool-call.ts"

const PING = "/api/token-risk/v1/ping"
const DEEP = "/api/token-risk/v1/deep"
const TOKEN = '{"chain":"base","address":"0x4200000000000000000000000000000000000006"}'
const token = Schema.decodeUnknownSync(Schema.parseJson(TokenRef))(TOKEN)
const paid = { path: PING, body: TOKEN, headers: { "payment-signature": "signed" } }

describe("a bucket", () => {
  it("gives its burst at once, then so many a second, each address its own", () => {
    const { peek, take } = makeBuckets({ burst: 3, perSecond: 2 })
    expect([1, 2, 3].map(() => take("a", 0))).toEqual([0, 0, 0])
    expect(take("a", 0)).toBe(500)
    expect(take("b", 0)).toBe(0)
    expect(peek("a", 490)).toBeGreaterThan(0)
    expect(take("a", 500)).toBe(0)
    expect(take("a", 500)).toBe(500)
    // Never more than the burst, however long it rested.
    expect([1, 2, 3, 4].map(() => take("a", 1e9) > 0)).toEqual([false, false, false, true])
  })

  it("forgets the address unused for longest, and never grows without end", () => {
    const { size, take } = makeBuckets({ burst: 1, perSecond: 1 })
    for (let index = 0; index < 20_100; index++) take(`address ${index}`, 0)
    expect(size()).toBe(20_000)
  })
})

describe("the room for unfinished bodies", () => {
  const MEBIBYTE = 1_048_576

  it("is one megabyte for an address and sixteen for all, and comes back whole", () => {
    const bodies = makeBodyRoom(true)
    const greedy = bodies("greedy")
    expect(greedy.hold(MEBIBYTE)).toBeUndefined()
    expect(bodies("greedy").hold(1)).toBe("address")
    const others = Array.from({ length: 15 }, (_, index) => bodies(`other ${index}`))
    expect(others.map(({ hold }) => hold(MEBIBYTE))).toEqual(others.map(() => undefined))
    expect(bodies("late").hold(1)).toBe("service")
    greedy.release()
    greedy.release()
    expect(bodies("late").hold(MEBIBYTE)).toBeUndefined()
    expect(bodies("later").hold(1)).toBe("service")
  })

  it("has no bound for an address where limits per address are off", () => {
    const bodies = makeBodyRoom(false)
    expect(bodies("proxy").hold(16 * MEBIBYTE)).toBeUndefined()
    expect(bodies("proxy").hold(1)).toBe("service")
  })
})

describe("slots", () => {
  const hold = (slots: ReturnType<typeof makeSlots>, address: string) =>
    Effect.fork(slots.use(address, Effect.never)).pipe(Effect.tap(Effect.repeatN(Effect.yieldNow(), 8)))

  it.effect("are shared: an address that has its share waits, and others go before it", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ slots: 4, slotsPerAddress: 2, waitingPerAddress: 1, waitSeconds: 5 })
      for (let count = 0; count < 3; count++) yield* hold(slots, "greedy")
      expect([slots.inUse(), slots.waiting()]).toEqual([2, 1])
      expect(yield* Effect.flip(slots.use("greedy", Effect.void))).toMatchObject({ isOwnLoad: true })
      expect(yield* Effect.exit(slots.use("other", Effect.succeed(1)))).toMatchObject({ value: 1 })
    })
  )

  it.effect("come back however the work ends: answered, failed, died, cut while it waited", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ slots: 1, slotsPerAddress: 1, waitingPerAddress: 4, waitSeconds: 5 })
      yield* Effect.exit(slots.use("a", Effect.succeed(1)))
      yield* Effect.exit(slots.use("a", Effect.fail("no")))
      yield* Effect.exit(slots.use("a", Effect.die("no")))
      const holder = yield* hold(slots, "a")
      const waiting = yield* hold(slots, "b")
      expect([slots.inUse(), slots.waiting()]).toEqual([1, 1])
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(holder)
      expect([slots.inUse(), slots.waiting()]).toEqual([0, 0])
    })
  )
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
      ["POST", "/checkout/c1/verify"]
    ] as const)
      expect(classOf(method, path)).toBe("checkout")
  })
})

const configured = (values: Readonly<Record<string, string>>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values))))

/** Asks so many times, a few at once; the statuses that came. */
const statuses = (count: number, request: Effect.Effect<{ readonly status: number }>) =>
  Effect.map(
    Effect.all(
      Array.from({ length: count }, () => request),
      { concurrency: 16 }
    ),
    (replies) => [...new Set(replies.map(({ status }) => status))]
  )

describe("admission", () => {
  it.scopedLive("refuses an address beyond its budget with 429, when to come again, and the limit", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      const { burst } = makeRooms(32).documents
      const agent = yield* keptConnections
      const request = ask(port, { path: "/nothing-here", from: ATTACKER, agent })
      expect(yield* statuses(burst, request)).toEqual([404])
      const refused = yield* request
      expect(refused.status).toBe(429)
      expect(refused.headers["retry-after"]).toBe("1")
      expect(refused.headers["ratelimit-policy"]).toBe(`"documents";q=${burst};w=2`)
      expect(refused.headers["ratelimit"]).toBe('"documents";r=0;t=1')
      // Nothing about money: what a payment came to that was sent before is not looked up.
      expect(JSON.parse(refused.text)).toEqual({
        error: "too many requests from this address: send the same request again later"
      })
      expect((yield* ask(port, { path: "/nothing-here", from: HONEST })).status).toBe(404)
      expect((yield* ask(port, { path: "/healthz", from: ATTACKER })).status).toBe(200)
    }).pipe(Effect.provide(served().pipe(Layer.provide(standing))))
  )

  it.scopedLive("gives requests about webhooks a budget of their own, beside the checkout's", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      const replay = { path: "/api/checkout/v1/checkout/c1/events/e1/replay", body: "{}", from: ATTACKER }
      const agent = yield* keptConnections
      expect(yield* statuses(makeRooms(32).webhooks.burst, ask(port, { ...replay, agent }))).toEqual([404])
      const refused = yield* ask(port, replay)
      expect(refused.status).toBe(429)
      expect(refused.headers["ratelimit"]).toMatch(/^"webhooks";r=0/)
      const create = { ...replay, path: "/api/checkout/v1/checkout/create" }
      expect((yield* ask(port, create)).status).toBe(404)
      expect((yield* ask(port, { ...replay, from: HONEST })).status).toBe(404)
    }).pipe(Effect.provide(served().pipe(Layer.provide(standing))))
  )

  it.scopedLive(
    "leaves addresses alone where ADDRESS_LIMITS is off, for a proxy that limits them itself",
    () =>
      Effect.gen(function* () {
        const { port } = yield* Served
        const { burst } = makeRooms(32).webhooks
        const agent = yield* keptConnections
        const request = ask(port, { path: "/api/checkout/v1/merchant", method: "PATCH", body: "{}", agent })
        expect(yield* statuses(2 * burst, request)).toEqual([404])
      }).pipe(
        Effect.provide(
          served().pipe(Layer.provide(standing), Layer.provide(configured({ ADDRESS_LIMITS: "off" })))
        )
      )
  )

  it.scopedLive("counts payments that bought nothing against their address, over HTTP and MCP alike", () => {
    const call = {
      path: "/api/token-risk/mcp",
      headers: { accept: "application/json, text/event-stream" },
      body: pingToolCall(token.address, { "x402/payment": { x402Version: 2, accepted: {}, payload: {} } })
    }
    const unknown = served({ outcome: Effect.fail(new UnknownToken({ token })) })
    return Effect.gen(function* () {
      const { port } = yield* Served
      const agent = yield* keptConnections
      const bought = ask(port, { ...paid, from: ATTACKER, agent })
      const called = ask(port, { ...call, from: ATTACKER, agent })
      expect(yield* statuses(UNPAID_WORK.burst - 2, bought)).toEqual([404])
      expect((yield* called).status).toBe(200)
      expect((yield* called).status).toBe(200)
      expect((yield* bought).status).toBe(429)
      expect((yield* called).status).toBe(429)
      expect((yield* ask(port, paid)).status).toBe(404)
      expect((yield* ask(port, { path: PING, from: ATTACKER })).status).toBe(402)
    }).pipe(Effect.provide(unknown.pipe(Layer.provide(standing))))
  })

  it.scopedLive("lets paid work through while free work has taken all the room it may have", () => {
    let isStuck = true
    const outcome = Effect.suspend(() => (isStuck ? Effect.never : Effect.succeed('{"safe":true}')))
    return Effect.gen(function* () {
      const { load, port } = yield* Served
      const { slots, slotsPerAddress } = makeRooms(32).free
      const asking = yield* Effect.forEach(Array.from({ length: slots + 1 }), (_, index) =>
        Effect.fork(
          ask(port, {
            path: DEEP,
            body: TOKEN,
            headers: { "x-client-id": "me" },
            from: `127.0.0.${20 + Math.floor(index / slotsPerAddress)}`
          })
        )
      )
      const full = yield* eventually(Effect.sync(load), ({ inUse, waiting }) => inUse + waiting > slots)
      expect(full).toEqual({ inUse: slots, waiting: 1 })
      isStuck = false
      expect((yield* ask(port, paid)).status).toBe(200)
      expect((yield* ask(port, { path: "/healthz" })).status).toBe(200)
      yield* Fiber.interruptAll(asking)
    }).pipe(Effect.provide(served({ freeFor: "me", outcome })))
  })
})
