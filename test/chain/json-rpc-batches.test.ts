import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { numberToHex } from "viem"
import { gatheredCalls } from "../../src/chain/rpc-call.ts"
import { solanaDialect } from "../../src/chain/solana-dialect.ts"
import { makeNode } from "../support/chain/rpc-double.ts"
import { pool } from "../support/chain/rpc-pool.ts"

describe("the JSON-RPC pool, asked for many", () => {
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
})
