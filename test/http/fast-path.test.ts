import { HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Context, Deferred, Effect, Layer, Logger, LogLevel } from "effect"
import fc from "fast-check"
import { Agent, request as send } from "node:http"
import { Admission, AdmissionLive } from "../../src/http/admission/admission.ts"
import { makeRooms } from "../../src/http/admission/classes.ts"
import { ClientAddressLive } from "../../src/http/client-address.ts"
import {
  PayerMustWait,
  PaymentConflict,
  PaymentRejected,
  PaymentUnavailable,
  PaymentUnresolved
} from "../../src/domain/errors.ts"
import { PaymentDue } from "../../src/operations/operations.ts"
import type { FakeChannel } from "../support/channels.ts"
import { Served, served } from "../support/hostile/served.ts"

const WETH = "0x4200000000000000000000000000000000000006"
const WSOL = "So11111111111111111111111111111111111111112"
const PING = "/api/token-risk/v1/ping"
const DEEP = "/api/token-risk/v1/deep"

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The body comes in two pieces, the second one later. */
  readonly late: boolean
}

interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const ask = (port: number, agent: Agent, asked: Asked): Promise<Told> =>
  new Promise((resolve, reject) => {
    const { body, headers, late, method, path } = asked
    const call = send({ host: "127.0.0.1", port, agent, method, path, headers }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("utf8")
        })
      )
    })
    call.on("error", reject)
    if (body === undefined) call.end()
    else if (late) {
      const half = Math.floor(body.length / 2)
      call.write(body.slice(0, half))
      setImmediate(() => call.end(body.slice(half)))
    } else call.end(body)
  })

const UUID = /^[0-9a-f-]{36}$/

/** What both ways must agree on: everything but the time, and an id that was made up on the way. */
const comparable = ({ body, headers, status }: Told, asked: Asked) => {
  const { date: _date, "x-request-id": id, ...others } = headers
  // A preflight has no id.
  const isMade = id !== undefined && asked.headers["x-request-id"] !== id
  if (isMade) expect(id).toMatch(UUID)
  return { status, body, headers: { ...others, id: isMade ? "made" : id } }
}

const runs = { fast: 0, long: 0 }
const DOCUMENT = HttpServerResponse.text("# words", {
  contentType: "text/plain; charset=utf-8",
  headers: { "cache-control": "public, max-age=300" }
})

const quiet = Logger.minimumLogLevel(LogLevel.None)
/** With a line for every request there is no fast path. */
const loggingAll = Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["ACCESS_LOG", "true"]])))

const openWith = (outcome: FakeChannel["outcome"]) =>
  Effect.gen(function* () {
    const channel = (name: keyof typeof runs) =>
      served({
        freeFor: "me",
        onRun: () => (runs[name] += 1),
        documents: { "/llms.txt": DOCUMENT },
        ...(outcome === undefined ? {} : { outcome })
      })
    const fast = yield* Layer.build(Layer.fresh(channel("fast")))
    const long = yield* Layer.build(Layer.fresh(channel("long")).pipe(Layer.provide(loggingAll)))
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 4 })),
      (agent) => Effect.sync(() => agent.destroy())
    )
    return { fast: Context.get(fast, Served).port, long: Context.get(long, Served).port, agent }
  }).pipe(Effect.provide(quiet))

const open = openWith(undefined)

const PAID = { "payment-signature": "signed" }

const posted = (body: unknown): Asked => ({
  method: "POST",
  path: PING,
  headers: { ...PAID, "content-type": "application/json", "x-request-id": "mine" },
  body: JSON.stringify(body),
  late: false
})

const paidCalls: ReadonlyArray<Asked> = [
  posted({ chain: "base", address: WETH }),
  { ...posted({ address: WSOL, chain: "solana" }), path: DEEP },
  { method: "GET", path: `${DEEP}?chain=base&address=${WETH}`, headers: PAID, body: undefined, late: false }
]

const network = "eip155:8453"

/** What a sale may come to: every kind of answer, and a bug. */
const outcomes: ReadonlyArray<FakeChannel["outcome"]> = [
  Effect.succeed('{"safe":true}'),
  Effect.fail(new PaymentRejected({ reason: "invalid_exact_evm_signature", network })),
  Effect.fail(new PaymentUnresolved({ retryAfterSeconds: 2 })),
  Effect.fail(new PaymentUnavailable({ upstream: "base-rpc" })),
  Effect.fail(new PayerMustWait({ payer: WETH, retryAfterSeconds: 7 })),
  Effect.fail(new PaymentConflict({ payer: WETH })),
  Effect.fail(new PaymentDue()),
  Effect.dieMessage("a bug")
]

const address = fc.oneof(
  fc.constantFrom(WETH, WSOL, WETH.toUpperCase().replace("0X", "0x"), "0x12", `${WSOL}1`, "", `${WETH}0`),
  fc.string({ maxLength: 50 })
)
const chain = fc.constantFrom("base", "solana", "Base", "ethereum", "")
const pair = fc.tuple(chain, address)

const query = fc.oneof(
  fc.constantFrom("", `?chain=base&address=${WETH}`, `?address=${WSOL}&chain=solana`, "?", "?x=1"),
  pair.map(([c, a]) => `?chain=${c}&address=${encodeURIComponent(a)}`),
  pair.map(([c, a]) => `?chain=${c}&address=${encodeURIComponent(a)}&chain=${c}`),
  pair.map(([c, a]) => `?address=${encodeURIComponent(a)}&chain=${c}&utm=1`)
)

const path = fc.constantFrom(
  PING,
  DEEP,
  PING.toUpperCase(),
  `${PING}/`,
  `/${DEEP}`,
  "/llms.txt",
  "/LLMS.txt",
  "/llms.txt/",
  "/healthz",
  "/nothing"
)

