import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { createPublicClient, custom, numberToHex } from "viem"
import { makeEvmNode } from "../../../../src/payment/settler/evm/node.ts"

const GWEI = 1_000_000_000
const sound = {
  oldestBlock: "0x64",
  baseFeePerGas: [5, 5, 5, 5, 5, 7].map((fee) => numberToHex(fee * GWEI)),
  gasUsedRatio: [0.5, 0.5, 0.5, 0.5, 0.5],
  reward: [["0x1"], ["0x2"], ["0x3"], ["0x4"], ["0x5"]]
}

const marketBy = (feeHistory: unknown, dataFee: unknown = numberToHex(9, { size: 32 })) =>
  makeEvmNode({
    client: createPublicClient({
      transport: custom(
        { request: async ({ method }) => (method === "eth_call" ? dataFee : feeHistory) },
        { retryCount: 0 }
      )
    }),
    nodes: []
  }).market

describe("what the next block asks for", () => {
  it.effect("is the last base fee of a node's history, which is one block ahead", () =>
    Effect.gen(function* () {
      expect(yield* marketBy(sound)).toMatchObject({ height: 104, baseFee: 7_000_000_000n, dataFee: 9n })
      const { reward: _, ...untold } = sound
      for (const silent of [untold, { ...untold, reward: null }]) {
        expect(yield* marketBy(silent)).toMatchObject({ height: 104, baseFee: 7_000_000_000n })
      }
    })
  )

  it.effect("is not known, and no small fee, by an answer without one", () =>
    Effect.gen(function* () {
      for (const rubbish of [
        null,
        "0x",
        [],
        {},
        { ...sound, baseFeePerGas: undefined },
        { ...sound, baseFeePerGas: null },
        { ...sound, baseFeePerGas: [] },
        { ...sound, baseFeePerGas: ["0x7"] },
        { ...sound, baseFeePerGas: ["0x7", null] },
        { ...sound, baseFeePerGas: ["0x7", ""] },
        { ...sound, baseFeePerGas: ["0x7", true] },
        { ...sound, baseFeePerGas: ["0x7", "0x"] },
        { ...sound, baseFeePerGas: "0x7" },
        { ...sound, baseFeePerGas: Array(8).fill("0x7") },
        { ...sound, oldestBlock: null },
        { ...sound, oldestBlock: "" },
        { ...sound, oldestBlock: true },
        { ...sound, reward: [null] },
        { ...sound, reward: [[null]] },
        { ...sound, reward: [["0xzz"]] }
      ]) {
        const failure = yield* Effect.flip(Effect.sandbox(marketBy(rubbish)))
        expect([rubbish, Cause.isFailType(failure)]).toEqual([rubbish, true])
        expect([rubbish, Cause.squash(failure)]).toMatchObject([rubbish, { _tag: "UpstreamError" }])
      }
      for (const rubbish of [null, "", "0x", 7, true, {}]) {
        expect(yield* Effect.flip(marketBy(sound, rubbish))).toMatchObject({ _tag: "UpstreamError" })
      }
    })
  )
})
