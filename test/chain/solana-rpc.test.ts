import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either } from "effect"
import * as fc from "fast-check"
import type { IncomingMessage, ServerResponse } from "node:http"
import { parseJsonKeepingIntegers } from "../../src/chain/solana-dialect.ts"
import type { TransportLimits } from "../../src/chain/solana-rpc.ts"
import { defaultLimits, makeSolanaRpcWith } from "../../src/chain/solana-rpc.ts"
import { SolanaAddress } from "../../src/domain/address.ts"
import { serve } from "../support/market/upstream.ts"

const TOKEN_PROGRAM = SolanaAddress.make("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
const MINT = SolanaAddress.make("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")

interface Call {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  readonly id: number
}
type Reply = (call: Call, response: ServerResponse) => void

const readBody = async (request: IncomingMessage): Promise<Call> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString("utf8"))
}

/** A JSON-RPC node on a free port; gives its URL and the calls it saw. */
const node = (reply: Reply) => {
  const calls: Array<Call> = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const call = await readBody(request)
    calls.push(call)
    reply(call, response)
  }
  return Effect.map(
    serve((request, response) => void answer(request, response)),
    ({ url }) => ({ url, calls })
  )
}

const result = (call: Call, response: ServerResponse, body: string) =>
  response.end(`{"jsonrpc":"2.0","id":${call.id},"result":${body}}`)
const status =
  (code: number): Reply =>
  (_call, response) => {
    response.statusCode = code
    response.end("busy")
  }

const oneAccount = (lamports: string, extra = "") =>
  `{"context":{"slot":7},"value":[{"owner":"${TOKEN_PROGRAM}","lamports":${lamports},"data":["AQID","base64"],"executable":false,"rentEpoch":18446744073709551615${extra}}]}`

const connect = (urls: string, limits: Partial<TransportLimits> = {}) =>
  makeSolanaRpcWith({ ...defaultLimits, ...limits }).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["SOLANA_RPC_URL", urls]])))
  )

