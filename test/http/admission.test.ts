import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer, Schema } from "effect"
import { UnknownToken } from "../../src/domain/errors.ts"
import { TokenRef } from "../../src/domain/token.ts"
import { makeRooms } from "../../src/http/admission/classes.ts"
import { UNPAID_WORK } from "../../src/http/admission/places.ts"
import { standing } from "../support/clocks.ts"
import { ask, ATTACKER, eventually, HONEST, keptConnections } from "../support/hostile/clients.ts"
import { Served, served } from "../support/hostile/served.ts"
import { pingToolCall } from "../../scripts/sandbox/tool-call.ts"

const PING = "/api/token-risk/v1/ping"
const DEEP = "/api/token-risk/v1/deep"
const TOKEN = '{"chain":"base","address":"0x4200000000000000000000000000000000000006"}'
const token = Schema.decodeUnknownSync(Schema.parseJson(TokenRef))(TOKEN)
const paid = { path: PING, body: TOKEN, headers: { "payment-signature": "signed" } }

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
