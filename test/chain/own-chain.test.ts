import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schema } from "effect"
import { serveJson } from "../../scripts/sandbox/json-server.ts"
import { ChainRpc } from "../../src/chain/chain-rpc.ts"
import { ChainRpcLive } from "../../src/chain/chain-rpc-live.ts"

type Results = Readonly<Record<string, unknown>>

const UNKNOWN = { code: -32601, message: "Method not found" }

/** A node that answers these methods, and keeps what it was asked. */
const nodeOf = (results: Results) => {
  const asked: Array<string> = []
  const one = ({ id, method }: { readonly id: number; readonly method: string }) => {
    asked.push(method)
    return method in results
      ? { jsonrpc: "2.0", id, result: results[method] }
      : { jsonrpc: "2.0", id, error: UNKNOWN }
  }
  return Effect.map(
    serveJson(({ body }) => {
      const json = JSON.parse(body)
      return { status: 200, body: Array.isArray(json) ? json.map(one) : one(json) }
    }),
    ({ url }) => ({ url, asked })
  )
}

const read = <A, E>(
  variable: string,
  nodes: ReadonlyArray<{ readonly url: string }>,
  use: (chains: ChainRpc["Type"]) => Effect.Effect<A, E>
) => {
  const environment = new Map([[variable, nodes.map(({ url }) => url).join(",")]])
  return Effect.flatMap(ChainRpc, use).pipe(
    Effect.provide(ChainRpcLive),
    Effect.provide(Layer.setConfigProvider(ConfigProvider.fromMap(environment)))
  )
}

const blockOf = (nodes: ReadonlyArray<{ readonly url: string }>) =>
  read("BASE_RPC_URL", nodes, ({ base }) => base.blockNumber)

const slotOf = (nodes: ReadonlyArray<{ readonly url: string }>) =>
  read("SOLANA_RPC_URL", nodes, ({ solana }) => solana.call("getSlot", [], Schema.Number))

const at = (slot: number): Results => ({ getSlot: slot })

describe("a node of another chain", () => {
  it.scopedLive.each<readonly [string, Results]>([
    ["Ethereum's", { eth_chainId: "0x1", eth_blockNumber: "0x10" }],
    ["a testnet's", { eth_chainId: "0x14a34", eth_blockNumber: "0x10" }],
    ["one that does not say its chain", { eth_blockNumber: "0x10" }],
    ["one that says something else", { eth_chainId: null, eth_blockNumber: "0x10" }]
  ])("is not believed about Base, nor asked: %s", ([, results]) =>
    Effect.gen(function* () {
      const other = yield* nodeOf(results)
      const own = yield* nodeOf({ eth_chainId: "0x2105", eth_blockNumber: "0x20" })
      expect(yield* blockOf([other, own])).toBe(32n)
      expect(yield* Effect.flip(blockOf([other]))).toMatchObject({ upstream: "base-rpc" })
      expect(new Set(other.asked)).toEqual(new Set(["eth_chainId"]))
    })
  )

  it.scopedLive.each([
    ["devnet", "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"],
    ["testnet", "4uhcVJyU9pJkvQyS88uRDiswHScSG9qwWNxTnbnYxqRV"]
  ] as const)("is not believed about Solana, nor asked: %s's", ([cluster, getGenesisHash]) =>
    Effect.gen(function* () {
      const other = yield* nodeOf({ getGenesisHash, ...at(16) })
      const own = yield* nodeOf({
        getGenesisHash: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
        ...at(32)
      })
      expect(yield* slotOf([other, own])).toBe(32)
      expect(yield* Effect.flip(slotOf([other]))).toMatchObject({
        kind: "malformed",
        detail: `getSlot on endpoint 1: a node of ${cluster}, not of Solana's mainnet`
      })
      expect(new Set(other.asked)).toEqual(new Set(["getGenesisHash"]))
    })
  )

  it.scopedLive("is told from one of ours by one question, once", () =>
    Effect.gen(function* () {
      const own = yield* nodeOf({ eth_chainId: "0x2105", eth_blockNumber: "0x20" })
      yield* read("BASE_RPC_URL", [own], ({ base }) =>
        Effect.zipRight(base.blockNumber, Effect.zipRight(base.blockNumber, base.blockNumber))
      )
      expect(own.asked).toEqual(["eth_chainId", "eth_blockNumber", "eth_blockNumber", "eth_blockNumber"])
    })
  )

  it.scopedLive("is not taken for what a chain of one's own is, which need not say its genesis", () =>
    Effect.gen(function* () {
      expect(yield* slotOf([yield* nodeOf(at(7))])).toBe(7)
      const named = yield* nodeOf({ getGenesisHash: "11111111111111111111111111111111", ...at(8) })
      expect(yield* slotOf([named])).toBe(8)
    })
  )
})
