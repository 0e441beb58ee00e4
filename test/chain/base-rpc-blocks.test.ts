import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { numberToHex, pad } from "viem"
import { makeBaseRpcWith } from "../../src/chain/base-rpc.ts"
import { options } from "../support/chain/rpc-double.ts"
import { echo, reads, expected, makeChainWhere, makeChain } from "../support/chain/echo-chain.ts"

describe("BaseRpc, read at a block", () => {
  it.scopedLive(
    "takes what a node answers of its newest block for no answer of the one it was asked for",
    () =>
      Effect.gen(function* () {
        const { url, rpc, client } = yield* makeChain
        const old = yield* rpc.readAll(reads.slice(0, 1))
        yield* Effect.promise(() => client.mine({ blocks: 2 }))
        // A node that keeps no old states, and says the newest instead.
        const forgetful = yield* makeBaseRpcWith({
          ...options(url),
          timeout: "20 seconds",
          fetch: (input, init) => {
            const body = typeof init?.body === "string" ? init.body : ""
            const pinned = numberToHex(old.blockNumber)
            return globalThis.fetch(input, { ...init, body: body.replaceAll(`"${pinned}"`, '"latest"') })
          }
        })
        const at = { blockNumber: old.blockNumber }
        expect((yield* rpc.readAll(reads.slice(0, 1), at)).results).toEqual(old.results)
        expect(yield* Effect.flip(forgetful.readAll(reads.slice(0, 1), at))).toMatchObject({
          kind: "malformed"
        })
        const asked = [{ address: echo, slots: [pad("0x05", { size: 32 })] }] as const
        expect(yield* rpc.inspect(asked, at)).toHaveLength(1)
        expect(yield* Effect.flip(forgetful.inspect(asked, at))).toMatchObject({ kind: "malformed" })
        expect(yield* forgetful.readAll(reads.slice(0, 1))).toMatchObject({
          blockNumber: old.blockNumber + 2n
        })
      })
  )

  it.scopedLive("takes no answer of another block than it asked for", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChainWhere((body) => body.replaceAll('"0x1"', '"latest"'))
      expect((yield* rpc.readAll(reads)).results).toEqual(expected)
      const long = Array.from(
        { length: 60 },
        () => ({ to: echo, data: pad("0x01", { size: 2000 }) }) as const
      )
      const asked = [
        Effect.asVoid(rpc.readAll(reads, { blockNumber: 1n })),
        Effect.asVoid(rpc.readAll(long, { blockNumber: 1n })),
        Effect.asVoid(rpc.inspect([{ address: echo }], { blockNumber: 1n })),
        Effect.asVoid(
          rpc.inspect([{ address: echo, slots: [pad("0x05", { size: 32 })] }], { blockNumber: 1n })
        )
      ]
      for (const one of asked)
        expect(yield* Effect.flip(one)).toMatchObject({
          kind: "malformed",
          detail: "eth_call: of another block"
        })
    })
  )

  it.scopedLive("asks once more where a node took its next block while it answered", () =>
    Effect.gen(function* () {
      let moved = false
      const { rpc } = yield* makeChainWhere((body) => {
        if (moved || !body.includes('"0x1"')) return body
        moved = true
        return body.replaceAll('"0x1"', '"latest"')
      })
      const at = { blockNumber: 1n }
      expect(yield* rpc.readAll(reads, at)).toMatchObject(at)
      expect(moved).toBe(true)
      moved = false
      const [account] = yield* rpc.inspect([{ address: echo }], at)
      expect([account?.at?.blockNumber, moved]).toEqual([1n, true])
    })
  )

  it.scopedLive("asks no further where a node never stays at one block", () =>
    Effect.gen(function* () {
      let asked = 0
      // Of every list of reads one is answered at an older block, whatever block was named.
      const { count, rpc } = yield* makeChainWhere((body) =>
        body.replaceAll(/"latest"|"0x\d"/g, () => (asked++ % 2 === 0 ? '"latest"' : '"0x1"'))
      )
      const long = Array.from(
        { length: 60 },
        () => ({ to: echo, data: pad("0x01", { size: 2000 }) }) as const
      )
      const account = { address: echo, slots: [pad("0x05", { size: 32 })] } as const
      for (const one of [Effect.asVoid(rpc.readAll(long)), Effect.asVoid(rpc.inspect([account]))])
        expect(yield* Effect.flip(one)).toMatchObject({ kind: "malformed" })
      expect(yield* count).toBe(4)
    })
  )
})
