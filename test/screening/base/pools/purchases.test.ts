import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { concatHex, createPublicClient, custom, numberToHex, toEventSelector } from "viem"
import type { BaseRpc } from "../../../../src/chain/chain-rpc.ts"
import { UpstreamError } from "../../../../src/domain/errors.ts"
import { known } from "../../../../src/domain/fact.ts"
import type { Pool, PoolKind } from "../../../../src/screening/base/pools/pool.ts"
import { readPurchases } from "../../../../src/screening/base/pools/purchases.ts"

const [LOW, HIGH]: readonly [Address, Address] = [`0x${"11".repeat(20)}`, `0x${"ee".repeat(20)}`]
const POOL: Address = `0x${"55".repeat(20)}`
const POOL_MANAGER: Address = "0x498581ff718922c3f8e6a244956af099b2652b2b"
const ID: Hex = `0x${"77".repeat(32)}`

const refused = Effect.fail(
  new UpstreamError({ upstream: "base-rpc", kind: "rejected", detail: "not served" })
)

interface Log {
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

const node = (logs: () => Promise<unknown>): BaseRpc => ({
  client: createPublicClient({ transport: custom({ request: logs }, { retryCount: 0 }) }),
  nodes: [],
  readAll: () => refused,
  inspect: () => refused,
  call: () => refused,
  callAll: () => refused,
  blockNumber: Effect.succeed(1n)
})

const poolOf = (token: Address, quote: Address, kind: PoolKind = "v2", change: Partial<Pool> = {}): Pool => ({
  kind,
  dex: "test",
  address: kind === "v4" ? POOL_MANAGER : POOL,
  token,
  quote,
  feePips: 3000,
  quoteReserve: 1n,
  tokenReserve: 1n,
  quoteUsd: 1,
  priceUsd: 1,
  ...(kind === "v4" ? { v4: { poolId: ID, hooks: `0x${"00".repeat(20)}` as const } } : {}),
  ...change
})

const word = (value: bigint): Hex => numberToHex(BigInt.asUintN(256, value), { size: 32 })

const event = (signature: string, topics: ReadonlyArray<Hex>, ...words: ReadonlyArray<bigint>): Log => ({
  topics: [toEventSelector(signature), ...topics],
  data: concatHex(words.map(word))
})

/** A V4 pool's events name it first; of the others only the words count. */
const swap = (signature: string, ...words: ReadonlyArray<bigint>): Log =>
  event(signature, signature === V4 ? [ID] : [], ...words)

const TRANSFER = "event Transfer(address indexed,address indexed,uint256)"
const lpMinted = (to: bigint, amount: bigint) => event(TRANSFER, [word(0n), word(to)], amount)

const V2_MINT = "event Mint(address indexed,uint256,uint256)"
const V3_MINT = "event Mint(address,address indexed,int24 indexed,int24 indexed,uint128,uint256,uint256)"
const V3_BURN = "event Burn(address indexed,int24 indexed,int24 indexed,uint128,uint256,uint256)"
const V3_COLLECT = "event Collect(address indexed,address,int24 indexed,int24 indexed,uint128,uint128)"
const V4_MODIFY = "event ModifyLiquidity(bytes32 indexed,address indexed,int24,int24,int256,bytes32)"

/** What is brought to a pool in the beginning, of either side. */
const PUT = 10_000n
const position = (owner: bigint) => [word(owner), word(-600n), word(600n)]
/** LP tokens given back and destroyed, and what is paid for them. */
const taken = (shares: bigint, tokens: bigint, ether: bigint) => [
  event(TRANSFER, [word(BigInt(POOL)), word(0n)], shares),
  event("event Burn(address indexed,uint256,uint256,address indexed)", [word(9n)], tokens, ether)
]
const begun = [
  event("event Initialize(uint160,int24)", [], 1n, 1n),
  event(V3_MINT, position(9n), 9n, 77n, PUT, PUT)
]

/** What a pool tells when it begins. */
const births: Readonly<Record<PoolKind, ReadonlyArray<Log>>> = {
  v2: [lpMinted(0n, 1_000n), lpMinted(9n, PUT), event(V2_MINT, [word(9n)], PUT, PUT)],
  "aerodrome-v2": [lpMinted(1n, 1_000n), lpMinted(9n, PUT), event(V2_MINT, [word(9n)], PUT, PUT)],
  v3: begun,
  slipstream: begun,
  algebra: begun,
  v4: [
    event(
      "event Initialize(bytes32 indexed,address indexed,address indexed,uint24,int24,address,uint160,int24)",
      [ID, word(BigInt(LOW)), word(BigInt(HIGH))],
      3_000n,
      60n,
      0n,
      2n ** 96n,
      0n
    )
  ]
}

const V2 = "event Swap(address indexed,uint256,uint256,uint256,uint256,address indexed)"
const AERODROME = "event Swap(address indexed,address indexed,uint256,uint256,uint256,uint256)"
const V3 = "event Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24)"
const PANCAKE =
  "event Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24,uint128,uint128)"
const V4 = "event Swap(bytes32 indexed,address indexed,int128,int128,uint160,uint128,int24,uint24)"

/** The events as a node lists them, one after another in one block. */
const listed = ({ address }: Pool, logs: ReadonlyArray<Log>) =>
  logs.map((log, at) => ({
    ...log,
    address,
    transactionHash: word(1n),
    blockHash: word(2n),
    blockNumber: "0x1",
    logIndex: numberToHex(at)
  }))

/** What is known of a pool whose node lists these events, in blocks 0 and 1. */
const told = (pool: Pool, ...logs: ReadonlyArray<Log>) =>
  readPurchases(
    node(() => Promise.resolve(listed(pool, logs))),
    [pool],
    1n,
    null
  )

const bought = (pool: Pool, ...logs: ReadonlyArray<Log>) => told(pool, ...births[pool.kind], ...logs)

describe("what pools gave for money", () => {
  it.effect.each([
    [V2, "v2"],
    [AERODROME, "aerodrome-v2"]
  ] as const)("is what went out less what came in, by %s", ([signature, kind]) =>
    Effect.gen(function* () {
      const [buy, sale] = [swap(signature, 0n, 9n, 700n, 0n), swap(signature, 200n, 0n, 0n, 2n)]
      expect(yield* bought(poolOf(LOW, HIGH, kind), buy, sale)).toEqual(known(500n))
      expect(yield* bought(poolOf(HIGH, LOW, kind), buy, sale)).toEqual(known(0n))
    })
  )

  it.effect.each([V3, PANCAKE])("is what the pool lost, by %s", (signature) =>
    Effect.gen(function* () {
      const logs = [swap(signature, -700n, 9n, 1n, 1n, 1n), swap(signature, 200n, -2n, 1n, 1n, 1n)]
      expect(yield* bought(poolOf(LOW, HIGH, "v3"), ...logs)).toEqual(known(500n))
    })
  )

  it.effect("is what swappers got, in V4", () =>
    Effect.gen(function* () {
      const logs = [swap(V4, -9n, 700n, 1n, 1n, 1n, 1n), swap(V4, 2n, -200n, 1n, 1n, 1n, 1n)]
      expect(yield* bought(poolOf(HIGH, LOW, "v4"), ...logs)).toEqual(known(500n))
    })
  )

  it.effect("is no more than what is gone of what was put in: a node may have left out a sale", () =>
    Effect.gen(function* () {
      const v2 = poolOf(LOW, HIGH, "v2", { tokenReserve: PUT - 500n })
      expect(yield* bought(v2, swap(V2, 0n, 9n, 700n, 0n))).toEqual(known(500n))
      const removed = taken(100n, 100n, 9n)
      expect(yield* bought(v2, swap(V2, 0n, 9n, 700n, 0n), ...removed)).toEqual(known(400n))
      const v3 = poolOf(LOW, HIGH, "v3", { tokenReserve: PUT - 500n })
      const buy = swap(V3, -700n, 9n, 1n, 1n, 1n)
      expect(yield* bought(v3, buy)).toEqual(known(500n))
      expect(yield* bought(v3, buy, event(V3_COLLECT, position(9n), 9n, 100n, 0n))).toEqual(known(400n))
    })
  )

  it.effect(
    "is nothing where it was put above the price, bought and taken out as money, by V3's events",
    () =>
      Effect.gen(function* () {
        const put = event(V3_MINT, position(8n), 8n, 50n, 5_000n, 0n)
        const buy = swap(V3, -5_300n, 9n, 1n, 1n, 1n)
        const takes = (liquidity: bigint, tokens: bigint) =>
          event(V3_BURN, position(8n), liquidity, tokens, 4_000n)
        const pool = poolOf(LOW, HIGH, "v3", { tokenReserve: PUT - 300n })
        expect(yield* bought(pool, put, buy)).toEqual(known(5_300n))
        expect(yield* bought(pool, put, buy, takes(50n, 0n))).toEqual(known(300n))
        expect(yield* bought(pool, put, buy, takes(10n, 0n))).toEqual(known(4_300n))
        // Brought and taken again as it was: nobody bought from it.
        const back = event(V3_COLLECT, position(8n), 8n, 5_000n, 0n)
        expect(yield* bought(pool, put, takes(50n, 5_000n), back, swap(V3, -300n, 9n, 1n, 1n, 1n))).toEqual(
          known(300n)
        )
        expect(yield* bought(pool, event(V3_MINT, position(8n), 8n))).toMatchObject({ known: false })
        // More is taken than was put: the node has left out that it was.
        expect(yield* bought(pool, buy, takes(50n, 0n))).toMatchObject({ known: false })
      })
  )

  it.effect("is nothing where it was put above the price, bought and taken out as money, in V4", () =>
    Effect.gen(function* () {
      const size = 10n ** 24n
      const change = (liquidity: bigint) => event(V4_MODIFY, [ID, word(8n)], 60n, 120n, liquidity, 0n)
      // The price passes over all of it: to the root of 1.0001 to the 120th.
      const beyond = BigInt(Math.floor(1.0001 ** 60 * 2 ** 96))
      const tokens = BigInt(Math.floor(1e24 * (1 / 1.0001 ** 30 - 1 / 1.0001 ** 60)))
      const buy = swap(V4, tokens, -tokens, beyond, 1n, 120n, 3_000n)
      const pool = poolOf(LOW, HIGH, "v4")
      expect(yield* bought(pool, change(size), buy)).toEqual(known(tokens))
      expect(yield* bought(pool, change(size), buy, change(-size))).toEqual(known(0n))
      expect(yield* bought(pool, buy, change(-size))).toMatchObject({ known: false })
      const walked = poolOf(LOW, HIGH, "v4", { tokenReserve: tokens / 2n, curve: [] })
      expect(yield* bought(walked, change(size), buy)).toEqual(known(tokens - tokens / 2n))
    })
  )

  it.effect(
    "is nothing where somebody bought out his own pool of V2's kind before he locked some of it",
    () =>
      Effect.gen(function* () {
        const buy = swap(V2, 0n, 90_000n, 9_000n, 0n)
        const locked = [lpMinted(9n, 100n), event(V2_MINT, [word(9n)], 10n, 1_000n)]
        const pool = poolOf(LOW, HIGH, "v2", { tokenReserve: 10n })
        expect(yield* bought(pool, buy, ...taken(PUT, 1_000n, 100_000n))).toEqual(known(0n))
        const again = yield* bought(pool, buy, ...taken(PUT, 1_000n, 100_000n), ...locked)
        expect(again.known && again.value < 100n).toBe(true)
        // What a holder sends on meanwhile is not what was destroyed.
        const sent = event(TRANSFER, [word(5n), word(0n)], 1n)
        const between = taken(PUT, 1_000n, 100_000n).flatMap((log, at) => (at === 0 ? [log, sent] : [log]))
        expect(yield* bought(pool, buy, ...between)).toEqual(known(0n))
        // Without a word of the LP tokens nothing is known.
        expect(yield* told(pool, ...births.v2.slice(2))).toMatchObject({ known: false })
        // Nor is it by what was said of another event.
        const silent = taken(PUT, 1_000n, 100_000n).slice(1)
        expect(yield* bought(pool, buy, ...locked, ...silent)).toMatchObject({ known: false })
      })
  )

  it.effect("is not known where swaps are not served, or are too many for one answer", () =>
    Effect.gen(function* () {
      const refusing = node(() => Promise.reject(new Error("not served")))
      expect(yield* readPurchases(refusing, [poolOf(LOW, HIGH)], 1n, null)).toMatchObject({ known: false })
      const many = Array.from({ length: 4_001 }, () => swap(V2, 0n, 1n, 1n, 0n))
      expect(yield* bought(poolOf(LOW, HIGH), ...many)).toMatchObject({ known: false })
    })
  )

  it.effect("is not known where the pool's beginning was not seen: sales before it would be missed", () =>
    Effect.gen(function* () {
      for (const [kind, signature] of [
        ["v2", V2],
        ["aerodrome-v2", AERODROME],
        ["v3", V3],
        ["slipstream", V3],
        ["v4", V4]
      ] as const) {
        const buy = swap(signature, 0n, 9n, 700n, 0n, 1n, 1n)
        expect([kind, yield* told(poolOf(LOW, HIGH, kind), buy)]).toMatchObject([kind, { known: false }])
        expect([kind, yield* told(poolOf(LOW, HIGH, kind))]).toMatchObject([kind, { known: false }])
      }
    })
  )

  it.effect("takes no later liquidity for a pool's first, also where as much is given to nobody", () =>
    Effect.gen(function* () {
      const [buy, sync] = [swap(V2, 0n, 9n, 700n, 0n), swap(V2, 0n, 0n, 0n, 0n)]
      for (const events of [
        [lpMinted(0n, 1_000n)],
        [lpMinted(0n, 1_000n), sync, lpMinted(9n, 5n)],
        [lpMinted(0n, 999n), lpMinted(9n, 5n)],
        [lpMinted(1n, 1_000n), lpMinted(9n, 5n)],
        [lpMinted(9n, 5n)]
      ]) {
        expect(yield* told(poolOf(LOW, HIGH), ...events, buy)).toMatchObject({ known: false })
      }
    })
  )

  it.effect("is known of a pool whose market tells no date, where its beginning was seen all the same", () =>
    Effect.gen(function* () {
      const pool = poolOf(LOW, HIGH)
      const late = (logs: ReadonlyArray<Log>) => {
        const rpc = node(() =>
          Promise.resolve(listed(pool, logs).map((log) => ({ ...log, blockNumber: "0xf4240" })))
        )
        return readPurchases(rpc, [pool], 1_000_000n, null)
      }
      const buy = swap(V2, 0n, 9n, 700n, 0n)
      expect(yield* late([buy])).toMatchObject({ known: false })
      expect(yield* late([...births.v2, buy])).toEqual(known(700n))
    })
  )

  it.effect("is not known where a swap does not say what was swapped", () =>
    Effect.gen(function* () {
      const short = swap(V2, 0n, 9n, 700n)
      expect(yield* bought(poolOf(LOW, HIGH), short)).toEqual(known(700n))
      expect(yield* bought(poolOf(HIGH, LOW), short)).toMatchObject({ known: false })
      expect(yield* bought(poolOf(LOW, HIGH), swap(V2))).toMatchObject({ known: false })
    })
  )

  it.effect.each(
    [null, "0x", {}, [null], [{}], [{ topics: [] }], [{ data: "0x" }]].map((answer) => ({ answer }))
  )("is not known where the node gives $answer", ({ answer }) =>
    Effect.gen(function* () {
      const rpc = node(() => Promise.resolve(answer))
      expect(yield* readPurchases(rpc, [poolOf(LOW, HIGH)], 1n, null)).toMatchObject({ known: false })
    })
  )
})
