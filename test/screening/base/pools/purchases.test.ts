import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  type Address,
  type Hex,
  concat,
  createPublicClient,
  custom,
  numberToHex,
  toEventSelector
} from "viem"
import type { BaseRpc } from "../../../../src/chain/chain-rpc.ts"
import { UpstreamError } from "../../../../src/domain/errors.ts"
import { known } from "../../../../src/domain/fact.ts"
import type { Pool } from "../../../../src/screening/base/pools/pool.ts"
import { readPurchases } from "../../../../src/screening/base/pools/purchases.ts"

const [LOW, HIGH]: readonly [Address, Address] = [`0x${"11".repeat(20)}`, `0x${"ee".repeat(20)}`]
const ID: Hex = `0x${"77".repeat(32)}`

const refused = Effect.fail(
  new UpstreamError({ upstream: "base-rpc", kind: "rejected", detail: "not served" })
)

interface Log {
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

const node = (logs: () => Promise<ReadonlyArray<Log>>): BaseRpc => ({
  client: createPublicClient({ transport: custom({ request: logs }, { retryCount: 0 }) }),
  nodes: [],
  readAll: () => refused,
  inspect: () => refused,
  call: () => refused,
  callAll: () => refused,
  blockNumber: Effect.succeed(1n)
})

const poolOf = (token: Address, quote: Address, v4 = false): Pool => ({
  kind: v4 ? "v4" : "v2",
  dex: "test",
  address: `0x${"55".repeat(20)}`,
  token,
  quote,
  feePips: 3000,
  quoteReserve: 1n,
  tokenReserve: 1n,
  quoteUsd: 1,
  priceUsd: 1,
  ...(v4 ? { v4: { poolId: ID, hooks: `0x${"00".repeat(20)}` as const } } : {})
})

const swap = (event: string, ...words: ReadonlyArray<bigint>): Log => ({
  topics: [toEventSelector(event)],
  data: concat(words.map((word) => numberToHex(BigInt.asUintN(256, word), { size: 32 })))
})

const V2 = "event Swap(address indexed,uint256,uint256,uint256,uint256,address indexed)"
const AERODROME = "event Swap(address indexed,address indexed,uint256,uint256,uint256,uint256)"
const V3 = "event Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24)"
const PANCAKE =
  "event Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24,uint128,uint128)"
const V4 = "event Swap(bytes32 indexed,address indexed,int128,int128,uint160,uint128,int24,uint24)"

const bought = (pool: Pool, ...logs: ReadonlyArray<Log>) =>
  readPurchases(
    node(() => Promise.resolve(logs)),
    [pool],
    { fromBlock: 0n, toBlock: 1n }
  )

describe("what pools gave for money", () => {
  it.effect.each([V2, AERODROME])("is what went out less what came in, by %s", (event) =>
    Effect.gen(function* () {
      const [buy, sale] = [swap(event, 0n, 9n, 700n, 0n), swap(event, 200n, 0n, 0n, 2n)]
      expect(yield* bought(poolOf(LOW, HIGH), buy, sale)).toEqual(known(500n))
      expect(yield* bought(poolOf(HIGH, LOW), buy, sale)).toEqual(known(0n))
    })
  )

  it.effect.each([V3, PANCAKE])("is what the pool lost, by %s", (event) =>
    Effect.gen(function* () {
      const logs = [swap(event, -700n, 9n, 1n, 1n, 1n), swap(event, 200n, -2n, 1n, 1n, 1n)]
      expect(yield* bought(poolOf(LOW, HIGH), ...logs)).toEqual(known(500n))
    })
  )

  it.effect("is what swappers got, in V4", () =>
    Effect.gen(function* () {
      const logs = [swap(V4, -9n, 700n, 1n, 1n, 1n, 1n), swap(V4, 2n, -200n, 1n, 1n, 1n, 1n)]
      expect(yield* bought(poolOf(HIGH, LOW, true), ...logs)).toEqual(known(500n))
    })
  )

  it.effect("is not known where swaps are not served, or are too many for one answer", () =>
    Effect.gen(function* () {
      const range = { fromBlock: 0n, toBlock: 1n }
      const refusing = node(() => Promise.reject(new Error("not served")))
      expect(yield* readPurchases(refusing, [poolOf(LOW, HIGH)], range)).toMatchObject({ known: false })
      const many = Array.from({ length: 4_001 }, () => swap(V2, 0n, 1n, 1n, 0n))
      expect(yield* bought(poolOf(LOW, HIGH), ...many)).toMatchObject({ known: false })
    })
  )
})
