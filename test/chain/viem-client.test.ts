import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { viemClient } from "../../src/chain/viem-client.ts"
import { makeNode, uniform } from "../support/chain/rpc-double.ts"
import { pool } from "../support/chain/rpc-pool.ts"

describe("a viem client over the pool", () => {
  it.scopedLive("turns to the next node, and shows neither URL nor key when all fail", () =>
    Effect.gen(function* () {
      const first = yield* makeNode(() => "hang up")
      const second = yield* uniform({ result: "0x11" })
      const client = viemClient(yield* pool([`${first.url}/key`, second.url]), Effect.runPromise)
      expect(yield* Effect.promise(() => client.getBlockNumber())).toBe(17n)
      const lone = viemClient(yield* pool([`${first.url}/key`]), Effect.runPromise)
      const error = yield* Effect.flip(Effect.tryPromise(() => lone.getBlockNumber({ cacheTime: 0 })))
      expect(String(error.error)).toContain("HttpRequestError")
      expect(String(error.error)).not.toContain("/key")
    })
  )

  it.scopedLive("passes a node's own words on, so that a revert reads as one", () =>
    Effect.gen(function* () {
      const node = yield* uniform({
        error: {
          code: 3,
          message: "execution reverted: FiatTokenV2: authorization is used or canceled",
          data: "0x"
        }
      })
      const client = viemClient(yield* pool([node.url]), Effect.runPromise)
      const error = yield* Effect.flip(
        Effect.tryPromise(() => client.call({ to: "0x4200000000000000000000000000000000000006" }))
      )
      expect(String(error.error)).toContain("authorization is used or canceled")
    })
  )

  it.scopedLive("takes nothing for an answer that has not the form of one", () =>
    Effect.gen(function* () {
      const address = "0x4200000000000000000000000000000000000006"
      for (const result of [null, "", "0xzz", "yes", true, 7, [], {}]) {
        const node = yield* uniform({ result })
        const client = viemClient(yield* pool([node.url]), Effect.runPromise)
        const asks: ReadonlyArray<() => Promise<unknown>> = [
          () => client.getBlockNumber({ cacheTime: 0 }),
          () => client.call({ to: address }),
          () => client.getCode({ address }),
          () => client.getBalance({ address }),
          () => client.getTransactionCount({ address }),
          () => client.estimateGas({ account: address, to: address }),
          () => client.sendRawTransaction({ serializedTransaction: "0x02" })
        ]
        for (const ask of asks) {
          expect(String((yield* Effect.flip(Effect.tryPromise(ask))).error)).toContain("unexpected result")
        }
      }
    })
  )
})
