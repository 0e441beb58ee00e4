import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { startAnvil } from "../../scripts/sandbox/base/anvil.ts"
import { reportNodes, shortcomings } from "../../src/chain/node-report.ts"

const PUBLIC = Redacted.make("https://mainnet.base.org")

/** A node with the public endpoint's manners: no batches, no overrides, no simulated blocks. */
const poor: typeof globalThis.fetch = (_input, init) => {
  const json: unknown = JSON.parse(String(init?.body ?? ""))
  const isChainId =
    typeof json === "object" && json !== null && "method" in json && json.method === "eth_chainId"
  const body = isChainId
    ? { jsonrpc: "2.0", id: 1, result: "0x2105" }
    : { jsonrpc: "2.0", id: null, error: { code: -32601, message: "not here" } }
  return Promise.resolve(new Response(JSON.stringify(body)))
}

describe("what a node can do", () => {
  it.scopedLive("is found out by asking: anvil can do all of it", () =>
    Effect.gen(function* () {
      const { url } = yield* startAnvil({ blockTime: null })
      const [node] = yield* reportNodes([Redacted.make(url)])
      expect(node).toMatchObject({ answers: true, overrides: true, simulatesBlocks: true, batch: 10 })
      expect(node === undefined ? ["none"] : shortcomings(node)).toEqual([])
    })
  )

  it.effect("is said of every node by itself, with a warning about the public endpoint", () =>
    Effect.gen(function* () {
      const [node] = yield* reportNodes([PUBLIC], poor)
      expect(node).toEqual({
        host: "mainnet.base.org",
        answers: true,
        overrides: false,
        simulatesBlocks: false,
        batch: 1,
        isPublic: true,
        isOurs: true
      })
      expect(node === undefined ? 0 : shortcomings(node).length).toBe(4)
    })
  )

  it.effect("is of no use where it is a node of another chain", () =>
    Effect.gen(function* () {
      const ethereum = () => Promise.resolve(new Response('{"jsonrpc":"2.0","id":1,"result":"0x1"}'))
      const [node] = yield* reportNodes([PUBLIC], ethereum)
      expect(node?.isOurs).toBe(false)
      expect(node === undefined ? [] : shortcomings(node)).toEqual([
        "is a node of chain 1, not of Base: nothing that it says is taken"
      ])
    })
  )

  it.effect("says no more than that about a node which does not answer", () =>
    Effect.gen(function* () {
      const [node] = yield* reportNodes([PUBLIC], () => Promise.reject(new Error("refused")))
      expect(node === undefined ? [] : shortcomings(node)).toEqual(["does not answer"])
    })
  )
})
