import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { Address, Hex } from "viem"
import { createPublicClient, custom, numberToHex, pad } from "viem"
import type { BaseRpc } from "../../src/chain/chain-rpc.ts"
import { readLogRange } from "../../src/chain/evm-log-ranges.ts"

const TOKEN: Address = `0x${"11".repeat(20)}`
const NOW = 1_000_000n

interface Asked {
  readonly from: bigint
  readonly to: bigint
}

/** A node that has one event in each of these blocks, and lists so many blocks, or events, at once. */
const node = (
  events: ReadonlyArray<bigint>,
  most: { readonly blocks?: bigint; readonly events?: number }
) => {
  const asked: Array<Asked> = []
  const request = ({ params }: { readonly params: ReadonlyArray<{ fromBlock: Hex; toBlock: Hex }> }) => {
    const [from, to] = [BigInt(params[0]?.fromBlock ?? 0), BigInt(params[0]?.toBlock ?? 0)]
    asked.push({ from, to })
    const found = events.filter((block) => block >= from && block <= to)
    if (to - from + 1n > (most.blocks ?? NOW)) return Promise.reject(new Error("range too wide"))
    if (found.length > (most.events ?? NOW)) return Promise.reject(new Error("too many results"))
    return Promise.resolve(
      found.map((block) => ({
        address: TOKEN,
        topics: [],
        data: "0x",
        blockNumber: numberToHex(block),
        blockHash: pad(numberToHex(block)),
        transactionHash: pad(numberToHex(block)),
        logIndex: "0x0"
      }))
    )
  }
  const client: BaseRpc["client"] = createPublicClient({
    transport: custom({ request }, { retryCount: 0 })
  })
  return { asked, client, nodes: [{ host: "one", client }] }
}

const blocksOf = (rpc: Pick<BaseRpc, "client" | "nodes">, fromBlock: bigint, most = 1_000) =>
  readLogRange(rpc, { address: TOKEN, fromBlock, toBlock: NOW }, most).pipe(
    Effect.map((logs) => logs.map(({ blockNumber }) => blockNumber))
  )

/** One event every 1,999 blocks, and in the first and the last one of the range. */
const spread = (fromBlock: bigint) => {
  const between = Array.from(
    { length: Number((NOW - fromBlock) / 1_999n) },
    (_, at) => fromBlock + 1_999n * BigInt(at)
  )
  return [...new Set([...between, NOW])]
}

describe("events of a range", () => {
  it.effect("are one question's where the node serves it", () =>
    Effect.gen(function* () {
      const from = NOW - 40_000n
      const served = node(spread(from), {})
      expect(yield* blocksOf(served, from)).toEqual(spread(from))
      expect(served.asked).toEqual([{ from, to: NOW }])
    })
  )

  for (const [blocks, length] of [
    [100_000n, 900_000n],
    [10_000n, 227_999n],
    [2_000n, 47_999n]
  ] as const)
    it.effect(`are all there, each once and in order, where ${blocks} blocks are served at once`, () =>
      Effect.gen(function* () {
        const from = NOW - length
        const limited = node(spread(from), { blocks })
        expect(yield* blocksOf(limited, from, 10_000)).toEqual(spread(from))
        // The whole, the first look at each span, and every part.
        expect(limited.asked.length).toBeLessThanOrEqual(1 + 3 + 24)
      })
    )

  it.effect("are all there where the node lists only so many events at once", () =>
    Effect.gen(function* () {
      const from = NOW - 40_000n
      expect(yield* blocksOf(node(spread(from), { events: 5 }), from)).toEqual(spread(from))
    })
  )

  it.effect("are asked of one node alone: another one may know of fewer", () =>
    Effect.gen(function* () {
      const from = NOW - 40_000n
      const first = node([], { blocks: 100n })
      const second = node(spread(from), { blocks: 10_000n })
      const rpc = { client: first.client, nodes: [...first.nodes, ...second.nodes] }
      expect(yield* blocksOf(rpc, from)).toEqual(spread(from))
    })
  )

  it.effect("are not asked on for once they are too many", () =>
    Effect.gen(function* () {
      const from = NOW - 47_000n
      const events = Array.from({ length: 40_000 }, (_, at) => from + BigInt(at))
      const busy = node(events, { blocks: 2_000n })
      expect((yield* blocksOf(busy, from, 5_000)).length).toBeGreaterThan(5_000)
      expect(busy.asked.length).toBeLessThan(12)
    })
  )

  it.effect(
    "are refused where they would take more than 24 questions, or the node serves less than 2,000 blocks",
    () =>
      Effect.gen(function* () {
        const from = NOW - 48_000n
        const far = node(spread(from), { blocks: 2_000n })
        expect(Exit.isFailure(yield* Effect.exit(blocksOf(far, from)))).toBe(true)
        const small = node(spread(from), { blocks: 500n })
        expect(Exit.isFailure(yield* Effect.exit(blocksOf(small, from)))).toBe(true)
        const short = node([], { blocks: 10n })
        expect(Exit.isFailure(yield* Effect.exit(blocksOf(short, NOW - 1_000n)))).toBe(true)
        expect(short.asked.length).toBe(1)
      })
  )
})
