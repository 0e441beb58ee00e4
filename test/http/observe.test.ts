import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, HashMap, Layer, Logger, Schema } from "effect"
import { PaymentRejected, UnknownToken, UpstreamError } from "../../src/domain/errors.ts"
import { TokenRef } from "../../src/domain/token.ts"
import { ask, eventually } from "../support/hostile/clients.ts"
import { Served, served } from "../support/hostile/served.ts"
import type { FakeChannel } from "../support/channels.ts"

const PING = "/api/token-risk/v1/ping"
const TOKEN = Schema.decodeUnknownSync(TokenRef)({
  chain: "base",
  address: "0x4200000000000000000000000000000000000006"
})
const body = JSON.stringify(TOKEN)
const mcp = (params: unknown) => ({
  path: "/api/token-risk/mcp",
  headers: { accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
})
const PAYMENT = { "x402/payment": { x402Version: 2, accepted: {}, payload: {} } }

/** What the channel of these tests is paid by. */
const SOLD = { transaction: "tx" }

type Line = Readonly<Record<string, unknown>>

/** A served channel, and the request lines it has logged. */
const observed = (channel: FakeChannel, environment: ReadonlyArray<readonly [string, string]> = []) => {
  const lines: Array<Line> = []
  const logger = Logger.make(({ annotations, message }) => {
    if (Array.isArray(message) && message[0] === "request")
      lines.push(Object.fromEntries(HashMap.toEntries(annotations)))
  })
  const layer = served(channel).pipe(
    Layer.provide(Logger.replace(Logger.defaultLogger, logger)),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(environment))))
  )
  const logged = (count: number) =>
    eventually(
      Effect.sync(() => lines),
      ({ length }) => length >= count
    )
  return { layer, logged }
}

describe("a request's id", () => {
  it.scopedLive("is the caller's own when it is a plain one, else a new one, on answers and errors", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      const idOf = (path: string, headers: Readonly<Record<string, string>>) =>
        Effect.map(ask(port, { path, headers }), (reply) => reply.headers["x-request-id"])
      for (const path of ["/healthz", PING, "/nowhere", `${PING}?chain=moon&address=x`]) {
        expect(yield* idOf(path, { "x-request-id": "my-request.1" })).toBe("my-request.1")
        expect(yield* idOf(path, { "x-request-id": 'line"break\t' })).toMatch(/^[0-9a-f-]{36}$/)
        expect(yield* idOf(path, { "x-request-id": "x".repeat(129) })).toMatch(/^[0-9a-f-]{36}$/)
        expect(yield* idOf(path, {})).toMatch(/^[0-9a-f-]{36}$/)
      }
    }).pipe(Effect.provide(served()))
  )
})

describe("the request log", () => {
  const unknown = Effect.fail(new UnknownToken({ token: TOKEN }))
  const down = Effect.fail(new UpstreamError({ upstream: "database", kind: "timeout", detail: "" }))
  const signed = { path: PING, body, headers: { "payment-signature": "signed", "x-request-id": "one" } }
  const free = {
    path: "/api/token-risk/v1/deep",
    body,
    headers: { "x-client-id": "me", "x-request-id": "one" }
  }
  const call = (meta: object) => {
    const { headers, ...rest } = mcp({ name: "check_token_safety_ping", arguments: TOKEN, _meta: meta })
    return { ...rest, headers: { ...headers, "x-request-id": "one" } }
  }

  it.scopedLive.each([
    ["paid", {}, signed, { class: "paid", status: 200, paid: true, free: false, costUsd: "0.005", ...SOLD }],
    ["free", { freeFor: "me" }, free, { class: "free", status: 200, paid: false, free: true, costUsd: "0" }],
    ["refused", { outcome: unknown }, signed, { class: "paid", status: 404, paid: false, costUsd: "0" }],
    [
      "not paid by the payment that came along",
      { outcome: Effect.fail(new PaymentRejected({ reason: "invalid_network" })) },
      signed,
      { class: "paid", status: 402, paid: false, costUsd: "0", reason: "invalid_network" }
    ],
    ["failed", { outcome: down }, signed, { class: "paid", status: 503, paid: false, costUsd: "0" }],
    [
      "rejected",
      {},
      { path: PING, body: '{"chain":"base","address":"0x12"}', headers: { "x-request-id": "one" } },
      { class: "challenge", status: 400, paid: false, free: false, costUsd: "0", method: "POST" }
    ],
    [
      "paid over MCP",
      {},
      call(PAYMENT),
      { class: "paid", status: 200, paid: true, costUsd: "0.005", ...SOLD }
    ],
    [
      "refused over MCP",
      { outcome: unknown },
      call(PAYMENT),
      { class: "paid", paid: false, failure: "UnknownToken" }
    ],
    [
      "failed over MCP",
      { outcome: down },
      call(PAYMENT),
      { class: "paid", paid: false, failure: "UpstreamError" }
    ]
  ] as const)(
    "has one line for a request that was %s, with class and cost",
    ([_name, channel, request, line]) => {
      const { layer, logged } = observed(channel)
      return Effect.gen(function* () {
        const { port } = yield* Served
        yield* ask(port, { ...request, path: `${request.path}?secret=query` })
        // Prices asked and pages that are not there are what every crawler does: no line.
        yield* ask(port, { path: PING })
        yield* ask(port, { path: "/nowhere" })
        yield* ask(port, { ...request, headers: { ...request.headers, "x-request-id": "two" } })
        const lines = yield* logged(2)
        expect(lines.map(({ requestId }) => requestId)).toEqual(["one", "two"])
        for (const one of lines) expect(one).toMatchObject({ ...line, path: request.path })
        expect(JSON.stringify(lines)).not.toContain("secret")
      }).pipe(Effect.provide(layer))
    }
  )
})

describe("the access log", () => {
  const quiet = [
    { path: PING, status: 402 },
    { path: PING, body, status: 402 },
    { path: "/healthz", status: 200 },
    { path: "/nowhere", status: 404 }
  ]
  const askAll = Effect.gen(function* () {
    const { port } = yield* Served
    for (const { status, ...request } of quiet) expect((yield* ask(port, request)).status).toBe(status)
  })

  it.scopedLive("has a line for every request with ACCESS_LOG, prices from memory and health too", () => {
    const { layer, logged } = observed({}, [["ACCESS_LOG", "true"]])
    return Effect.gen(function* () {
      yield* askAll
      const lines = yield* logged(quiet.length)
      expect(lines.map(({ path, status }) => ({ path, status }))).toEqual(
        quiet.map(({ path, status }) => ({ path, status }))
      )
    }).pipe(Effect.provide(layer))
  })

  it.scopedLive("has none of them without it", () => {
    const { layer, logged } = observed({ outcome: Effect.fail(new UnknownToken({ token: TOKEN })) })
    return Effect.gen(function* () {
      const { port } = yield* Served
      yield* askAll
      // A line that is always there: what came before it would be there too.
      yield* ask(port, { path: PING, body, headers: { "payment-signature": "signed" } })
      expect(yield* logged(1)).toMatchObject([{ path: PING, status: 404, class: "paid" }])
    }).pipe(Effect.provide(layer))
  })
})
