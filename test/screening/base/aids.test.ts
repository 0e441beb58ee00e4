import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { known } from "../../../src/domain/fact.ts"
import { lower, WETH } from "../../../src/screening/base/addresses.ts"
import { readAids } from "../../../src/screening/base/reads/aids.ts"
import { pair } from "../../support/base/fixtures.ts"
import { SandboxWorld } from "../../support/base/sandbox-world.ts"

const forgotten = new UpstreamError({ upstream: "base-rpc", kind: "rejected", detail: "no such state" })
const NOW = 1_800_000_000n
const DAY = 86_400n
const BLOCK = 50_000_000n

layer(SandboxWorld.layer, { excludeTestServices: true, timeout: "2 minutes" })(
  "what pools themselves are told they hold",
  (it) => {
    it.effect("is asked of each that has LP tokens, and of no other", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const { address, pool } = tokens.clean
        if (pool === null) throw new Error("no pool")
        const alike = { kind: "v2", dex: "uniswap", quote: WETH, feePips: 3_000 } as const
        const none = `0x${"77".repeat(20)}` as const
        const candidates = [
          { ...alike, address: none },
          { ...alike, address: lower(pool) },
          { ...alike, kind: "v3", address: `0x${"88".repeat(20)}` } as const
        ]
        const blockNumber = yield* Effect.promise(() => parts.rpc.client.getBlockNumber())
        const first = { blockNumber, blockTime: NOW, decimals: 18, market: known([]) }
        const { seenByPools } = yield* readAids(
          parts.rpc,
          lower(address),
          first,
          candidates,
          Effect.succeed({ month: [], halfYear: [] })
        )
        expect([...seenByPools.keys()]).toEqual([none, lower(pool)])
        expect(seenByPools.get(none)).toBe(0n)
        expect(seenByPools.get(lower(pool))).toBeGreaterThan(0n)
      })
    )
  }
)

layer(SandboxWorld.layer, { excludeTestServices: true, timeout: "2 minutes" })(
  "what the pools held a month ago, and since",
  (it) => {
    it.effect("is asked of a token that market data calls as old, at the blocks of then", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const asked: Array<bigint> = []
        const month = [(30n * DAY) / 2n, 1_000_000n, 7n]
        const halfYear = [(180n * DAY) / 2n, 5_000_000n]
        /** Blocks whose state the node has dropped. */
        const forgets = new Set<bigint>()
        const latest = yield* Effect.promise(() => parts.rpc.client.getBlockNumber())
        const rpc: typeof parts.rpc = {
          ...parts.rpc,
          // The local chain is short: whatever block is asked for, it tells of its newest.
          readAll: (reads, options) => {
            if (options?.blockNumber !== undefined) asked.push(options.blockNumber)
            if (forgets.has(options?.blockNumber ?? 0n)) return Effect.fail(forgotten)
            return parts.rpc.readAll(reads, { ...options, blockNumber: latest })
          }
        }
        const { address, pool } = tokens.clean
        if (pool === null) throw new Error("no pool")
        const candidate = {
          kind: "v2",
          dex: "uniswap",
          address: lower(pool),
          quote: WETH,
          feePips: 3_000
        } as const
        const read = (age: bigint) => {
          asked.length = 0
          const createdAt = Number((NOW - age) * 1_000n)
          const first = {
            blockNumber: BLOCK,
            blockTime: NOW,
            decimals: 18,
            market: known([pair({ createdAt })])
          }
          return readAids(rpc, lower(address), first, [candidate], Effect.succeed({ month, halfYear }))
        }
        const [then, longAgo] = [month, halfYear].map((ago) => ago.map((blocks) => BLOCK - blocks))
        const { past } = yield* read(30n * DAY)
        expect(asked).toEqual(expect.arrayContaining(then ?? []))
        expect(asked).not.toEqual(expect.arrayContaining(longAgo ?? []))
        expect(past.month).toHaveLength(month.length)
        for (const reserves of past.month ?? []) expect(reserves.get(lower(pool))).toBeGreaterThan(0n)
        expect(past.halfYear).toBeNull()
        expect((yield* read(180n * DAY - 1n)).past.halfYear).toBeNull()
        const old = yield* read(180n * DAY)
        expect(asked).toEqual(expect.arrayContaining([...(then ?? []), ...(longAgo ?? [])]))
        expect([old.past.month, old.past.halfYear].map((one) => one?.length)).toEqual([3, 2])
        const young = yield* read(30n * DAY - 1n)
        expect(asked).not.toEqual(expect.arrayContaining(then ?? []))
        expect(young.past).toEqual({ month: null, halfYear: null })
        forgets.add(BLOCK - 7n)
        const shown = (yield* read(180n * DAY)).past
        expect(shown.month).toBeNull()
        expect(shown.halfYear).not.toBeNull()
      })
    )
  }
)
