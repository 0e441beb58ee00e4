import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Schema, TestClock } from "effect"
import { evmDialect } from "../../src/chain/evm-dialect.ts"
import { typedCalls } from "../../src/chain/rpc-call.ts"
import { solanaDialect } from "../../src/chain/solana-dialect.ts"
import { makeNode, uniform } from "../support/chain/rpc-double.ts"
import { raw, serve } from "../support/market/upstream.ts"
import { until } from "../support/test-clock.ts"
import { pool, cheap, dear } from "../support/chain/rpc-pool.ts"

describe("the JSON-RPC pool", () => {
  it.scopedLive("rests a limited method at one node, and goes on asking it for the others", () =>
    Effect.gen(function* () {
      const first = yield* makeNode(([call]) =>
        call?.method === "eth_call" ? { status: 429, body: "slow down" } : { body: { id: 0, result: "0x01" } }
      )
      const second = yield* uniform({ result: "0x02" })
      const { send } = yield* pool([first.url, second.url])
      yield* send([dear])
      yield* send([dear])
      expect([first.requests(), second.requests()]).toEqual([1, 2])
      expect(yield* send([cheap])).toEqual([{ executed: true, result: "0x01" }])
    })
  )

  it.scopedLive("takes no other request's reply for an answer, neither a result nor a revert", () =>
    Effect.gen(function* () {
      const reverted = { code: 3, message: "execution reverted", data: "0x" }
      for (const said of [{ result: "0x1" }, { error: reverted }]) {
        const astray = yield* makeNode(() => ({ body: { jsonrpc: "2.0", id: 7, ...said } }))
        const alone = yield* pool([astray.url])
        expect((yield* Effect.flip(alone.send([cheap]))).error.kind).toBe("malformed")
        const sound = yield* uniform({ result: "0x03" })
        const both = yield* pool([astray.url, sound.url])
        expect(yield* both.send([cheap])).toEqual([{ executed: true, result: "0x03" }])
      }
    })
  )

  it.scopedLive("rests a node that is out of reach for every method", () =>
    Effect.gen(function* () {
      const first = yield* makeNode(() => "hang up")
      const second = yield* uniform({ result: "0x02" })
      const { send } = yield* pool([first.url, second.url])
      yield* send([dear])
      yield* send([cheap])
      expect([first.requests(), second.requests()]).toEqual([1, 2])
    })
  )

  it.scopedLive("asks again for a block that a lone node does not have yet", () =>
    Effect.gen(function* () {
      let asked = 0
      const node = yield* makeNode(() =>
        asked++ === 0
          ? { body: { id: 0, error: { code: -32000, message: "header not found" } } }
          : { body: { id: 0, result: "0x1" } }
      )
      const { send } = yield* pool([node.url])
      expect(yield* send([cheap])).toEqual([{ executed: true, result: "0x1" }])
    })
  )

  it.scopedLive("asks only the node it is told to", () =>
    Effect.gen(function* () {
      const first = yield* uniform({ result: "0x01" })
      const second = yield* makeNode(() => ({ status: 503, body: "" }))
      const { send } = yield* pool([first.url, second.url])
      expect((yield* Effect.flip(send([cheap], 1))).error.kind).toBe("transport")
      expect(first.requests()).toBe(0)
    })
  )

  it.scopedLive("follows no redirect", () =>
    Effect.gen(function* () {
      const inner = yield* serve(raw('{"id":0,"result":"0x1"}'))
      const node = yield* serve(raw("", 307, { location: `${inner.url}/internal` }))
      const { send } = yield* pool([node.url])
      expect((yield* Effect.flip(send([cheap]))).error.kind).toBe("transport")
      expect(inner.seen).toHaveLength(0)
    })
  )

  it.scopedLive.each([
    ["nested arrays", "[".repeat(100_000) + "]".repeat(100_000)],
    ["an answer of nested arrays", `{"id":0,"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["more values than anybody needs", `{"id":0,"result":[${"1,".repeat(300_000)}1]}`],
    ["an error that is nested arrays", `{"id":0,"error":{"code":[[[]]],"message":[]}}`],
    ["a list longer than the batch", `[${"{},".repeat(5_000)}{}]`]
  ] as const)("calls %s malformed", ([, body]) =>
    Effect.gen(function* () {
      const node = yield* serve(raw(body))
      for (const dialect of [evmDialect, solanaDialect]) {
        const { send } = yield* pool([node.url], { dialect })
        expect((yield* Effect.flip(send([cheap]))).error.kind).toBe("malformed")
        expect((yield* Effect.flip(send([cheap, cheap]))).error.kind).toBe("malformed")
      }
    })
  )

  it.scopedLive("calls a result of another shape malformed, without repeating it", () =>
    Effect.gen(function* () {
      const node = yield* serve(raw(`{"id":0,"result":${"[".repeat(60)}"secret"${"]".repeat(60)}}`))
      const call = typedCalls(yield* pool([node.url], { dialect: solanaDialect }))
      for (const method of ["getLatestBlockhash", "getSomething"]) {
        const error = yield* Effect.flip(call(method, [], Schema.Struct({ epoch: Schema.Number })))
        expect(error.kind).toBe("malformed")
        expect(error.detail).toMatch(/^\w+(?: on endpoint 1)?: unexpected result$/)
      }
    })
  )

  it.scopedLive.each([
    ["code that is null", evmDialect, "eth_getCode", null, "0x"],
    ["a call that is a record", evmDialect, "eth_call", {}, "0x"],
    ["events that are null", evmDialect, "eth_getLogs", null, []],
    ["a receipt that is a text", evmDialect, "eth_getTransactionReceipt", "0x", null],
    [
      "accounts without a slot",
      solanaDialect,
      "getMultipleAccounts",
      [],
      { context: { slot: 1 }, value: [] }
    ],
    ["statuses that are null", solanaDialect, "getSignatureStatuses", null, { context: {}, value: [] }]
  ] as const)("does not take %s for an answer: the next node is asked, and the first one rests", (row) =>
    Effect.gen(function* () {
      const [, dialect, method, stray, sound] = row
      const first = yield* uniform({ result: stray })
      const second = yield* uniform({ result: sound })
      const { send } = yield* pool([first.url, second.url], { dialect })
      const request = { method, params: [] }
      expect(yield* send([request])).toEqual([{ executed: true, result: sound }])
      expect(yield* send([request, request])).toHaveLength(2)
      expect([first.requests(), second.requests()]).toEqual([1, 2])
      const lone = yield* pool([first.url], { dialect })
      expect((yield* Effect.flip(lone.send([request]))).error.kind).toBe("malformed")
    })
  )

  it.scoped("gives up as a whole when its time is over", () =>
    Effect.gen(function* () {
      // No connection: a busy machine might not open one before the time is over.
      const asked: Array<string> = []
      const fetch: typeof globalThis.fetch = (input) => {
        asked.push(String(input))
        return new Promise(() => {})
      }
      const silent = ["http://one.test/", "http://two.test/", "http://three.test/"]
      const { send } = yield* pool(silent, { callTimeout: "700 millis", fetch })
      const asking = yield* Effect.fork(Effect.flip(send([cheap])))
      for (const [at, wait] of [500, 200].entries()) {
        yield* until(() => asked.length === at + 1)
        yield* TestClock.adjust(wait)
      }
      expect((yield* Fiber.join(asking)).error.kind).toBe("timeout")
      expect(asked).toEqual(silent.slice(0, 2))
    })
  )
})
