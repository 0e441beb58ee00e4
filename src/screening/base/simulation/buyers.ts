import { Effect } from "effect"
import type { Address } from "viem"
import { toEventSelector } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { readLogs } from "../../../chain/evm-logs.ts"
import { lower } from "../addresses.ts"
import type { PoolCandidate } from "../pools/pool-search.ts"

/** About half an hour of Base: within the range every public node serves in one call. */
export const RECENT_BLOCKS = 900n
/** More pools than this are dust beside the first ones. */
const MAX_POOLS = 8
/** Addresses handed to the simulation, which keeps the first eight that still hold something. */
const MAX_BUYERS = 32

/** Swaps as the pools themselves tell them: the token cannot invent these, as it can its own `Transfer`s. */
const SWAPS = [
  "event Swap(address indexed,uint256,uint256,uint256,uint256,address indexed)",
  "event Swap(address indexed,address indexed,uint256,uint256,uint256,uint256)",
  "event Swap(address indexed,address indexed,int256,int256,uint160,uint128,int24)"
].map((event) => toEventSelector(event))

/**
 * Who bought lately, newest first, from the pools' swap events: real holders whose transfers can be simulated, so that
 * a token that blocks its buyers one by one is caught. An aid: a node that serves no logs gives none.
 */
export const recentBuyers = (
  rpc: BaseRpc,
  pools: ReadonlyArray<PoolCandidate>,
  blockNumber: bigint
): Effect.Effect<ReadonlyArray<Address>> => {
  const addresses = pools.filter(({ kind }) => kind !== "v4").map(({ address }) => address)
  if (addresses.length === 0) return Effect.succeed([])
  return readLogs(rpc.client, {
    address: addresses.slice(0, MAX_POOLS),
    topics: [SWAPS],
    fromBlock: blockNumber > RECENT_BLOCKS ? blockNumber - RECENT_BLOCKS : 0n,
    toBlock: blockNumber
  }).pipe(
    Effect.map((logs) => {
      // Whoever is paid is the second indexed word of each of them.
      const buyers = logs
        .toReversed()
        .flatMap(({ topics: [, , to] }) => (to === undefined ? [] : [lower(`0x${to.slice(26)}`)]))
      return [...new Set(buyers)].slice(0, MAX_BUYERS)
    }),
    Effect.timeout("3 seconds"),
    Effect.catchAll(() => Effect.succeed([]))
  )
}
