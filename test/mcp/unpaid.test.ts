import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { tried } from "../support/properties.ts"
import {
  type Asked,
  answerAlike,
  ask,
  COINS,
  comparable,
  openWith,
  runs,
  WETH,
  WSOL
} from "../support/two-ways.ts"

const PATH = "/api/token-risk/mcp"
const PING = "check_token_safety_ping"
const DEEP = "check_token_risk_deep"

const asOfficialClient = { accept: "application/json, text/event-stream", "content-type": "application/json" }

const called = (message: unknown, headers: Readonly<Record<string, string>> = {}): Asked => ({
  method: "POST",
  path: PATH,
  headers: { ...asOfficialClient, ...headers },
  body: typeof message === "string" ? message : JSON.stringify(message),
  late: false
})

const callOf = (id: unknown, params: unknown) => ({ method: "tools/call", params, jsonrpc: "2.0", id })
const token = { chain: "base", address: WETH }
const usual = callOf(1, { name: PING, arguments: token })

const forDeep = JSON.stringify(callOf("a", { name: DEEP, arguments: token, _meta: {} }))

const id = fc.oneof(
  fc.nat(),
  fc.string({ maxLength: 20, unit: "grapheme" }),
  fc.constantFrom<unknown>(0, -1, 1.5, 2 ** 53, 1e300, "", '"}', "\u2028é", null, [], {}, true)
)
const input = fc.oneof(
  fc.constantFrom<unknown>(
    token,
    { address: WSOL, chain: "solana" },
    { ...token, more: 1 },
    { chain: "base" },
    { chain: "base", address: "0x12" },
    { chain: "Base", address: WETH },
    [],
    null,
    "base"
  ),
  fc.record({
    chain: fc.constantFrom("base", "solana"),
    address: fc.constantFrom(WETH, WSOL, `${WETH}0`, "", ...COINS.map(([, coin]) => coin))
  })
)
const meta = fc.constantFrom<unknown>(
  {},
  { progressToken: 1 },
  { "x402/payment": {} },
  { "x402/payment": null },
  { "token-risk/client-id": "me" },
  { "token-risk/client-id": "two words" },
  { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
  null,
  [],
  "meta"
)
const params = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ name: fc.constantFrom(PING, DEEP, "toString", ""), arguments: input })
  },
  fc.record(
    { name: fc.constantFrom<unknown>(PING, DEEP, 1, null), arguments: input, _meta: meta, more: meta },
    {
      requiredKeys: ["name"]
    }
  ),
  fc.constantFrom<unknown>(null, [], {}, "params")
)
const message = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(id, params).map(([one, of]) => callOf(one, of)) },
  fc.record(
    {
      jsonrpc: fc.constantFrom<unknown>("2.0", "1.0", 2),
      method: fc.constantFrom("tools/call", "tools/list", "Tools/call"),
      params,
      id,
      more: meta
    },
    { requiredKeys: ["method"] }
  )
)
const text = fc.oneof(
  { weight: 6, arbitrary: message.map((one) => JSON.stringify(one)) },
  message.map((one) => `[${JSON.stringify(one)}]`),
  message.map((one) => `\ufeff${JSON.stringify(one, undefined, 1)}`),
  message.map((one) => JSON.stringify(one).replace(/}$/, ',"id":7}')),
  fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    '{"__proto__":{},"jsonrpc":"2.0"}',
    JSON.stringify(usual).padEnd(600)
  )
)
/** One or two that are not the usual client's: of many, one alone would make every request the long way's. */
const headers = fc
  .array(
    fc.constantFrom<readonly [string, ...ReadonlyArray<string>]>(
      ["mcp-protocol-version", "2025-11-25", "2025-06-18", "2024-11-05", "2026-07-28", "1999-01-01", ""],
      ["mcp-session-id", "mine"],
      ["mcp-method", "tools/call"],
      ["accept", "application/json", "text/event-stream", "*/*", "text/event-stream, application/json"],
      ["content-type", "application/json; charset=utf-8", "text/plain", "application/problem+json"],
      ["content-encoding", "gzip", "identity"],
      ["x-request-id", "abc-1", "not plain"],
      ["x-client-id", "me", "me", "two words"],
      ["x-forwarded-for", "192.0.2.1"],
      ["payment-signature", "signed"],
      ["user-agent", "agent/1"],
      ["origin", "https://risk.test", "https://evil.test", "null"],
      ["connection", "close", "keep-alive"],
      ["expect", "100-continue"]
    ),
    { maxLength: 2 }
  )
  .chain((some) =>
    fc.tuple(
      ...some.map(([name, ...values]) => fc.constantFrom(...values).map((value) => [name, value] as const))
    )
  )
  .map((some) => Object.fromEntries(some))
