/** Pools of every kind, what they tell in events, and a node that lists it. */
import type { Address, Hex } from "viem"
import { concatHex, numberToHex, toEventSelector } from "viem"
import type { BaseRpc } from "../../../src/chain/chain-rpc.ts"
import type { Pool, PoolKind } from "../../../src/screening/base/pools/pool.ts"
import { readPurchases } from "../../../src/screening/base/pools/purchases.ts"
import { rpcOf } from "./rpc-of.ts"

export const [LOW, HIGH]: readonly [Address, Address] = [`0x${"11".repeat(20)}`, `0x${"ee".repeat(20)}`]
const POOL: Address = `0x${"55".repeat(20)}`
const POOL_MANAGER: Address = "0x498581ff718922c3f8e6a244956af099b2652b2b"
export const ID: Hex = `0x${"77".repeat(32)}`

export interface Log {
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
  /** In the block of what was told before it. */
  readonly sameBlock?: true
  /** In the transaction, and so in the block, of what was told before it. */
  readonly sameTransaction?: true
}

export const node = (logs: () => Promise<unknown>): BaseRpc => rpcOf({}, logs)

export const poolOf = (
  token: Address,
  quote: Address,
  kind: PoolKind = "v2",
  change: Partial<Pool> = {}
): Pool => ({
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

export const word = (value: bigint): Hex => numberToHex(BigInt.asUintN(256, value), { size: 32 })

export const event = (
  signature: string,
  topics: ReadonlyArray<Hex>,
  ...words: ReadonlyArray<bigint>
): Log => ({
  topics: [toEventSelector(signature), ...topics],
  data: concatHex(words.map(word))
})

/** A V4 pool's events name it first; of the others only the words count. */
export const swap = (signature: string, ...words: ReadonlyArray<bigint>): Log =>
  event(signature, signature === V4 ? [ID] : [], ...words)

export const TRANSFER = "event Transfer(address indexed,address indexed,uint256)"
export const lpMinted = (to: bigint, amount: bigint) => event(TRANSFER, [word(0n), word(to)], amount)

export const V2_MINT = "event Mint(address indexed,uint256,uint256)"
export const V3_MINT =
  "event Mint(address,address indexed,int24 indexed,int24 indexed,uint128,uint256,uint256)"
export const V3_BURN = "event Burn(address indexed,int24 indexed,int24 indexed,uint128,uint256,uint256)"
export const V3_COLLECT = "event Collect(address indexed,address,int24 indexed,int24 indexed,uint128,uint128)"
export const V4_MODIFY = "event ModifyLiquidity(bytes32 indexed,address indexed,int24,int24,int256,bytes32)"

/** What is brought to a pool in the beginning, of either side. */
export const PUT = 10_000n
export const position = (owner: bigint) => [word(owner), word(-600n), word(600n)]
/** LP tokens given back and destroyed, and what is paid for them. */
export const taken = (shares: bigint, tokens: bigint, ether: bigint) => [
  event(TRANSFER, [word(BigInt(POOL)), word(0n)], shares),
  event("event Burn(address indexed,uint256,uint256,address indexed)", [word(9n)], tokens, ether)
]
const begun = [
  event("event Initialize(uint160,int24)", [], 1n, 1n),
  event(V3_MINT, position(9n), 9n, 77n, PUT, PUT)
]

/** What a pool tells when it begins. */
export const births: Readonly<Record<PoolKind, ReadonlyArray<Log>>> = {
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

export const V2 = "event Swap(address indexed,uint256,uint256,uint256,uint256,address indexed)"
export const AERODROME = "event Swap(address indexed,address indexed,uint256,uint256,uint256,uint256)"
export const V3 = "event Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24)"
export const PANCAKE =
  "event Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24,uint128,uint128)"
export const V4 = "event Swap(bytes32 indexed,address indexed,int128,int128,uint160,uint128,int24,uint24)"

const SWAPS: ReadonlySet<Hex | undefined> = new Set(
  [V2, AERODROME, V3, PANCAKE, V4].map((signature) => toEventSelector(signature))
)

/** The events as a node lists them, one after another; a swap has a block of its own unless it says otherwise. */
export const listed = ({ address }: Pool, logs: ReadonlyArray<Log>) => {
  let [block, transaction] = [1, 0]
  return logs.map(({ data, sameBlock, sameTransaction, topics }, at) => {
    const isWithin = sameBlock === true || sameTransaction === true
    const isAlone = !isWithin && [at, at - 1].some((one) => SWAPS.has(logs[one]?.topics[0]))
    if (isAlone) block++
    if (sameTransaction !== true) transaction++
    return {
      topics,
      data,
      address,
      transactionHash: word(BigInt(transaction)),
      blockHash: word(BigInt(block) + 1n),
      blockNumber: numberToHex(block),
      logIndex: numberToHex(at)
    }
  })
}

/** What is known of a pool whose node lists these events, in blocks 0 to 99. */
export const purchased = (pool: Pool, ...logs: ReadonlyArray<Log>) =>
  readPurchases(
    node(() => Promise.resolve(listed(pool, logs))),
    [pool],
    99n,
    null
  )
