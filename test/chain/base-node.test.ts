import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted, Schema } from "effect"
import { numberToHex } from "viem"
import { startAnvil } from "../../scripts/sandbox/base/anvil.ts"
import { reportBaseNodes } from "../../src/chain/nodes/base-node.ts"

const PUBLIC = Redacted.make("https://mainnet.base.org")

const Method = Schema.parseJson(Schema.Struct({ method: Schema.String }))
const methodOf = Schema.decodeUnknownOption(Method)

/** A node with the public endpoint's manners: its chain and its newest block, and no batches, overrides or simulated blocks. */
const poor: typeof globalThis.fetch = (_input, init) => {
  const results = new Map([
    ["eth_chainId", "0x2105"],
    ["eth_blockNumber", "0x1312d00"]
  ])
  const asked = Option.getOrUndefined(methodOf(init?.body))
  const result = results.get(asked?.method ?? "")
  const answer = result === undefined ? { error: { code: -32601, message: "not here" } } : { result }
  return Promise.resolve(Response.json({ jsonrpc: "2.0", id: 1, ...answer }))
}

const HEAD = 20_000_000
const Log = Schema.Struct({ params: Schema.Tuple(Schema.Struct({ fromBlock: Schema.NumberFromString })) })
const decodeLog = Schema.decodeUnknownSync(Schema.parseJson(Log))

/** A hosted reth: events of 10,000 blocks at once, proofs of the newest block alone, no old state. */
const limited: typeof globalThis.fetch = (input, init) => {
  const asked = String(init?.body ?? "")
  const refuse = (message: string) =>
    Promise.resolve(Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32602, message } }))
  if (asked.includes("eth_blockNumber"))
    return Promise.resolve(Response.json({ jsonrpc: "2.0", id: 1, result: numberToHex(HEAD) }))
  if (asked.includes("eth_getProof") && !asked.includes("latest")) return refuse("beyond the proof window")
  if (asked.includes("eth_getBalance")) return refuse("no state available")
  if (asked.includes("eth_getLogs")) {
    const [{ fromBlock }] = decodeLog(asked).params
    return HEAD - fromBlock > 10_000
      ? refuse("range 100000 exceeds limit of 10000")
      : Promise.resolve(Response.json({ jsonrpc: "2.0", id: 1, result: [] }))
  }
  return globalThis.fetch(input, init)
}

describe("what a Base node can do", () => {
  it.scopedLive("is found out by asking: anvil can do all of it", () =>
    Effect.gen(function* () {
      const { url } = yield* startAnvil({ blockTime: null })
      expect(yield* reportBaseNodes([Redacted.make(url)])).toEqual([
        { host: new URL(url).host, state: "usable", missing: [] }
      ])
    })
  )

  it.effect("is said of every node by itself, with a warning about the public endpoint", () =>
    Effect.gen(function* () {
      const [node] = yield* reportBaseNodes([PUBLIC], poor)
      expect(node).toEqual({
        host: "mainnet.base.org",
        state: "usable",
        missing: [
          expect.stringContaining("public endpoint"),
          expect.stringContaining("replaces no state"),
          expect.stringContaining("no eth_simulateV1"),
          expect.stringContaining("no eth_getProof"),
          expect.stringContaining("fewer than 2,000 blocks"),
          expect.stringContaining("no state of half a year ago"),
          expect.stringContaining("no batches")
        ]
      })
    })
  )

  it.scopedLive("is found out of the blocks whose events it lists at once, and of which it proves", () =>
    Effect.gen(function* () {
      const { url } = yield* startAnvil({ blockTime: null })
      const [node] = yield* reportBaseNodes([Redacted.make(url)], limited)
      expect(node?.missing).toEqual([
        expect.stringContaining("newest block alone"),
        expect.stringContaining("9,500 blocks at once"),
        expect.stringContaining("half a year ago")
      ])
    })
  )

  it.scopedLive("is not known of blocks, events and old state where it does not say how many there are", () =>
    Effect.gen(function* () {
      const { url } = yield* startAnvil({ blockTime: null })
      const silent: typeof globalThis.fetch = (input, init) =>
        String(init?.body).includes("eth_blockNumber")
          ? Promise.resolve(Response.json({ jsonrpc: "2.0", id: 1, result: null }))
          : globalThis.fetch(input, init)
      const [node] = yield* reportBaseNodes([Redacted.make(url)], silent)
      expect(node?.missing).toEqual([expect.stringContaining("does not say which block is its newest")])
    })
  )

  it.effect("is of no use where it is a node of another chain", () =>
    Effect.gen(function* () {
      const ethereum = () => Promise.resolve(Response.json({ jsonrpc: "2.0", id: 1, result: "0x1" }))
      expect(yield* reportBaseNodes([PUBLIC], ethereum)).toEqual([
        {
          host: "mainnet.base.org",
          state: "foreign",
          missing: ["is a node of chain 1, not of Base: nothing that it says is taken"]
        }
      ])
    })
  )

  it.effect.each([
    ["limits us by a status", () => new Response("slow down", { status: 429 }), "limits our requests"],
    [
      "limits us in JSON-RPC's own words",
      () => Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: "rate limit exceeded" } }),
      "limits our requests"
    ],
    ["is a web page", () => new Response("<html>welcome</html>"), "not answer as a node: answer is not JSON"],
    ["has lost its key", () => new Response("no", { status: 401 }), "not answer as a node: HTTP status 401"],
    [
      "refuses to say its chain",
      () => Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } }),
      "does not say of which chain it is"
    ]
  ] as const)("is not known of one that %s, and that is said", ([_name, answer, text]) =>
    Effect.gen(function* () {
      const nodes = yield* reportBaseNodes([PUBLIC], () => Promise.resolve(answer()))
      expect(nodes).toEqual([
        { host: "mainnet.base.org", state: "silent", missing: [expect.stringContaining(text)] }
      ])
    })
  )

  it.scopedLive("is not taken to be lacking where the node only limited the questions", () =>
    Effect.gen(function* () {
      const { url } = yield* startAnvil({ blockTime: null })
      const busy: typeof globalThis.fetch = (input, init) =>
        String(init?.body).includes("eth_getProof")
          ? Promise.resolve(new Response("slow down", { status: 429 }))
          : globalThis.fetch(input, init)
      const [node] = yield* reportBaseNodes([Redacted.make(url)], busy)
      expect(node?.missing).toEqual([
        expect.stringContaining("no eth_getProof"),
        expect.stringContaining("may have what it seems to lack")
      ])
    })
  )

  it.effect("says no more than that about a node which does not answer", () =>
    Effect.gen(function* () {
      const nodes = yield* reportBaseNodes([PUBLIC], () => Promise.reject(new Error("refused")))
      expect(nodes).toEqual([{ host: "mainnet.base.org", state: "silent", missing: ["does not answer"] }])
    })
  )
})