const asked = fc
  .record({
    // Two thirds of them with nothing wrong but a header or the id.
    text: fc.oneof(
      fc.constantFrom(JSON.stringify(usual), forDeep),
      id.map((one) => JSON.stringify(callOf(one, usual.params))),
      text
    ),
    headers,
    late: fc.boolean()
  })
  .map(({ headers: own, late, text: body }): Asked => ({ ...called(body, own), late }))

const open = openWith(undefined)

describe("an unpaid call of a tool", () => {
  it.scopedLive("is answered by the short way as by the long one: status, headers and body", () =>
    Effect.flatMap(open, (ways) => answerAlike(ways, asked, tried(400, 120)))
  )

  it.scopedLive("of every usual client is given its price without a step of the application", () =>
    Effect.gen(function* () {
      const { agent, fast, long } = yield* open
      const solana = callOf("one", { name: DEEP, arguments: { chain: "solana", address: WSOL }, _meta: {} })
      const all = [
        called(usual),
        called(solana, { "mcp-protocol-version": "2025-11-25", "user-agent": "agent/1" }),
        called(usual, { "mcp-protocol-version": "2025-06-18", "x-forwarded-for": "192.0.2.1", "cf-ray": "1" })
      ]
      for (const one of all) {
        const before = runs.fast
        const quick = yield* Effect.promise(() => ask(fast, agent, one))
        expect(runs.fast).toBe(before)
        expect(quick.body).toContain("x402/error")
        const slow = yield* Effect.promise(() => ask(long, agent, one))
        expect(comparable(quick, one)).toEqual(comparable(slow, one))
      }
    })
  )

  it.scopedLive(
    "that cannot be sold, or is no message of the protocol, is told so as the long way does",
    () =>
      Effect.gen(function* () {
        const { agent, fast, long } = yield* open
        const all = [
          ...COINS.map(([chain, address]) => callOf(1, { name: PING, arguments: { chain, address } })),
          ...[null, [], "meta", 0, false].map((_meta) => callOf(1, { name: PING, arguments: token, _meta }))
        ]
        for (const one of all.map((sent) => called(sent))) {
          const quick = yield* Effect.promise(() => ask(fast, agent, one))
          expect(quick.body).not.toContain("x402/error")
          const slow = yield* Effect.promise(() => ask(long, agent, one))
          expect(comparable(quick, one)).toEqual(comparable(slow, one))
        }
      })
  )

  it.scopedLive("is told the price as it is now", () =>
    Effect.gen(function* () {
      let terms = "a fee payer"
      const { agent, fast } = yield* openWith(undefined, { terms: () => terms })
      for (terms of ["a fee payer", "another fee payer"]) {
        const { body } = yield* Effect.promise(() => ask(fast, agent, called(usual)))
        expect(body).toContain(`${terms}, mcp`)
      }
    })
  )

  it.scopedLive("that names a payment or a caller is the application's", () =>
    Effect.gen(function* () {
      const { agent, fast } = yield* open
      for (const _meta of [{ "x402/payment": {} }, { "token-risk/client-id": "me" }]) {
        const before = runs.fast
        const one = called(callOf(1, { name: DEEP, arguments: token, _meta }))
        yield* Effect.promise(() => ask(fast, agent, one))
        expect(runs.fast).toBe(before + 1)
      }
    })
  )
})
