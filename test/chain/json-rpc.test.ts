import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schema, TestClock } from "effect"
import { numberToHex } from "viem"
import { evmDialect } from "../../src/chain/evm-dialect.ts"
import { makeJsonRpcPool, type PoolOptions } from "../../src/chain/json-rpc.ts"
import { gatheredCalls, typedCalls } from "../../src/chain/rpc-call.ts"
import { solanaDialect } from "../../src/chain/solana-dialect.ts"
import { viemClient } from "../../src/chain/viem-client.ts"
import { makeNode, uniform } from "../support/chain/rpc-double.ts"
import { raw, serve } from "../support/market/upstream.ts"
import { until } from "../support/test-clock.ts"

const pool = (urls: ReadonlyArray<string>, over: Partial<PoolOptions> = {}) =>
  makeJsonRpcPool({
    dialect: evmDialect,
    urls: urls.map((url) => Redacted.make(url)),
    attemptTimeout: "5 seconds",
    callTimeout: "30 seconds",
    maxResponseBytes: 1024 * 1024,
    concurrency: 4,
    cooldown: "10 seconds",
    ...over
  })

const cheap = { method: "eth_blockNumber", params: [] }
const dear = { method: "eth_call", params: [] }

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

  it.scopedLive("sends batches of at most ten, a few at a time, and keeps the order", () =>
    Effect.gen(function* () {
      const sizes: Array<number> = []
      const node = yield* makeNode((calls, isBatch) => {
        sizes.push(calls.length)
        const replies = calls.map(({ id, params }) => ({ id, result: params[0] }))
        return { body: isBatch ? replies : replies[0] }
      })
      const { send } = yield* pool([node.url])
      const replies = yield* send(
        Array.from({ length: 25 }, (_, at) => ({
          method: "eth_call",
          params: [numberToHex(at, { size: 1 })]
        }))
      )
      expect(sizes.toSorted((a, b) => a - b)).toEqual([5, 10, 10])
      expect(replies).toEqual(
        Array.from({ length: 25 }, (_, at) => ({ executed: true, result: numberToHex(at, { size: 1 }) }))
      )
    })
  )

  it.scopedLive.each([
    ["an error of its own", { body: { id: null, error: { code: -32600, message: "no batches" } } }],
    [
      "an error that names a limit of batches",
      { body: { error: { code: -32005, message: "batch limit 1" } } }
    ],
    ["a status and a page", { status: 403, body: "<html>no batches on this plan</html>" }],
    ["a status and words of a gateway", { status: 400, body: { error: "batches are not supported" } }]
  ] as const)(
    "asks a node that refuses batches by %s for each, and spares it the next batch",
    ([, refusal]) =>
      Effect.gen(function* () {
        const batches: Array<boolean> = []
        const node = yield* makeNode((calls, isBatch) => {
          batches.push(isBatch)
          return isBatch ? refusal : { body: { id: 0, result: calls[0]?.params[0] } }
        })
        const { sendEach } = yield* pool([node.url])
        const asked = ["0x01", "0x02"].map((at) => ({ method: "eth_call", params: [at] }))
        const answered = ["0x01", "0x02"].map((at) => ({ right: { executed: true, result: at } }))
        expect(yield* sendEach(asked)).toMatchObject(answered)
        expect(yield* sendEach(asked)).toMatchObject(answered)
        expect(batches).toEqual([true, false, false, false, false])
      })
  )

  it.scopedLive(
    "takes a limit on requests that a batch was told of for one, and goes on asking in batches",
    () =>
      Effect.gen(function* () {
        const batches: Array<boolean> = []
        const node = yield* makeNode((calls, isBatch) => {
          batches.push(isBatch)
          return batches.length === 1
            ? { body: { id: null, error: { code: -32016, message: "over rate limit" } } }
            : { body: calls.map(({ id, params: [first] }) => ({ id, result: first })) }
        })
        const { sendEach } = yield* pool([node.url])
        const asked = ["0x01", "0x02"].map((at) => ({ method: "eth_call", params: [at] }))
        expect(yield* sendEach(asked)).toMatchObject(
          ["0x01", "0x02"].map((at) => ({ right: { executed: true, result: at } }))
        )
        expect(batches).toEqual([true, true])
      })
  )

  it.scopedLive("sends calls of a method together, each with its own answer or failure, and no other's", () =>
    Effect.gen(function* () {
      const sizes: Array<number> = []
      const node = yield* makeNode((calls, isBatch) => {
        sizes.push(calls.length)
        if (calls.some(({ method }) => method === "limited")) return { status: 429, body: "slow down" }
        const replies = calls.map(({ id, params: [first] }) =>
          first === "bad" ? { id, error: { code: -32602, message: "bad" } } : { id, result: first }
        )
        return { body: isBatch ? replies.toReversed() : replies[0] }
      })
      const options = { dialect: solanaDialect, callTimeout: "600 millis" } as const
      const call = gatheredCalls(yield* pool([node.url], options))
      const good = [1, 2, "bad", "text"].map((first) => call("good", [first], Schema.Number))
      const all = [...good, call("limited", [], Schema.Number)]
      const answers = yield* Effect.forEach(all, Effect.either, { concurrency: "unbounded" })
      expect(answers).toMatchObject([
        { right: 1 },
        { right: 2 },
        { left: { kind: "rejected" } },
        { left: { kind: "malformed" } },
        { left: { kind: "rate-limited" } }
      ])
      expect(Math.max(...sizes)).toBe(4)
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
      for (const method of ["getEpochInfo", "getSomething"]) {
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

describe("a viem client over the pool", () => {
  it.scopedLive("turns to the next node, and shows neither URL nor key when all fail", () =>
    Effect.gen(function* () {
      const first = yield* makeNode(() => "hang up")
      const second = yield* uniform({ result: "0x11" })
      const client = viemClient(yield* pool([`${first.url}/key`, second.url]), Effect.runPromise)
      expect(yield* Effect.promise(() => client.getBlockNumber())).toBe(17n)
      const lone = viemClient(yield* pool([`${first.url}/key`]), Effect.runPromise)
      const error = yield* Effect.flip(Effect.tryPromise(() => lone.getBlockNumber({ cacheTime: 0 })))
      expect(String(error.error)).toContain("HttpRequestError")
      expect(String(error.error)).not.toContain("/key")
    })
  )

  it.scopedLive("passes a node's own words on, so that a revert reads as one", () =>
    Effect.gen(function* () {
      const node = yield* uniform({
        error: {
          code: 3,
          message: "execution reverted: FiatTokenV2: authorization is used or canceled",
          data: "0x"
        }
      })
      const client = viemClient(yield* pool([node.url]), Effect.runPromise)
      const error = yield* Effect.flip(
        Effect.tryPromise(() => client.call({ to: "0x4200000000000000000000000000000000000006" }))
      )
      expect(String(error.error)).toContain("authorization is used or canceled")
    })
  )

  it.scopedLive("takes nothing for an answer that has not the form of one", () =>
    Effect.gen(function* () {
      const address = "0x4200000000000000000000000000000000000006"
      for (const result of [null, "", "0xzz", "yes", true, 7, [], {}]) {
        const node = yield* uniform({ result })
        const client = viemClient(yield* pool([node.url]), Effect.runPromise)
        const asks: ReadonlyArray<() => Promise<unknown>> = [
          () => client.getBlockNumber({ cacheTime: 0 }),
          () => client.call({ to: address }),
          () => client.getCode({ address }),
          () => client.getBalance({ address }),
          () => client.getTransactionCount({ address }),
          () => client.estimateGas({ account: address, to: address }),
          () => client.sendRawTransaction({ serializedTransaction: "0x02" })
        ]
        for (const ask of asks) {
          expect(String((yield* Effect.flip(Effect.tryPromise(ask))).error)).toContain("unexpected result")
        }
      }
    })
  )
})