describe("makeSolanaRpc", () => {
  it.scopedLive("keeps every digit of a u64 beyond 2^53", () =>
    Effect.gen(function* () {
      const server = yield* node((call, response) =>
        result(call, response, oneAccount("18446744073709551615"))
      )
      const rpc = yield* connect(server.url)
      const { accounts, slot } = yield* rpc.getAccounts([MINT])
      expect(slot).toBe(7n)
      expect(accounts[0]?.lamports).toBe(18_446_744_073_709_551_615n)
      expect([...(accounts[0]?.data ?? [])]).toEqual([1, 2, 3])
      expect(server.calls[0]?.params).toEqual([[MINT], { commitment: "confirmed", encoding: "base64" }])
    })
  )

  for (const [name, reply] of [
    ["answers 429", status(429)],
    ["answers 503", status(503)],
    ["refuses with 403", status(403)],
    ["drops the connection", (_call: Call, response: ServerResponse) => response.destroy()],
    ["answers no JSON", (_call: Call, response: ServerResponse) => response.end("<html>")],
    [
      "answers another request",
      (_call: Call, response: ServerResponse) => response.end(`{"id":-1,"result":null}`)
    ],
    [
      "says it is behind",
      (call: Call, response: ServerResponse) =>
        response.end(`{"id":${call.id},"error":{"code":-32005,"message":"behind"}}`)
    ],
    ["never answers", () => undefined]
  ] satisfies ReadonlyArray<readonly [string, Reply]>) {
    it.scopedLive(`falls over to the next URL when the first ${name}`, () =>
      Effect.gen(function* () {
        const bad = yield* node(reply)
        const good = yield* node((call, response) => result(call, response, oneAccount("1")))
        // Long enough for the one that answers, on a machine that has much else to do; only silence takes all of it.
        const rpc = yield* connect(`${bad.url},${good.url}`, { attemptTimeout: "2 seconds" })
        const { accounts } = yield* rpc.getAccounts([MINT])
        expect(accounts).toHaveLength(1)
        expect(good.calls).toHaveLength(1)
      })
    )
  }

  it.scopedLive(
    "asks the next node where the first has not come to a slot, and takes no older answer from one that does not mind",
    () =>
      Effect.gen(function* () {
        const refuses = yield* node((call, response) =>
          response.end(`{"id":${call.id},"error":{"code":-32016,"message":"Minimum context slot"}}`)
        )
        const good = yield* node((call, response) => result(call, response, oneAccount("1")))
        const rpc = yield* connect(`${refuses.url},${good.url}`)
        const { slot } = yield* rpc.getAccounts([MINT], { notBefore: 7n })
        expect(slot).toBe(7n)
        expect(good.calls[0]?.params[1]).toMatchObject({ minContextSlot: 7 })
        const late = yield* Effect.either(rpc.getAccounts([MINT], { notBefore: 8n }))
        expect(late).toMatchObject({ left: { kind: "malformed" } })
      })
  )

  it.scopedLive("rests an endpoint that failed, so the next call starts with the healthy one", () =>
    Effect.gen(function* () {
      const bad = yield* node(status(503))
      const good = yield* node((call, response) => result(call, response, oneAccount("1")))
      const rpc = yield* connect(`${bad.url},${good.url}`)
      yield* rpc.getAccounts([MINT])
      yield* rpc.getAccounts([MINT])
      expect(bad.calls).toHaveLength(1)
      expect(good.calls).toHaveLength(2)
    })
  )

  it.scopedLive("repeats once on a passing failure of the only endpoint, and no more", () =>
    Effect.gen(function* () {
      const server = yield* node(status(503))
      const rpc = yield* connect(server.url)
      const outcome = yield* Effect.either(rpc.getAccounts([MINT]))
      expect(server.calls).toHaveLength(2)
      expect(Either.isLeft(outcome) && outcome.left).toMatchObject({
        upstream: "solana-rpc",
        kind: "transport"
      })
    })
  )

  it.scopedLive("does not repeat what a node rejects, such as a method it lacks", () =>
    Effect.gen(function* () {
      const server = yield* node((call, response) =>
        response.end(`{"id":${call.id},"error":{"code":-32601,"message":"Method not found"}}`)
      )
      const rpc = yield* connect(server.url)
      const outcome = yield* Effect.either(rpc.getLargestTokenAccounts(MINT))
      expect(server.calls).toHaveLength(1)
      expect(Either.isLeft(outcome) && outcome.left.kind).toBe("rejected")
    })
  )

  for (const [name, body] of [
    ["fewer accounts than asked", `{"context":{"slot":7},"value":[]}`],
    [
      "an owner that is no address",
      `{"context":{"slot":7},"value":[{"owner":"x","lamports":1,"data":["","base64"]}]}`
    ],
    [
      "data in another encoding",
      `{"context":{"slot":7},"value":[{"owner":"${TOKEN_PROGRAM}","lamports":1,"data":["","base58"]}]}`
    ],
    ["a negative balance", oneAccount("-1")]
  ] as const) {
    it.scopedLive(`calls ${name} malformed`, () =>
      Effect.gen(function* () {
        const server = yield* node((call, response) => result(call, response, body))
        const rpc = yield* connect(server.url)
        const outcome = yield* Effect.either(rpc.getAccounts([MINT]))
        expect(Either.isLeft(outcome) && outcome.left.kind).toBe("malformed")
      })
    )
  }

  it.scopedLive("calls a list of balances malformed that names an account twice", () =>
    Effect.gen(function* () {
      const listed = (...owners: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const value = owners.map((address) => ({ address, amount: "5" }))
          const body = JSON.stringify({ context: { slot: 7 }, value })
          const server = yield* node((call, response) => result(call, response, body))
          return yield* Effect.either((yield* connect(server.url)).getLargestTokenAccounts(MINT))
        })
      expect(yield* listed(MINT, TOKEN_PROGRAM, MINT)).toMatchObject({ left: { kind: "malformed" } })
      expect(yield* listed(MINT, TOKEN_PROGRAM)).toMatchObject({ right: { slot: 7n } })
    })
  )

  it.scopedLive("stops reading an answer that is too large", () =>
    Effect.gen(function* () {
      const server = yield* node((call, response) => result(call, response, JSON.stringify("x".repeat(5000))))
      const rpc = yield* connect(server.url, { maxResponseBytes: 1000 })
      const outcome = yield* Effect.either(rpc.getAccounts([MINT]))
      expect(Either.isLeft(outcome) && outcome.left.kind).toBe("malformed")
    })
  )

  it.scopedLive("refuses more accounts than one read holds, without a call", () =>
    Effect.gen(function* () {
      const server = yield* node(status(500))
      const rpc = yield* connect(server.url)
      const outcome = yield* Effect.either(rpc.getAccounts(Array.from({ length: 101 }, () => MINT)))
      expect(Either.isLeft(outcome) && outcome.left.kind).toBe("rejected")
      expect(server.calls).toHaveLength(0)
    })
  )

  it.scopedLive("cuts a slice itself where the node ignored it, and leaves a cut one alone", () =>
    Effect.gen(function* () {
      const whole = yield* node((call, response) => result(call, response, oneAccount("1", `,"space":3`)))
      const cut = yield* node((call, response) => result(call, response, oneAccount("1", `,"space":200`)))
      const slice = { offset: 1, length: 1 }
      const first = yield* (yield* connect(whole.url)).getAccounts([MINT], { slice })
      const second = yield* (yield* connect(cut.url)).getAccounts([MINT], { slice })
      expect([...(first.accounts[0]?.data ?? [])]).toEqual([2])
      expect(first.accounts[0]?.space).toBe(3)
      expect([...(second.accounts[0]?.data ?? [])]).toEqual([1, 2, 3])
      expect(second.accounts[0]?.space).toBe(200)
    })
  )

  it.scopedLive("calls an account malformed of which less came than there is of it", () =>
    Effect.gen(function* () {
      const node200 = yield* node((call, response) => result(call, response, oneAccount("1", `,"space":200`)))
      const rpc = yield* connect(node200.url)
      const kinds = yield* Effect.forEach(
        [undefined, { slice: { offset: 0, length: 4 } }, { slice: { offset: 197, length: 4 } }],
        (options) =>
          Effect.match(rpc.getAccounts([MINT], options), {
            onFailure: ({ kind }) => kind,
            onSuccess: () => "read"
          })
      )
      expect(kinds).toEqual(["malformed", "malformed", "read"])
    })
  )

  it.effect("does not show a URL, which may hold a key, in a configuration error", () =>
    Effect.gen(function* () {
      const outcome = yield* Effect.either(connect("ftp://secret-key@node"))
      expect(Either.isLeft(outcome)).toBe(true)
      expect(String(Either.isLeft(outcome) && outcome.left)).toContain("SOLANA_RPC_URL")
      expect(String(Either.isLeft(outcome) && outcome.left)).not.toContain("secret-key")
    })
  )

  it("leaves the text of JSON strings alone when it keeps large integers", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = JSON.stringify(value)
        const hasUnsafe = /[0-9]{16,}/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, ""))
        fc.pre(!hasUnsafe)
        expect(JSON.stringify(parseJsonKeepingIntegers(text))).toBe(text)
      })
    )
    expect(parseJsonKeepingIntegers(`{"a\\"12345678901234567890":12345678901234567890}`)).toEqual({
      'a"12345678901234567890': "12345678901234567890"
    })
    expect(parseJsonKeepingIntegers(JSON.stringify(["A".repeat(8_000_000)]))).toEqual(["A".repeat(8_000_000)])
  })
})
