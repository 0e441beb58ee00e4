import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Hex } from "viem"
import { numberToHex, pad } from "viem"
import {
  echo,
  reverter,
  burner,
  bomber,
  codes,
  reads,
  expected,
  makeChain
} from "../support/chain/echo-chain.ts"

const multicall3 = "0xcA11bde05977b3631167028862bE2a173976CA11"

describe("BaseRpc on a chain", () => {
  it.scopedLive("reads many contracts at one block where there is no Multicall3", () =>
    Effect.gen(function* () {
      const { rpc, count } = yield* makeChain
      const batch = yield* rpc.readAll(reads)
      expect(batch.results).toEqual(expected)
      expect(batch.blockNumber).toBe(yield* rpc.blockNumber)
      const before = yield* count
      yield* rpc.readAll(reads)
      expect((yield* count) - before).toBe(1)
    })
  )

  it.scopedLive("runs what writes as a transaction would, in order, and lets nothing else write", () =>
    Effect.gen(function* () {
      const { client, rpc } = yield* makeChain
      // Without call data it answers with slot 0, else it stores its first word there.
      const box = "0x00000000000000000000000000000000000e0005"
      yield* Effect.promise(() =>
        client.setCode({ address: box, bytecode: "0x36600c575f545f5260205ff35b5f355f5500" })
      )
      const look = { to: box, data: "0x" } as const
      const store = { to: box, data: pad("0x07", { size: 32 }) } as const
      const { results } = yield* rpc.readAll([
        store,
        look,
        { ...store, writes: true },
        look,
        { to: burner, data: "0x", writes: true },
        { codeOf: echo },
        look
      ])
      expect(results.map(({ ok }) => ok)).toEqual([false, true, true, true, false, true, true])
      expect([results[1], results[3], results[6]].map((one) => Number(one?.data))).toEqual([0, 7, 7])
      expect(results[5]?.data).toBe(codes[echo])
      expect(Number((yield* rpc.readAll([look])).results[0]?.data)).toBe(0)
    })
  )

  it.scopedLive("splits reads that do not fit one init code and still reads one block", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const many = Array.from(
        { length: 60 },
        (_, at) => ({ to: echo, data: pad(numberToHex(at), { size: 2000 }) }) as const
      )
      const { results } = yield* rpc.readAll(many)
      expect(results.map(({ data }) => data)).toEqual(many.map(({ data }) => data))
    })
  )

  it.scopedLive("keeps a hostile answer out of the others", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const { results } = yield* rpc.readAll([{ to: bomber, data: "0x" }, reads[0]])
      expect(results).toEqual([{ ok: false, data: "0x" }, expected[0]])
    })
  )

  it.scopedLive("reads through Multicall3 in one request, at a given block too", () =>
    Effect.gen(function* () {
      const { rpc, client, count } = yield* makeChain
      const url = new URL("../../scripts/contracts/artifacts/Multicall.json", import.meta.url)
      const artifact: { readonly deployedBytecode: Hex } = JSON.parse(readFileSync(url, "utf8"))
      yield* Effect.promise(() =>
        client.setCode({ address: multicall3, bytecode: artifact.deployedBytecode })
      )
      const batch = yield* rpc.readAll([reads[0], reads[1], reads[4]])
      expect(batch.results).toEqual([expected[0], expected[1], expected[4]])
      expect(yield* count).toBe(1)
      expect((yield* rpc.readAll([], { blockNumber: batch.blockNumber })).blockNumber).toBe(batch.blockNumber)
    })
  )

  it.scopedLive("inspects code and slots in one request", () =>
    Effect.gen(function* () {
      const { rpc, client, count } = yield* makeChain
      const slot = pad("0x05", { size: 32 })
      const value = pad("0x2a", { size: 32 })
      yield* Effect.promise(() => client.setStorageAt({ address: echo, index: slot, value }))
      const nobody = "0x00000000000000000000000000000000000e00ff"
      const accounts = yield* rpc.inspect([
        { address: echo, slots: [slot] },
        { address: nobody },
        { address: burner }
      ])
      expect(yield* count).toBe(1)
      const at = accounts[0]?.at
      const { blockNumber, blockTime } = yield* rpc.readAll([], { blockNumber: at?.blockNumber ?? 0n })
      expect(at).toEqual({ blockNumber, blockTime })
      expect(accounts).toEqual([
        { code: codes[echo], slots: [value], at },
        { code: "0x", slots: [], at },
        { code: codes[burner], slots: [], at }
      ])
    })
  )

  it.scopedLive("replaces code, balance, storage, time, fee recipient and fees for one call", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const from = "0x00000000000000000000000000000000000e0005"
      // time, coinbase, base fee, gas price, storage slot 0, balance of the caller
      const code = "0x4260005241602052486040523a6060526000546080523331 60a05260c06000f3".replace(" ", "")
      const result = yield* rpc.call({
        from,
        to: echo,
        data: "0x",
        gas: 100_000n,
        gasPrice: 9_000_000n,
        stateOverride: [
          {
            address: echo,
            code: `0x${code.slice(2)}`,
            stateDiff: [{ slot: pad("0x", { size: 32 }), value: pad("0x07", { size: 32 }) }]
          },
          { address: from, balance: 10n ** 18n }
        ],
        blockOverride: { time: 2_000_000_000n, feeRecipient: reverter, baseFeePerGas: 8_000_000n }
      })
      const words = Array.from({ length: 5 }, (_, at) =>
        BigInt(`0x${result.data.slice(2 + 64 * at, 66 + 64 * at)}`)
      )
      expect(words).toEqual([2_000_000_000n, BigInt(reverter), 8_000_000n, 9_000_000n, 7n])
      expect(result.ok).toBe(true)
      expect((yield* rpc.inspect([{ address: echo }]))[0]?.code).toBe(codes[echo])
    })
  )
})