const body = fc.option(
  fc.oneof(
    fc.constantFrom("", "{}", "[]", "null", "{", `{"chain":"base","address":"${WETH}"}`, " {} "),
    pair.map(([c, a]) => JSON.stringify({ chain: c, address: a })),
    pair.map(([c, a]) => JSON.stringify({ address: a, chain: c, more: [1, { deep: true }] })),
    pair.map(([c, a]) => `{"chain":"base","chain":${JSON.stringify(c)},"address":${JSON.stringify(a)}}`),
    fc.constantFrom(
      `{"__proto__":{},"chain":"base","address":"${WETH}"}`,
      `\ufeff{}`,
      '{"chain":1,"address":2}'
    ),
    fc.string({ maxLength: 300 })
  ),
  { nil: undefined }
)

const headers = fc.record(
  {
    "content-type": fc.constantFrom(
      "application/json",
      "application/json; charset=utf-8",
      "application/json;charset=latin1",
      "application/problem+json",
      "text/plain"
    ),
    "x-request-id": fc.constantFrom("abc-1", "not plain", "x".repeat(129)),
    "x-client-id": fc.constantFrom("me", "somebody", "two words", ""),
    "payment-signature": fc.constantFrom("garbage", "signed", ""),
    origin: fc.constantFrom("https://agent.test", "null"),
    accept: fc.constantFrom("text/html", "*/*"),
    traceparent: fc.constant("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
  },
  { requiredKeys: [] }
)

const asked: fc.Arbitrary<Asked> = fc
  .record({
    method: fc.constantFrom("GET", "GET", "POST", "POST", "HEAD", "OPTIONS", "PUT"),
    path: fc.tuple(path, query).map((parts) => parts.join("")),
    headers,
    body,
    late: fc.boolean()
  })
  // A body is sent with its length or in chunks; what cannot be sent at all is not asked.
  .map((one) => (one.method === "POST" || one.method === "PUT" ? one : { ...one, body: undefined }))

const usual: ReadonlyArray<Asked> = [
  { method: "GET", path: PING, headers: {}, body: undefined, late: false },
  { method: "GET", path: `${DEEP}?chain=base&address=${WETH}`, headers: {}, body: undefined, late: false },
  { method: "GET", path: `${PING}?address=${WSOL}&chain=solana`, headers: {}, body: undefined, late: false },
  { ...posted({ chain: "solana", address: WSOL }), headers: { "content-type": "application/json" } },
  { method: "POST", path: PING, headers: {}, body: undefined, late: false },
  { method: "GET", path: "/llms.txt", headers: { "x-request-id": "mine" }, body: undefined, late: false }
]

describe("the fast path", () => {
  it.scopedLive("answers every request as the long way does: status, headers and body", () =>
    Effect.gen(function* () {
      const { agent, fast, long } = yield* open
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(asked, async (one) => {
            const [quick, slow] = await Promise.all([ask(fast, agent, one), ask(long, agent, one)])
            expect(comparable(quick, one)).toEqual(comparable(slow, one))
          }),
          { numRuns: 250 }
        )
      )
    })
  )

  it.scopedLive("gives prices and documents without a step of the application", () =>
    Effect.gen(function* () {
      const { agent, fast, long } = yield* open
      for (const one of usual) {
        const before = runs.fast
        const quick = yield* Effect.promise(() => ask(fast, agent, one))
        expect(runs.fast).toBe(before)
        const slow = yield* Effect.promise(() => ask(long, agent, one))
        expect(comparable(quick, one)).toEqual(comparable(slow, one))
      }
    })
  )

  it.scopedLive("answers every paid call as the long way does, whatever the sale comes to", () =>
    Effect.gen(function* () {
      for (const outcome of outcomes) {
        const { agent, fast, long } = yield* openWith(outcome)
        for (const one of paidCalls) {
          const before = { ...runs }
          const [quick, slow] = yield* Effect.promise(() =>
            Promise.all([ask(fast, agent, one), ask(long, agent, one)])
          )
          expect(comparable(quick, one)).toEqual(comparable(slow, one))
          expect([runs.fast - before.fast, runs.long - before.long]).toEqual([1, 1])
        }
      }
    })
  )

  it.scopedLive("ends the work for a payer who has gone, and gives the slot back", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const outcome = Deferred.succeed(begun, undefined).pipe(
        Effect.zipRight(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
      )
      const channel = yield* Layer.build(Layer.fresh(served({ outcome })))
      const { load, port } = Context.get(channel, Served)
      const call = send({
        host: "127.0.0.1",
        port,
        path: `${PING}?chain=base&address=${WETH}`,
        headers: PAID
      })
      call.on("error", () => {})
      call.end()
      yield* Deferred.await(begun)
      expect(load().inUse).toBe(1)
      call.destroy()
      yield* Deferred.await(ended)
      yield* Effect.yieldNow().pipe(Effect.repeat({ until: () => load().inUse === 0 }))
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("spends the budget of an address, and leaves to the long way who has none", () =>
    Effect.gen(function* () {
      const { admitAtOnce } = yield* Admission
      const admitted = (address: string) =>
        Array.from({ length: 3_000 }, () => admitAtOnce("challenge", address, 0)).filter(Boolean).length
      const budget = makeRooms(32).challenge.burst
      expect([admitted("192.0.2.1"), admitted("192.0.2.2")]).toEqual([budget, budget])
      expect(admitAtOnce("documents", "192.0.2.1", 0)).toBe(true)
      expect(admitAtOnce("challenge", "192.0.2.1", 1_000)).toBe(true)
    }).pipe(Effect.provide(AdmissionLive), Effect.provide(ClientAddressLive))
  )
})
