import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Hex } from "viem"
import { concatHex, pad } from "viem"
import { FOUND, SUBJECT, readsOf } from "../../src/chain/chain-rpc.ts"
import { packDeployless } from "../../src/chain/evm-batch.ts"
import { echo, reverter, burner, reads, expected, makeChain } from "../support/chain/echo-chain.ts"

describe("BaseRpc, where a read names what the next ones read", () => {
  it.scopedLive("asks of one account what is put together once for many, with its answers in one", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const names = concatHex(["0x70a08231", pad(SUBJECT, { size: 32 })])
      const words = [
        { to: echo, data: names },
        { to: SUBJECT, data: "0x12345678" },
        { to: reverter, data: names },
        { ofFound: [{ to: FOUND, data: "0x12345678" }] }
      ] as const
      const named = { to: echo, data: pad(SUBJECT, { size: 32 }) } as const
      const lists = [words, [...words, named, { ofFound: [words[0], words[1]] }]]
      for (const of of [echo, reverter, burner] as const)
        for (const one of lists) {
          const codesOf = (asked: Parameters<typeof packDeployless>[0]) =>
            packDeployless(asked).map(({ data }) => data)
          expect(codesOf([{ alike: one, of }])).toEqual(codesOf(readsOf({ alike: one, of })))
          const plain = yield* rpc.readAll(readsOf({ alike: one, of }))
          const { results } = yield* rpc.readAll([{ alike: one, of }, reads[0]])
          expect(results).toEqual([{ ok: true, data: "0x", found: plain.results }, expected[0]])
          // Behind other reads it is put together anew.
          const behind = yield* rpc.readAll([reads[0], { alike: one, of }])
          expect(behind.results).toEqual(results.toReversed())
        }
    })
  )

  it.scopedLive("reads of an address what the read before it named, and nothing of one that is none", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const names = (word: Hex) => ({ to: echo, data: word }) as const
      const ofIt = {
        ofFound: [
          { to: FOUND, data: "0x1234" },
          { to: echo, data: concatHex(["0x70a08231", pad(FOUND, { size: 32 })]) }
        ]
      } as const
      const unmade = { ok: false, data: "0x" }
      const { results } = yield* rpc.readAll([
        names(pad(echo, { size: 32 })),
        ofIt,
        names(pad("0x", { size: 32 })),
        ofIt,
        names(pad("0x01", { size: 32, dir: "right" })),
        ofIt,
        { to: reverter, data: pad(echo, { size: 32 }) },
        ofIt,
        names(pad(reverter, { size: 32 })),
        ofIt,
        reads[0]
      ])
      const after = (at: number) => results[2 * at + 1]
      expect(after(0)).toEqual({
        ok: true,
        data: "0x",
        found: [
          { ok: true, data: "0x1234" },
          { ok: true, data: concatHex(["0x70a08231", pad(echo, { size: 32 })]) }
        ]
      })
      for (const at of [1, 2, 3]) expect(after(at)).toEqual(unmade)
      expect(after(4)).toEqual({
        ok: true,
        data: "0x",
        found: [
          { ok: false, data: "0x1234" },
          { ok: true, data: concatHex(["0x70a08231", pad(reverter, { size: 32 })]) }
        ]
      })
      expect(results).toHaveLength(11)
      expect(results.at(-1)).toEqual(expected[0])
    })
  )

  it.scopedLive("keeps a read and what is read of its answer in one init code", () =>
    Effect.gen(function* () {
      const { rpc } = yield* makeChain
      const long = pad("0x77", { size: 700 })
      const { results } = yield* rpc.readAll(
        Array.from({ length: 80 }, (_, at) => [
          { to: echo, data: pad(echo, { size: 32 }) } as const,
          {
            ofFound: [
              { to: FOUND, data: `${long}${at.toString(16).padStart(4, "0")}` },
              { to: FOUND, data: "0x1234" }
            ]
          } as const
        ]).flat()
      )
      const found = results.flatMap((result) => result.found ?? [])
      expect(results).toHaveLength(160)
      expect(found).toHaveLength(160)
      expect([...results, ...found].every(({ ok }) => ok)).toBe(true)
      expect(found.filter(({ data }) => data === "0x1234")).toHaveLength(80)
    })
  )
})
