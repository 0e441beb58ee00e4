import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, TestClock } from "effect"
import { evmDialect } from "../../src/chain/evm-dialect.ts"
import { makeJsonRpcPool, type RpcRequest } from "../../src/chain/json-rpc.ts"

const read: RpcRequest = { method: "eth_blockNumber", params: [] }
const sending: RpcRequest = { method: "eth_sendRawTransaction", params: ["0x"] }

/** The block that each node is at. */
const BLOCKS: Record<string, string> = { first: "0x1", second: "0x2" }

type Reply = "never" | "refuse" | "late refusal" | number

/** Two nodes whose answers take time of the test's clock; a number is how many milliseconds. */
const makePool = Effect.gen(function* () {
  const asked: Array<string> = []
  const takes: Record<string, Reply> = { "http://first": 10, "http://second": 10 }
  const runtime = yield* Effect.runtime<never>()
  const answer = (url: string) =>
    Effect.gen(function* () {
      asked.push(new URL(url).host)
      const reply = takes[url.replace(/\/$/, "")] ?? "never"
      if (reply === "never") return yield* Effect.never
      if (reply === "late refusal") yield* Effect.sleep(120)
      if (typeof reply === "string") return new Response("no", { status: 503 })
      yield* Effect.sleep(reply)
      return Response.json({ jsonrpc: "2.0", id: 0, result: BLOCKS[new URL(url).host] })
    })
  const { send } = yield* makeJsonRpcPool({
    dialect: evmDialect,
    urls: Object.keys(takes).map((url) => Redacted.make(url)),
    attemptTimeout: "4 seconds",
    callTimeout: "12 seconds",
    maxResponseBytes: 1_024,
    concurrency: 4,
    cooldown: "10 seconds",
    fetch: (input) => Effect.runPromise(Effect.provide(answer(String(input)), runtime))
  })
  return { asked, send, takes }
})

/** Lets promises and fibers go on without letting time pass. */
const settle = Effect.promise(() => new Promise((next) => setImmediate(next)))

const after = <A, E>(effect: Effect.Effect<A, E>, ...steps: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    for (const millis of steps) {
      yield* settle
      yield* TestClock.adjust(millis)
      yield* settle
    }
    return yield* Fiber.poll(fiber)
  })

/** A pool that knows the first node's usual time. */
const makeWarmPool = Effect.gen(function* () {
  const pool = yield* makePool
  yield* after(pool.send([read]), 10)
  return pool
})

const results = (replies: unknown) => JSON.stringify(replies)

describe("hedged reads", () => {
  it.effect("a node that is much slower than usual is not waited for: another one is asked beside it", () =>
    Effect.gen(function* () {
      const { asked, send, takes } = yield* makeWarmPool
      expect(asked).toEqual(["first"])
      takes["http://first"] = "never"
      const fiber = yield* Effect.fork(send([read]))
      yield* after(Effect.void, 99)
      expect(asked).toEqual(["first", "first"])
      yield* after(Effect.void, 1, 10)
      expect(results(yield* Fiber.poll(fiber))).toContain('"result":"0x2"')
    })
  )

  it.effect("a node that is merely slow wins with its own answer", () =>
    Effect.gen(function* () {
      const { send, takes } = yield* makeWarmPool
      takes["http://first"] = 105
      expect(results(yield* after(send([read]), 100, 5))).toContain('"result":"0x1"')
    })
  )

  it.effect("a node that refuses is followed by the next one at once", () =>
    Effect.gen(function* () {
      const { asked, send, takes } = yield* makePool
      takes["http://first"] = "refuse"
      expect(results(yield* after(send([read]), 10, 10))).toContain('"result":"0x2"')
      expect(asked).toEqual(["first", "second"])
    })
  )

  it.effect("what was asked beside a node that then fails is waited for, and not asked again", () =>
    Effect.gen(function* () {
      const { asked, send, takes } = yield* makeWarmPool
      takes["http://first"] = "late refusal"
      takes["http://second"] = 50
      expect(results(yield* after(send([read]), 100, 20, 30))).toContain('"result":"0x2"')
      expect(asked).toEqual(["first", "first", "second"])
    })
  )

  it.effect("a transaction is handed to one node", () =>
    Effect.gen(function* () {
      const { asked, send, takes } = yield* makeWarmPool
      takes["http://first"] = "never"
      yield* after(send([sending]), 1_000, 1_000)
      expect(asked).toEqual(["first", "first"])
    })
  )

  it.effect("where everything is slow, one call in ten goes out twice", () =>
    Effect.gen(function* () {
      const { asked, send, takes } = yield* makeWarmPool
      takes["http://first"] = "never"
      takes["http://second"] = "never"
      for (let at = 0; at < 5; at++) yield* after(send([read]), 100)
      expect(asked.filter((host) => host === "second")).toHaveLength(1)
    })
  )
})
