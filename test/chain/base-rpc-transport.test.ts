import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, Redacted } from "effect"
import { baseRpcConfig, makeBaseRpcWith } from "../../src/chain/base-rpc.ts"
import type { Answer } from "../support/chain/rpc-double.ts"
import { makeNode, options, uniform } from "../support/chain/rpc-double.ts"

const target = "0x4200000000000000000000000000000000000006"
const call = { to: target, data: "0x18160ddd" } as const

const failures: ReadonlyArray<readonly [name: string, answer: () => Answer]> = [
  ["hangs up", () => "hang up"],
  ["keeps silent", () => "keep silent"],
  ["is rate limited", () => ({ status: 429, body: "slow down" })],
  ["fails", () => ({ status: 503, body: "<html>" })],
  ["answers no JSON", () => ({ body: "<html>" })],
  ["answers with something else", () => ({ body: { hello: 1 } })],
  ["limits by error code", () => ({ body: { id: 0, error: { code: -32005, message: "limit exceeded" } } })],
  ["lacks the block", () => ({ body: { id: 0, error: { code: -32000, message: "header not found" } } })]
]

describe("Base RPC transport", () => {
  it.scopedLive("asks the preferred node only while it answers", () =>
    Effect.gen(function* () {
      const first = yield* uniform({ result: "0x10" })
      const second = yield* uniform({ result: "0x11" })
      const rpc = yield* makeBaseRpcWith(options(first.url, second.url))
      expect(yield* rpc.blockNumber).toBe(16n)
      expect([first.requests(), second.requests()]).toEqual([1, 0])
    })
  )

  it.scopedLive.each(failures)("turns to the next node when the first %s", ([, answer]) =>
    Effect.gen(function* () {
      const [first, second] = [yield* makeNode(answer), yield* uniform({ result: "0x11" })]
      const rpc = yield* makeBaseRpcWith(options(first.url, second.url))
      expect(yield* rpc.blockNumber).toBe(17n)
      expect(first.requests()).toBe(1)
    })
  )

  it.scopedLive("leaves a node that failed in peace for a while", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* makeNode(() => "hang up"), yield* uniform({ result: "0x11" })]
      const rpc = yield* makeBaseRpcWith(options(first.url, second.url))
      yield* Effect.replicateEffect(rpc.blockNumber, 3)
      expect([first.requests(), second.requests()]).toEqual([1, 3])
    })
  )

  it.scopedLive("takes a revert for an answer and asks nobody else", () =>
    Effect.gen(function* () {
      const first = yield* uniform({
        error: { code: 3, message: "execution reverted: header not found", data: "0xab" }
      })
      const second = yield* uniform({ result: "0x" })
      const rpc = yield* makeBaseRpcWith(options(first.url, second.url))
      expect(yield* rpc.call(call)).toEqual({ ok: false, data: "0xab" })
      expect(second.requests()).toBe(0)
    })
  )

  it.scopedLive("waits ever longer for a node that limits requests, gives up at last, and says why", () =>
    Effect.gen(function* () {
      const node = yield* makeNode(() => ({ status: 429, body: "" }))
      const rpc = yield* makeBaseRpcWith(options(node.url))
      const error = yield* Effect.flip(rpc.blockNumber)
      expect(error).toMatchObject({ upstream: "base-rpc", kind: "rate-limited" })
      expect(node.requests()).toBeGreaterThan(1)
    })
  )

  it.scopedLive("says that a node which refuses overrides rejected the call", () =>
    Effect.gen(function* () {
      const node = yield* uniform({ error: { code: -32602, message: "too many arguments, want at most 2" } })
      const rpc = yield* makeBaseRpcWith(options(node.url))
      const error = yield* Effect.flip(
        rpc.call({ ...call, stateOverride: [{ address: target, code: "0x00" }] })
      )
      expect(error.kind).toBe("rejected")
    })
  )

  it.scopedLive("asks one by one where a node takes no batches", () =>
    Effect.gen(function* () {
      const node = yield* makeNode((calls, isBatch) =>
        isBatch
          ? { body: { id: null, error: { code: -32600, message: "batches are not supported" } } }
          : { body: { id: calls[0]?.id, result: "0x01" } }
      )
      const rpc = yield* makeBaseRpcWith(options(node.url))
      expect(yield* rpc.callAll([call, call, call])).toEqual(
        [0, 1, 2].map(() => ({ ok: true, data: "0x01" }))
      )
      expect(node.requests()).toBe(4)
    })
  )

  it.scopedLive("puts the answers of a batch in order, whatever order they come in", () =>
    Effect.gen(function* () {
      const node = yield* makeNode((calls) => ({
        body: calls.map(({ id }) => ({ id, result: `0x0${id}` })).toReversed()
      }))
      const rpc = yield* makeBaseRpcWith(options(node.url))
      const answers = yield* rpc.callAll([call, call, call])
      expect(answers.map(({ data }) => data)).toEqual(["0x00", "0x01", "0x02"])
      expect(node.requests()).toBe(1)
    })
  )

  // The clock stands still: on a slow machine the next node would be asked for all of it, beside the first.
  it.scoped("asks the next node for the part of a batch that is missing", () =>
    Effect.gen(function* () {
      const first = yield* makeNode((calls) => ({
        body: calls.slice(1).map(({ id }) => ({ id, result: "0xaa" }))
      }))
      const second = yield* uniform({ result: "0xbb" })
      const rpc = yield* makeBaseRpcWith(options(first.url, second.url))
      const answers = yield* rpc.callAll([call, call, call])
      expect(answers.map(({ data }) => data)).toEqual(["0xbb", "0xaa", "0xaa"])
    })
  )

  it.scopedLive("refuses an endless reply", () =>
    Effect.gen(function* () {
      const node = yield* makeNode(() => ({ body: `"${"0".repeat(17 * 1024 * 1024)}"` }))
      const rpc = yield* makeBaseRpcWith({ ...options(node.url), timeout: "10 seconds" })
      expect((yield* Effect.flip(rpc.blockNumber)).kind).toBe("malformed")
    })
  )

  it.scopedLive("refuses a result that is no hex data", () =>
    Effect.gen(function* () {
      const node = yield* uniform({ result: "0xabc" })
      const rpc = yield* makeBaseRpcWith(options(node.url))
      expect((yield* Effect.flip(rpc.call(call))).kind).toBe("malformed")
    })
  )

  it.scopedLive("never has more requests open than it may", () =>
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const fetch: typeof globalThis.fetch = async () => {
        most = Math.max(most, ++open)
        await new Promise((resolve) => setTimeout(resolve, 5))
        open -= 1
        return Response.json({ id: 0, result: "0x1" })
      }
      const rpc = yield* makeBaseRpcWith({ ...options("http://node.invalid"), concurrency: 3, fetch })
      yield* Effect.all(
        Array.from({ length: 20 }, () => rpc.blockNumber),
        { concurrency: "unbounded" }
      )
      expect(most).toBe(3)
    })
  )
})

describe("Base RPC configuration", () => {
  const load = (entries: ReadonlyArray<readonly [string, string]>) =>
    Effect.withConfigProvider(baseRpcConfig, ConfigProvider.fromMap(new Map(entries)))

  it.effect("takes a comma-separated list, first preferred, and prints none of it", () =>
    Effect.gen(function* () {
      const { urls } = yield* load([["BASE_RPC_URL", "https://a.example/key, http://b.example"]])
      expect(urls.map(Redacted.value)).toEqual(["https://a.example/key", "http://b.example"])
      expect(JSON.stringify(urls)).not.toContain("key")
    })
  )

  it.effect("defaults to the public endpoint", () =>
    Effect.map(load([]), ({ urls }) => expect(urls.map(Redacted.value)).toEqual(["https://mainnet.base.org"]))
  )

  it.effect.each(["", "ftp://a.example", "a.example", ","])("refuses %j", (text) =>
    Effect.map(Effect.either(load([["BASE_RPC_URL", text]])), (result) =>
      expect(Either.isLeft(result)).toBe(true)
    )
  )
})
