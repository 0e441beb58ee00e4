import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Admission, AdmissionLive } from "../../src/http/admission/admission.ts"
import { makeRooms } from "../../src/http/admission/classes.ts"
import { ClientAddressLive } from "../../src/http/client-address.ts"
import { tried } from "../support/properties.ts"
import {
  type Asked,
  answerAlike,
  ask,
  COINS,
  comparable,
  DEEP,
  openWith,
  PING,
  runs,
  WETH,
  WSOL
} from "../support/two-ways.ts"

const open = openWith(undefined)

const address = fc.oneof(
  fc.constantFrom(WETH, WSOL, WETH.toUpperCase().replace("0X", "0x"), "0x12", `${WSOL}1`, "", `${WETH}0`),
  fc.constantFrom(...COINS.map(([, coin]) => coin)),
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
    "content-encoding": fc.constantFrom("gzip", "br", "identity"),
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

const member = fc.oneof(
  chain,
  address,
  fc.constantFrom<unknown>(null, 1, true, [], ["base"], {}, { chain: "base" }),
  fc.string({ maxLength: 60, unit: "grapheme" })
)

/** Unpaid calls of which most are wrong in one way or another. */
const unpaidInput: fc.Arbitrary<Asked> = fc
  .record({
    path: fc.constantFrom(PING, DEEP),
    query: fc.oneof(
      query,
      fc.record({ chain, address }, { requiredKeys: [] }).map((members) => `?${new URLSearchParams(members)}`)
    ),
    body: fc.oneof(
      fc
        .record({ chain: member, address: member, more: member }, { requiredKeys: [] })
        .map((value) => JSON.stringify(value)),
      fc.json({ maxDepth: 2 }),
      fc.nat(80).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`),
      fc.constantFrom(
        '{"chain":',
        '{"chain":"base",}',
        "{'chain':1}",
        "undefined",
        " \t",
        "[1",
        '"',
        "\u00e9"
      )
    ),
    isPost: fc.boolean(),
    late: fc.boolean()
  })
  .map(({ body, isPost, late, path, query }) =>
    isPost
      ? { method: "POST", path, headers: { "content-type": "application/json" }, body, late }
      : { method: "GET", path: path + query, headers: {}, body: undefined, late: false }
  )

const usual: ReadonlyArray<Asked> = [
  { method: "GET", path: PING, headers: {}, body: undefined, late: false },
  { method: "GET", path: `${DEEP}?chain=base&address=${WETH}`, headers: {}, body: undefined, late: false },
  { method: "GET", path: `${PING}?address=${WSOL}&chain=solana`, headers: {}, body: undefined, late: false },
  {
    method: "POST",
    path: PING,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ chain: "solana", address: WSOL }),
    late: false
  },
  { method: "POST", path: PING, headers: {}, body: undefined, late: false },
  { method: "GET", path: "/llms.txt", headers: { "x-request-id": "mine" }, body: undefined, late: false }
]

/** Calls for what is no token, by every method. */
const forCoins: ReadonlyArray<Asked> = COINS.flatMap(([chain, address]) => [
  {
    method: "GET",
    path: `${PING}?chain=${chain}&address=${address}`,
    headers: {},
    body: undefined,
    late: false
  },
  {
    method: "POST",
    path: PING,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ chain, address }),
    late: false
  }
])

/** Calls of somebody who must pay, by every method, with an id and without. */
const unpaid: ReadonlyArray<Asked> = [{}, { "x-client-id": "somebody" }].flatMap((caller) => [
  {
    method: "GET",
    path: `${DEEP}?chain=base&address=${WETH}`,
    headers: caller,
    body: undefined,
    late: false
  },
  {
    method: "POST",
    path: DEEP,
    headers: { ...caller, "content-type": "application/json" },
    body: JSON.stringify({ chain: "base", address: WETH }),
    late: false
  }
])

describe("the fast path", () => {
  it.scopedLive("answers every request as the long way does: status, headers and body", () =>
    Effect.flatMap(open, (ways) => answerAlike(ways, asked, tried(250, 80)))
  )

  it.scopedLive("rejects every input as the long way does: status, headers and body", () =>
    Effect.flatMap(open, (ways) => answerAlike(ways, unpaidInput, tried(400, 120)))
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

  it.scopedLive("asks nobody to pay for a chain's own coin, which cannot be screened", () =>
    Effect.gen(function* () {
      const { agent, fast, long } = yield* open
      for (const one of forCoins) {
        const quick = yield* Effect.promise(() => ask(fast, agent, one))
        expect([quick.status, quick.body]).toEqual([400, expect.stringContaining("is no token")])
        const slow = yield* Effect.promise(() => ask(long, agent, one))
        expect(comparable(quick, one)).toEqual(comparable(slow, one))
      }
    })
  )

  it.scopedLive("gives each method its own challenge as it is now, also to who has no free calls left", () =>
    Effect.gen(function* () {
      let terms = "a fee payer"
      const known = { text: '{"verdict":"allow","free":true}', isCountable: true }
      const { agent, fast } = yield* openWith(undefined, { terms: () => terms, known })
      for (terms of ["a fee payer", "another fee payer"])
        for (const one of unpaid) {
          const { body, status } = yield* Effect.promise(() => ask(fast, agent, one))
          expect([status, JSON.parse(body).resource.description]).toEqual([402, `${terms}, ${one.method}`])
        }
    })
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
